import { expect, test } from 'bun:test'
import { serveUntilEnd } from '../../support/provider-double'
import { getKysely, openDatabase } from '../../../db/database'
import { readConfig } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { startServer } from '../../../server/process/server'
import { signedPdf, signingProvider, signs, signsAt, start } from '../../server/leases/signing/provider'
import { openFreshDatabase } from '../../support/database'
import { runJobs } from '../../support/jobs'
import { getPort, serverProcess, serverSettings } from '../../support/process'
import { atServer, createDraft, signInUser, type TestUser } from '../../support/users'

// The server is killed at each moment between "the provider was called" and "its answer is stored".

const MINUTE_MS = 60_000
const provider = signingProvider()
/** The step that kills the server when a provider is asked for it. */
let fatal: ((called: string) => Promise<never> | undefined) | undefined

/** An eKYC provider whose checks succeed. */
const ekyc = serveUntilEnd(async ({ method, url }) => {
  const { pathname } = new URL(url)
  const isStart = method === 'POST'
  await fatal?.(`${method} ${pathname}`)
  const id = pathname.split('/')[3] || crypto.randomUUID()
  const data = isStart ? null : { aadhaar: { name: 'Asha Rao', aadhaarNumber: 'XXXXXXXX1234' } }
  const status = isStart ? 'CREATED' : 'SUCCESS'
  const check = { id, status, kycURL: 'https://kyc.example.com', data }
  return Response.json(check, { status: isStart ? 201 : 200 })
})

const { PUBLIC_URL: _, ...account } = provider.env
const env = {
  ...account,
  EKYC_API_URL: ekyc,
  EKYC_CLIENT_ID: 'client',
  EKYC_CLIENT_SECRET: 'hush',
  EKYC_PRODUCT_INSTANCE_ID: 'product',
  PORT: '0',
  RUN_JOBS: 'false',
}
const constants = { PROVIDER_RETRIES: 0, PROVIDER_TIMEOUT_MS: 3000, PROVIDER_TOTAL_TIMEOUT_MS: 3000 }

/** The server that follows the killed one on its database, within this process and with a clock of its own. */
async function startSuccessor(DATABASE_URL: string) {
  let aheadMs = 0
  const orm = openDatabase(DATABASE_URL)
  const config = readConfig({ ...serverSettings, ...env, DATABASE_URL }, constants)
  const running = startServer(config, orm, createLog('silent', false), {
    now: () => new Date(Date.now() + aheadMs),
  })
  await running.ready
  return {
    ...running,
    skipMinutes: (minutes: number) => void (aheadMs += minutes * MINUTE_MS),
    listCancellations: () => getKysely(orm).selectFrom('signing_cancellations').selectAll().execute(),
    [Symbol.asyncDispose]: running.stop,
  }
}
type Successor = Awaited<ReturnType<typeof startSuccessor>>
type World = { owner: TestUser; tenant: TestUser; agreement: { id: number }; url: string }
type Point = {
  /** What has happened when the fatal step begins. */
  before?: (world: World) => Promise<unknown>
  /** The step whose call to the provider has taken effect there when the server dies. */
  step: (world: World) => Promise<unknown>
  call: RegExp
  heals: (successor: Successor, world: World) => Promise<void>
}

const findLastRequest = ({ tenant }: World) =>
  [...provider.kept.values()].findLast(({ signer }) => signer.identifier === tenant.phone)!

const getStatus = async (successor: Successor, { owner, agreement }: World) =>
  (await atServer(successor, owner).get(`/agreements/${agreement.id}`)).data.status as string

async function countEntries(successor: Successor, { owner, agreement }: World, wanted: string) {
  const { data } = await atServer(successor, owner).get(`/agreements/${agreement.id}/timeline`)
  expect(data.intact).toBe(true)
  return data.entries.filter(({ type }: { type: string }) => type === wanted).length
}

async function expectActiveOnce(successor: Successor, world: World) {
  expect(await getStatus(successor, world)).toBe('ACTIVE')
  expect(await countEntries(successor, world, 'activated')).toBe(1)
}

async function signByBoth(successor: Successor, { owner, tenant, agreement }: World) {
  for (const person of [tenant, owner])
    await signs(provider, successor.url, atServer(successor, owner), agreement, person)
}

const completeProfile = ({ owner }: World) =>
  owner.put('/profile/complete', { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' })

const points: Record<string, Point> = {
  'a request was made: the party is asked again, and the orphan is cancelled when it is heard of': {
    step: ({ owner, agreement, tenant }) => start(owner, agreement, tenant),
    call: /^POST \/api\/esign$/,
    heals: async (successor, world) => {
      const orphan = findLastRequest(world)
      expect(await getStatus(successor, world)).toBe('DRAFT')
      successor.skipMinutes(2)
      await signByBoth(successor, world)
      await expectActiveOnce(successor, world)
      expect(orphan.cancelled).toBe(false)
      await provider.webhook(successor.url, provider.news('ESIGN_REQUEST_CREATED', orphan))
      expect(orphan.cancelled).toBe(true)
    },
  },
  'the last signature was told of and is being read back: a job acts upon the stored webhook': {
    before: ({ owner, agreement, url }) => signs(provider, url, owner, agreement, owner),
    step: async ({ owner, agreement, tenant, url }) =>
      signsAt(provider, url, (await start(owner, agreement, tenant)).data.signature_id),
    call: /^GET \/api\/esign\/[^/]+$/,
    heals: async (successor, world) => {
      expect(await getStatus(successor, world)).toBe('PENDING')
      successor.skipMinutes(2)
      await runJobs(successor.deps)
      await expectActiveOnce(successor, world)
    },
  },
  'a terminated agreement is being cancelled there: a job finds it gone or tells the provider again': {
    before: ({ owner, agreement, tenant }) => start(owner, agreement, tenant),
    step: ({ owner, agreement }) => owner.post(`/agreements/${agreement.id}/terminate`, {}),
    call: /delete\/$/,
    heals: async (successor, world) => {
      expect(await getStatus(successor, world)).toBe('TERMINATED')
      expect(await successor.listCancellations()).toHaveLength(1)
      successor.skipMinutes(2)
      await runJobs(successor.deps)
      expect(findLastRequest(world).cancelled).toBe(true)
      expect(await successor.listCancellations()).toEqual([])
    },
  },
  'the signed document is being fetched: a job fetches it, and it is kept once': {
    before: async ({ owner, agreement, tenant, url }) => {
      for (const person of [owner, tenant]) await signs(provider, url, owner, agreement, person)
    },
    step: ({ owner, agreement }) => owner.get(`/agreements/${agreement.id}/document`),
    call: /\/pdf$/,
    heals: async (successor, world) => {
      await runJobs(successor.deps)
      await runJobs(successor.deps)
      expect(await countEntries(successor, world, 'document_stored')).toBe(2)
      const headers = { authorization: `Bearer ${world.owner.token}` }
      const answer = await fetch(`${successor.url}/agreements/${world.agreement.id}/document`, { headers })
      expect([answer.status, await answer.text()]).toEqual([200, signedPdf(findLastRequest(world).id)])
    },
  },
  'an expired signature is being asked about: the party is asked anew': {
    before: async ({ owner, agreement, tenant }) => {
      const { data } = await start(owner, agreement, tenant)
      provider.becomes(data.signature_id, { errCode: 'session_expired' })
    },
    step: world => {
      const news = { errCode: 'document_already_signed' }
      return provider.webhook(world.url, provider.news('ESIGN_FAILED', findLastRequest(world), news))
    },
    call: /^GET \/api\/esign\/[^/]+$/,
    heals: async (successor, world) => {
      successor.skipMinutes(80 * 60)
      await runJobs(successor.deps)
      expect(await getStatus(successor, world)).toBe('PENDING')
      await signByBoth(successor, world)
      await expectActiveOnce(successor, world)
    },
  },
  'an identity check was made: the next start makes another': {
    before: completeProfile,
    step: ({ owner }) => owner.post('/profile/ekyc', {}),
    call: /^POST \/api\/ekyc\/$/,
    heals: async (successor, { owner }) => {
      successor.skipMinutes(2)
      const user = atServer(successor, owner)
      const { verification_id } = (await user.post('/profile/ekyc', {})).data
      const { data } = await user.post('/profile/ekyc/complete', { verification_id })
      expect(data.user.has_verified_profile).toBe(true)
    },
  },
  'an identity check is being asked about: a job asks again': {
    before: async world => {
      await completeProfile(world)
      await world.owner.post('/profile/ekyc', {})
    },
    step: async ({ owner }) => {
      const { verification_id } = (await owner.post('/profile/ekyc', {})).data
      return owner.post('/profile/ekyc/complete', { verification_id })
    },
    call: /^GET \/api\/ekyc\//,
    heals: async (successor, { owner }) => {
      successor.skipMinutes(6)
      await runJobs(successor.deps)
      expect((await atServer(successor, owner).get('/auth/me')).data.status).toBe('LOGIN_SUCCESSFUL')
    },
  },
}

test.each(Object.entries(points))('killed when %s', async (_, { before, step, call, heals }) => {
  await using database = await openFreshDatabase()
  const victim = serverProcess({ ...env, DATABASE_URL: database.url }, constants)
  await victim.listening
  const url = `http://127.0.0.1:${getPort(victim)}`
  const [owner, tenant] = [await signInUser(url), await signInUser(url)]
  const { agreement } = await createDraft(owner, [tenant])
  const world = { owner, tenant, agreement, url }
  await before?.(world)

  const neverAnswered = new Promise<never>(() => {})
  fatal = called => (call.test(called) ? victim.end('SIGKILL').then(() => neverAnswered) : undefined)
  provider.replies.after = ({ method, path }) => fatal?.(`${method} ${path}`)
  const outcome = step(world).then(
    () => 'answered',
    () => 'lost',
  )
  expect(await outcome).toBe('lost')
  fatal = undefined

  await using successor = await startSuccessor(database.url)
  await heals(successor, world)
})

import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase, getKysely } from '../../../db/database'
import { readConfig } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { startServer } from '../../../server/process/server'
import { freshDatabase } from '../../support/database'
import { atServer, createDraft, signInUser } from '../../support/users'
import { runJobs } from '../../support/jobs'
import { signedPdf, signingProvider, signs, signsAt, start } from '../../server/agreements/signing/provider'

const root = join(import.meta.dir, '../../..')
const MINUTE = 60_000
const provider = signingProvider()
const { PUBLIC_URL: _, ...account } = provider.env
/** An eKYC provider whose checks succeed. */
const ekyc = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async request => {
    const { pathname } = new URL(request.url)
    const id = pathname.split('/')[3] || crypto.randomUUID()
    return (
      (await fatal?.(`${request.method} ${pathname}`)) ??
      Response.json(
        {
          id,
          status: request.method === 'POST' ? 'CREATED' : 'SUCCESS',
          kycURL: 'https://kyc.example.com',
          data:
            request.method === 'POST'
              ? null
              : { aadhaar: { name: 'Asha Rao', aadhaarNumber: 'XXXXXXXX1234' } },
        },
        { status: request.method === 'POST' ? 201 : 200 },
      )
    )
  },
})
let fatal: ((called: string) => Promise<never> | undefined) | undefined
const env = {
  EKYC_API_URL: `http://127.0.0.1:${ekyc.port}`,
  EKYC_CLIENT_ID: 'client',
  EKYC_CLIENT_SECRET: 'hush',
  EKYC_PRODUCT_INSTANCE_ID: 'product',
  ...account,
  NODE_ENV: 'test',
  PORT: '0',
  HOST: '127.0.0.1',
  RUN_JOBS: 'false',
  LOG_LEVEL: 'info',
  JWT_SECRET: 'a secret that only this test knows, of more than 32 bytes',
  PROVIDER_RETRIES: '0',
  PROVIDER_TIMEOUT_MS: '3000',
  PROVIDER_TOTAL_TIMEOUT_MS: '3000',
}
const children = new Set<Bun.Subprocess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  return ekyc.stop(true)
})

/** The server as a process of its own, to be killed. */
async function victim(DATABASE_URL: string) {
  const child = Bun.spawn([process.execPath, 'server/index.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env, DATABASE_URL },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  children.add(child)
  let output = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk
    const url = /Kiraya listens on (\S+?)"/.exec(output)?.[1]
    if (url) return { url, kill: () => void child.kill('SIGKILL'), dead: child.exited }
  }
  throw new Error(`The server ended: ${output}`)
}

/** Its successor on the same database, within this process and with a clock of its own. */
async function successor(DATABASE_URL: string) {
  let ahead = 0
  const orm = openDatabase(DATABASE_URL)
  const config = readConfig({ ...env, DATABASE_URL })
  const serving = startServer(config, orm, createLog('silent', false), {
    now: () => new Date(Date.now() + ahead),
  })
  await serving.ready
  return {
    ...serving,
    later: (minutes: number) => void (ahead += minutes * MINUTE),
    db: () => getKysely(orm),
  }
}
type Successor = Awaited<ReturnType<typeof successor>>
type World = Awaited<ReturnType<typeof drawnUp>>

async function drawnUp(url: string) {
  const owner = await signInUser(url)
  const tenant = await signInUser(url)
  const { agreement } = await createDraft(owner, [tenant])
  return { owner, tenant, agreement, url }
}
const getStatus = async (it: Successor, { owner, agreement }: World) =>
  (await atServer(it, owner).call('GET', `/agreements/${agreement.id}`)).body.data.status as string
const listEvents = async (it: Successor, { owner, agreement }: World) => {
  const { events, intact } = (await atServer(it, owner).call('GET', `/agreements/${agreement.id}/timeline`))
    .body.data
  expect(intact).toBe(true)
  return events.map(({ type }: { type: string }) => type) as string[]
}

const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
type Point = {
  /** Before: what has happened when the fatal step begins. */
  before?: (world: World) => Promise<unknown>
  /** The step whose call to the provider has taken effect there when the server dies. */
  step: (world: World) => Promise<unknown>
  call: RegExp
  heals: (it: Successor, world: World) => Promise<void>
}

const oneActive = async (it: Successor, world: World) => {
  expect(await getStatus(it, world)).toBe('ACTIVE')
  expect((await listEvents(it, world)).filter(type => type === 'activated')).toEqual(['activated'])
}

/** Each moment between "the provider was called" and "its answer is stored". */
const points: Record<string, Point> = {
  'a request was made, its answer is not stored: the party is asked again, and the orphan is cancelled when it is heard of':
    {
      step: ({ owner, agreement, tenant }) => start(owner, agreement, tenant),
      call: /^POST \/api\/esign$/,
      heals: async (it, world) => {
        const { owner, agreement, tenant } = world
        const orphan = [...provider.kept.values()].findLast(
          ({ signer }) => signer.identifier === tenant.phone,
        )!
        expect(await getStatus(it, world)).toBe('DRAFT')
        it.later(2)
        for (const person of [tenant, owner])
          await signs(provider, it.url, atServer(it, owner), agreement, person)
        await oneActive(it, world)
        expect(orphan.cancelled).toBe(false)
        await provider.webhook(it.url, provider.news('ESIGN_REQUEST_CREATED', orphan))
        expect(orphan.cancelled).toBe(true)
      },
    },
  'the last signature was told of, the reading back is not answered: the stored webhook is acted upon by a job':
    {
      before: ({ owner, agreement, url }) => signs(provider, url, owner, agreement, owner),
      step: async ({ owner, agreement, tenant, url }) =>
        signsAt(provider, url, (await start(owner, agreement, tenant)).body.data.signature_id),
      call: /^GET \/api\/esign\/[^/]+$/,
      heals: async (it, world) => {
        expect(await getStatus(it, world)).toBe('PENDING')
        it.later(2)
        await runJobs(it.deps)
        await oneActive(it, world)
      },
    },
  'a terminated agreement is being cancelled at the provider: a job finds it gone or tells the provider again':
    {
      before: ({ owner, agreement, tenant }) => start(owner, agreement, tenant),
      step: ({ owner, agreement }) => owner.call('POST', `/agreements/${agreement.id}/terminate`, {}),
      call: /delete\/$/,
      heals: async (it, world) => {
        expect(await getStatus(it, world)).toBe('TERMINATED')
        expect((await it.db().selectFrom('signing_cancellations').selectAll().execute()).length).toBe(1)
        it.later(2)
        await runJobs(it.deps)
        expect([
          [...provider.kept.values()].findLast(({ signer }) => signer.identifier === world.tenant.phone)!
            .cancelled,
          await it.db().selectFrom('signing_cancellations').selectAll().execute(),
        ]).toEqual([true, []])
      },
    },
  'the signed document is being fetched: a job fetches it, and it is kept once': {
    before: async ({ owner, agreement, tenant, url }) => {
      for (const person of [owner, tenant]) await signs(provider, url, owner, agreement, person)
    },
    step: ({ owner, agreement }) => owner.call('GET', `/agreements/${agreement.id}/document`),
    call: /\/pdf$/,
    heals: async (it, world) => {
      await runJobs(it.deps)
      await runJobs(it.deps)
      expect((await listEvents(it, world)).filter(type => type === 'document_stored').length).toBe(2)
      const answer = await fetch(`${it.url}/agreements/${world.agreement.id}/document`, {
        headers: { authorization: `Bearer ${world.owner.token}` },
      })
      const last = [...provider.kept.values()].findLast(
        ({ signer }) => signer.identifier === world.tenant.phone,
      )!
      expect([answer.status, await answer.text()]).toEqual([200, signedPdf(last.id)])
    },
  },
  'an expired signature is being asked about: the party is asked anew': {
    before: ({ owner, agreement, tenant }) =>
      start(owner, agreement, tenant).then(({ body }) =>
        provider.becomes(body.data.signature_id, { errCode: 'session_expired' }),
      ),
    step: async ({ tenant, url }) =>
      provider.webhook(
        url,
        provider.news(
          'ESIGN_FAILED',
          [...provider.kept.values()].findLast(({ signer }) => signer.identifier === tenant.phone)!,
          { errCode: 'document_already_signed' },
        ),
      ),
    call: /^GET \/api\/esign\/[^/]+$/,
    heals: async (it, world) => {
      it.later(80 * 60)
      await runJobs(it.deps)
      expect(await getStatus(it, world)).toBe('PENDING')
      const { owner, agreement, tenant } = world
      for (const person of [tenant, owner])
        await signs(provider, it.url, atServer(it, owner), agreement, person)
      await oneActive(it, world)
    },
  },
  'an identity check was made, its answer is not stored: the next start makes another': {
    before: ({ owner }) => owner.call('PUT', '/profile/complete', profile),
    step: ({ owner }) => owner.call('POST', '/profile/ekyc', {}),
    call: /^POST \/api\/ekyc\/$/,
    heals: async (it, { owner }) => {
      it.later(2)
      const {
        body: {
          data: { verification_id },
        },
      } = await atServer(it, owner).call('POST', '/profile/ekyc', {})
      expect(
        (await atServer(it, owner).call('POST', '/profile/ekyc/complete', { verification_id })).body.data.user
          .has_verified_profile,
      ).toBe(true)
    },
  },
  'an identity check is being asked about: a job asks again': {
    before: async ({ owner }) => {
      await owner.call('PUT', '/profile/complete', profile)
      await owner.call('POST', '/profile/ekyc', {})
    },
    step: async ({ owner }) =>
      owner.call('POST', '/profile/ekyc/complete', {
        verification_id: (await owner.call('POST', '/profile/ekyc', {})).body.data.verification_id,
      }),
    call: /^GET \/api\/ekyc\//,
    heals: async (it, { owner }) => {
      it.later(6)
      await runJobs(it.deps)
      expect((await atServer(it, owner).call('GET', '/auth/me')).body.data.status).toBe('LOGIN_SUCCESSFUL')
    },
  },
}

for (const [name, { before, step, call, heals }] of Object.entries(points)) {
  test(
    name,
    async () => {
      const database = await freshDatabase()
      let it: Successor | undefined
      try {
        const server = await victim(database.url)
        const world = await drawnUp(server.url)
        const path = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
        await before?.(world)
        fatal = called => {
          if (!call.test(called)) return undefined
          server.kill()
          return server.dead.then(() => new Promise<never>(() => {}))
        }
        provider.replies.after = called => fatal?.(path(called))
        expect(
          await step(world).then(
            () => 'answered',
            () => 'lost',
          ),
        ).toBe('lost')
        await server.dead
        fatal = undefined
        it = await successor(database.url)
        await heals(it, world)
      } finally {
        await it?.stop()
        await database.drop()
      }
    },
    30_000,
  )
}

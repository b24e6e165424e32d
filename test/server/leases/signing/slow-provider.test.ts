import { afterEach, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { Deps } from '../../../../server/deps'
import { testServer } from '../../../support/server'
import { completeSigning, createDraft, createPendingAgreement, signInUser } from '../../../support/users'

const server = testServer()
const silent = () => new Promise<never>(() => {})
let signing: Deps['signing']
beforeAll(() => void ({ signing } = server.deps))
afterEach(() => void Object.assign(server.deps, { signing }))

async function createPending() {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createPendingAgreement(owner, [tenant])
  await tenant.post(`${path}/sign`, { signer_id: tenant.id })
  // From now on the provider answers nothing.
  Object.assign(server.deps, { signing: { ...signing, status: silent, cancel: silent } })
  return { owner, tenant, agreement, path }
}

// Each of these would wait for the provider for ever.
test.each([
  ['termination', 'TERMINATED'],
  ['refusal', 'declined'],
])('200: a %s does not wait for a silent provider, which is asked again later', async (what, end) => {
  const { owner, tenant, agreement, path } = await createPending()

  const { status, data } =
    what === 'refusal' ? await tenant.post(`${path}/decline`) : await owner.post(`${path}/terminate`)

  expect([status, data.status]).toEqual([200, end])
  const cancellations = server.db.selectFrom('signing_cancellations')
  const own = cancellations.where('agreement_id', '=', agreement.id).selectAll()
  expect(await own.execute()).toHaveLength(1)
})

test('200: reads of a user do not wait for signings of this user that a silent provider holds', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const drafts = await Promise.all(Array.from({ length: 4 }, () => createDraft(owner, [tenant])))
  const released = Promise.withResolvers<never>()
  let asked = 0
  const initiate = () => {
    asked++
    return released.promise
  }
  Object.assign(server.deps, { signing: { ...signing, initiate } })
  const signings = drafts.map(({ path }) => owner.post(`${path}/sign`, { signer_id: owner.id }))
  while (asked < drafts.length) await Bun.sleep(5)

  expect((await owner.get('/agreements')).status).toBe(200)
  released.reject(new Error('No answer'))
  await Promise.all(signings)
})

const countOpenTransactions = async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(server.db)
  return rows[0]!.count
}

test('no transaction is open during a call to the provider, and a lease lasts for a call and 15 s', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createDraft(owner, [tenant])
  const seen: [call: string, transactions: number][] = []
  const leasesMs: number[] = []
  const watch = <Call extends 'initiate' | 'status' | 'cancel' | 'download'>(call: Call) => {
    const run = signing[call] as (...args: unknown[]) => Promise<unknown>
    return async (...args: unknown[]) => {
      seen.push([call, await countOpenTransactions()])
      if (call === 'initiate') leasesMs.push(...(await listLeases(agreement.id)))
      // To draw the sandbox's document takes long, and is not the point.
      return call === 'download' ? Buffer.from('%PDF-') : run(...args)
    }
  }
  const calls = ['initiate', 'status', 'cancel', 'download'] as const
  const watched = Object.fromEntries(calls.map(call => [call, watch(call)]))
  Object.assign(server.deps, { signing: { ...signing, ...watched } })

  const { data } = await owner.post(`${path}/sign`, { signer_id: tenant.id })
  await owner.post(`${path}/signatures/${data.signature_id}/cancel`)
  for (const { id } of [owner, tenant]) await completeSigning(owner, agreement.id, id)
  expect((await owner.get(`${path}/document`)).status).toBe(200)

  expect([...new Set(seen.map(([call]) => call))].toSorted()).toEqual(calls.toSorted())
  expect(seen.filter(([, transactions]) => transactions > 0)).toEqual([])
  // Both times are read from the clock, so a millisecond may lie between them.
  expect(Math.round(leasesMs[0]! / 1000)).toBe(server.deps.config.PROVIDER_TOTAL_TIMEOUT_MS / 1000 + 15)
})

/** For how long signatures that have no request yet are leased. */
async function listLeases(agreementId: number) {
  const leased = await server.db
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreementId)
    .where('provider_request_id', 'is', null)
    .select(['created_at', 'expires_at'])
    .execute()
  return leased.map(each => new Date(each.expires_at).getTime() - new Date(each.created_at).getTime())
}

import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { endTenures } from '../../../server/leases/agreements/tenures'
import { clock, testServer } from '../../support/server'
import { createDraft, signInUser, type TestUser } from '../../support/users'
import { interrupt, lockRow } from '../../support/locks'
import { DAY_MS } from './durations'

const time = clock(new Date('2027-01-31T06:00:00Z'))
const server = testServer({ overrides: { now: time.now } })

/** A lease of December 2026 that renews itself by a month, and what became of it. */
async function createEndedLease() {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const draft = await createDraft(owner, [tenant], { tenure_in_months: 1, auto_renew: true })
  await setStatus(draft.agreement.id, 'ACTIVE')
  return { owner, tenant, ...draft }
}

const setStatus = (id: number, status: 'ACTIVE' | 'PENDING', dates: Record<string, string> = {}) =>
  server.db
    .updateTable('agreements')
    .set({ status, ...dates })
    .where('id', '=', id)
    .execute()

const readLease = (id: number) =>
  server.db
    .selectFrom('agreements')
    .where('id', '=', id)
    .select(['status', sql<string>`agreement_end_date::text`.as('end')])
    .executeTakeFirstOrThrow()

const countEntries = async (id: number) => {
  const rows = await server.db
    .selectFrom('timeline_entries')
    .where('agreement_id', '=', id)
    .where('type', 'in', ['renewed', 'ended'])
    .select('type')
    .execute()
  return rows.map(({ type }) => type)
}

/** Another agreement of the unit, which is being signed. */
async function createNext({ owner, tenant, unit }: Lease, start: string) {
  const { data } = await owner.post('/agreements', {
    ...(await readTerms(owner)),
    property_unit_id: unit.id,
    tenant_ids: [tenant.id],
    agreement_start_date: start,
  })
  await setStatus(data.id, 'PENDING')
}
type Lease = Awaited<ReturnType<typeof createEndedLease>>

async function readTerms(owner: TestUser) {
  const { data } = await owner.get('/agreements')
  const { document_url, tenure_in_months, rent_amount, rent_due_day, notice_period_days } = data[0]
  return { document_url, tenure_in_months, rent_amount, rent_due_day, notice_period_days }
}

test('a renewal whose last day is today is enough, on that day; later it is renewed as often as needed', async () => {
  const { agreement } = await createEndedLease()

  for (const _ of [1, 2]) await endTenures(server.deps)
  expect(await readLease(agreement.id)).toEqual({ status: 'ACTIVE', end: '2027-01-31' })

  time.advance(60 * DAY_MS)
  for (const _ of [1, 2]) await endTenures(server.deps)
  time.advance(-60 * DAY_MS)
  expect(await readLease(agreement.id)).toEqual({ status: 'ACTIVE', end: '2027-04-30' })
  expect(await countEntries(agreement.id)).toEqual(['renewed', 'renewed'])
})

test('ACTIVE becomes TERMINATED on the day after its last one, in India, and frees the unit', async () => {
  const { owner, agreement, property, unit } = await createEndedLease()
  const change = { auto_renew: false, agreement_end_date: '2027-01-31' }
  await server.db.updateTable('agreements').set(change).where('id', '=', agreement.id).execute()
  const untilMidnightMs = Date.parse('2027-01-31T18:30:00Z') - time.now().getTime()
  const endAfter = async (ms: number) => {
    time.advance(ms)
    await endTenures(server.deps)
    time.advance(-ms)
    return (await readLease(agreement.id)).status
  }

  expect([await endAfter(untilMidnightMs - 1), await endAfter(untilMidnightMs)]).toEqual([
    'ACTIVE',
    'TERMINATED',
  ])

  expect((await owner.get(`/agreements/${agreement.id}`)).data.termination_date).toBe('2027-01-31')
  expect((await owner.get(`/properties/${property.id}/units/${unit.id}`)).data.is_available).toBe(true)
})

test.each([
  ['renewed', true, '2027-01-31', 'renewed'],
  ['ended', false, '2026-12-31', 'terminated'],
] as const)(
  'a lease that is %s says so in its timeline and the log',
  async (type, auto_renew, end, ended) => {
    const { owner, agreement } = await createEndedLease()
    await server.db.updateTable('agreements').set({ auto_renew }).where('id', '=', agreement.id).execute()
    const logged: unknown[] = []
    const log = { ...server.deps.log, info: (...line: unknown[]) => void logged.push(line[0]) }

    await endTenures({ ...server.deps, log })

    const { data } = await owner.get(`/agreements/${agreement.id}/timeline`)
    expect(data.entries.at(-1)).toMatchObject({ type, actor_id: null, details: { agreement_end_date: end } })
    expect(logged).toContainEqual({ agreement: agreement.id, ended })
  },
)

test('a lease is not terminated because its renewal failed for another reason', async () => {
  const { agreement } = await createEndedLease()
  const constraint = sql.ref('no_renewal_for_now')
  await sql`
    alter table agreements add constraint ${constraint} check (agreement_end_date < '2027-01-15') not valid`.execute(
    server.db,
  )
  await expect(endTenures(server.deps)).rejects.toThrow('The job failed for')
  await sql`alter table agreements drop constraint ${constraint}`.execute(server.db)

  expect(await readLease(agreement.id)).toEqual({ status: 'ACTIVE', end: '2026-12-31' })
})

test('two instances that renew at once renew once', async () => {
  const { agreement } = await createEndedLease()

  await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start: () => Promise.all([endTenures(server.deps), endTenures(server.deps)]),
    waitingCount: 2,
  })

  expect(await readLease(agreement.id)).toEqual({ status: 'ACTIVE', end: '2027-01-31' })
  expect(await countEntries(agreement.id)).toEqual(['renewed'])
})

test.each([
  ['on the last day of the renewal ends the first', '2027-01-31', 'TERMINATED', '2026-12-31', 'ended'],
  ['on the day after the renewal does not', '2027-02-01', 'ACTIVE', '2027-01-31', 'renewed'],
])('another lease that begins %s', async (_, start, status, end, entry) => {
  const lease = await createEndedLease()
  await createNext(lease, start)

  await endTenures(server.deps)

  expect(await readLease(lease.agreement.id)).toEqual({ status, end } as never)
  expect(await countEntries(lease.agreement.id)).toEqual([entry] as never)
})

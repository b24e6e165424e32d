import { describe, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { endTenures } from '../../../server/jobs/end-tenures'
import { clock, testServer } from '../../support/server'
import { createDraft, signInUser, type TestUser } from '../../support/users'
import { waitUntil } from '../../support/round'

const time = clock(new Date('2027-01-31T06:00:00Z'))
const server = testServer({ overrides: { now: time.now }, poolSize: 10 })
const db = () => getKysely(server.em())

/** A lease of December 2026 that renews itself by a month, and what became of it. */
async function createEndedLease() {
  const owner = await signInUser(server)
  const tenant = await signInUser(server)
  const draft = await createDraft(owner, [tenant], { tenure_in_months: 1, auto_renew: true })
  await setStatus(draft.agreement.id, 'ACTIVE')
  return { owner, tenant, ...draft }
}

const setStatus = (id: number, status: 'ACTIVE' | 'PENDING', dates: Record<string, string> = {}) =>
  db()
    .updateTable('agreements')
    .set({ status, ...dates })
    .where('id', '=', id)
    .execute()

const readLease = (id: number) =>
  db()
    .selectFrom('agreements')
    .where('id', '=', id)
    .select(['status', sql<string>`agreement_end_date::text`.as('end')])
    .executeTakeFirstOrThrow()

const countEvents = async (id: number) => {
  const rows = await db()
    .selectFrom('agreement_events')
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

test('a renewal whose last day is today is enough', async () => {
  const { agreement } = await createEndedLease()

  await endTenures(server.deps)

  expect(await readLease(agreement.id)).toEqual({ status: 'ACTIVE', end: '2027-01-31' })
})

test.each([
  ['renewed', true, '2027-01-31', 'renewed'],
  ['ended', false, '2026-12-31', 'terminated'],
] as const)(
  'a lease that is %s says so in its timeline and the log',
  async (type, auto_renew, end, ended) => {
    const { owner, agreement } = await createEndedLease()
    await db().updateTable('agreements').set({ auto_renew }).where('id', '=', agreement.id).execute()
    const logged: unknown[] = []
    const log = { ...server.deps.log, info: (...line: unknown[]) => void logged.push(line[0]) }

    await endTenures({ ...server.deps, log })

    const { data } = await owner.get(`/agreements/${agreement.id}/timeline`)
    expect(data.events.at(-1)).toMatchObject({ type, actor_id: null, details: { agreement_end_date: end } })
    expect(logged).toContainEqual({ agreement: agreement.id, ended })
  },
)

test('a lease is not terminated because its renewal failed for another reason', async () => {
  const { agreement } = await createEndedLease()
  const constraint = sql.ref('no_renewal_for_now')
  await sql`
    alter table agreements add constraint ${constraint} check (agreement_end_date < '2027-01-15') not valid`.execute(
    db(),
  )
  await expect(endTenures(server.deps)).rejects.toThrow('The job failed for')
  await sql`alter table agreements drop constraint ${constraint}`.execute(db())

  expect(await readLease(agreement.id)).toEqual({ status: 'ACTIVE', end: '2026-12-31' })
})

test('a lease is not ended on its last day', async () => {
  const { agreement } = await createEndedLease()
  await setStatus(agreement.id, 'ACTIVE', { agreement_end_date: '2027-01-31' })

  await endTenures(server.deps)

  expect(await readLease(agreement.id)).toEqual({ status: 'ACTIVE', end: '2027-01-31' })
  expect(await countEvents(agreement.id)).toEqual([])
})

test('two instances that renew at once renew once', async () => {
  const { agreement } = await createEndedLease()
  const { promise: bothWait, resolve: release } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const lock = server.deps.db.transactional(async em => {
    await sql`select 1 from agreements where id = ${agreement.id} for update`.execute(getKysely(em))
    locked.resolve()
    await bothWait
  })
  await locked.promise

  const runs = Promise.all([endTenures(server.deps), endTenures(server.deps)])
  await waitUntil(async () => (await countLockWaits()) === 2, 'both runs wait for the lease')
  release()
  await Promise.all([lock, runs])

  expect(await readLease(agreement.id)).toEqual({ status: 'ACTIVE', end: '2027-01-31' })
  expect(await countEvents(agreement.id)).toEqual(['renewed'])
})

async function countLockWaits() {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db())
  return rows[0]!.count
}

describe('another lease that begins', () => {
  test.each([
    ['on the last day of the renewal ends the first', '2027-01-31', 'TERMINATED', '2026-12-31', 'ended'],
    ['on the day after the renewal does not', '2027-02-01', 'ACTIVE', '2027-01-31', 'renewed'],
  ])('%s', async (_, start, status, end, event) => {
    const lease = await createEndedLease()
    await createNext(lease, start)

    await endTenures(server.deps)

    expect(await readLease(lease.agreement.id)).toEqual({ status, end } as never)
    expect(await countEvents(lease.agreement.id)).toEqual([event] as never)
  })
})

import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { endTenures } from '../../../server/leases/agreements/tenures'
import { runForEachAgreement } from '../../../server/domain/isolation'
import { postCharges } from '../../../server/books/charges/daily-posting'
import { lockRow, workBeside } from '../../support/locks'
import {
  createLease,
  listCharges,
  startBooksServer,
  type BooksServer,
} from '../../support/books/lease-fixture'

/** Has the database refuse each change of one table for an agreement, as an overflow does. */
async function breakAgreement(server: BooksServer, table: 'charges' | 'agreements', id: number) {
  const key = sql.ref(table === 'agreements' ? 'id' : 'agreement_id')
  const database = server.db
  await sql`create function overflow() returns trigger language plpgsql as $$
    begin raise exception 'overflow' using errcode = '22003'; end $$`.execute(database)
  await sql`create trigger overflow before insert or update on ${sql.table(table)} for each row
    when (new.${key} = ${sql.lit(id)}) execute function overflow()`.execute(database)
  return {
    [Symbol.asyncDispose]: async () => void (await sql`drop function overflow cascade`.execute(database)),
  }
}

/** The dependencies with a log that keeps the agreements of its errors, and its warnings. */
function withErrors({ deps }: BooksServer) {
  const failed: unknown[] = []
  const error: typeof deps.log.error = (...line) => {
    const [fields] = line
    if (typeof fields !== 'string') failed.push(fields.agreement)
  }
  const warnings: unknown[] = []
  const warn: typeof deps.log.warn = (...line) => void warnings.push(line.at(-1))
  return { failed, warnings, deps: { ...deps, log: { ...deps.log, error, warn } } }
}

test('a lease that cannot be posted stops no other, and the job fails at its end', async () => {
  await using server = await startBooksServer('2026-12-07')
  const [broken, other] = [await createLease(server), await createLease(server)]
  server.setDay('2026-12-29')
  {
    await using _ = await breakAgreement(server, 'charges', broken.agreement.id)
    const { deps, failed, warnings } = withErrors(server)
    await expect(postCharges(deps)).rejects.toThrow('The job failed for 1 agreements')
    expect(failed).toEqual([broken.agreement.id])
    expect(warnings).toEqual(['A batch of leases failed; each is posted alone'])
    expect(await listCharges(other)).toHaveLength(2)
    expect(await listCharges(broken)).toHaveLength(0)
  }

  await postCharges(server.deps)
  expect(await listCharges(broken)).toHaveLength(2)
})

test('a tenure that cannot be ended stops no other', async () => {
  await using server = await startBooksServer()
  const [broken, other] = [await createLease(server), await createLease(server)]
  await using _ = await breakAgreement(server, 'agreements', broken.agreement.id)
  server.setDay('2027-12-01')
  const { deps, failed } = withErrors(server)
  await expect(endTenures(deps)).rejects.toThrow('The job failed for 1 agreements')
  expect(failed).toEqual([broken.agreement.id])
  const landlord = await other.asLandlord()
  expect((await landlord.get(other.path)).data.status).toBe('TERMINATED')
})

test('a job stops at the first lease when the database cannot be reached', async () => {
  await using server = await startBooksServer()
  const { deps, failed } = withErrors(server)
  const unreachable = { ...deps, db: Object.create(deps.db, { em: { get: () => fail() } }) }
  const fail = () => {
    throw new Error('no connection')
  }
  await expect(runForEachAgreement(unreachable, [7, 8, 9], async () => fail())).rejects.toThrow()
  expect(failed).toEqual([7])
})

test('a lease that another change holds is left to the next run, and holds up no other', async () => {
  await using server = await startBooksServer('2026-12-07')
  const [held, other] = [await createLease(server), await createLease(server)]

  await workBeside(server, lockRow('agreements', held.agreement.id), () => server.goTo('2026-12-29'))

  expect([(await listCharges(held)).length, (await listCharges(other)).length]).toEqual([0, 2])

  await postCharges(server.deps)
  expect(await listCharges(held)).toHaveLength(2)
})

test('leases of more than a batch are posted, each once, however often the job runs', async () => {
  await using server = await startBooksServer('2026-12-07')
  const { agreement } = await createLease(server)
  await sql`
    with unit as (
      insert into property_units (property_id, unit_name, landlord_id, managed_by_id, created_at, updated_at)
      select property_id, 'copy', landlord_id, managed_by_id, created_at, updated_at
      from property_units, generate_series(1, 100) where id = ${agreement.property_unit_id}::int
      returning id
    ), lease as (
      insert into agreements (
        agreement_number, document_url, property_unit_id, landlord_id, agreement_start_date, agreement_end_date,
        tenure_in_months, rent_amount, rent_due_day, notice_period_days, status, signed_date, created_at, updated_at
      )
      select 'C' || unit.id, document_url, unit.id, landlord_id, agreement_start_date, agreement_end_date,
        tenure_in_months, rent_amount, rent_due_day, notice_period_days, 'ACTIVE', signed_date, created_at, updated_at
      from agreements, unit where agreements.id = ${agreement.id}::int
      returning id
    )
    insert into ledgers (agreement_id, starts_on, next_posting_on)
    select lease.id, starts_on, '2026-12-07' from ledgers, lease where agreement_id = ${agreement.id}::int`.execute(
    server.db,
  )
  server.setDay('2026-12-29')

  for (const _ of [1, 2]) await postCharges(server.deps)

  const { rows } = await sql`
    select count(*)::int as charges, count(distinct agreement_id)::int as leases, sum(amount)::int as rents from charges`.execute(
    server.db,
  )
  // 17 of 31 days of December, and January.
  expect(rows).toEqual([{ charges: 202, leases: 101, rents: Math.round(101 * (13709.68 + 25000)) }])
})

import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase } from '../../../db/database'
import { postCharges } from '../../../server/jobs/post-charges'
import { endTenures } from '../../../server/jobs/end-tenures'
import { createLease, startBooksServer, type BooksServer } from '../../support/books/lease-fixture'
import { fillFoundation } from '../../support/seed-rows'

type Open = { charges?: number; advances?: number }

/** ACTIVE leases from 1 December 2026 with their first rent, and so many open charges and advances more. */
async function createLeases(server: BooksServer, open: Open[]) {
  const orm = openDatabase(server.deps.db.url)
  await fillFoundation(orm, open.length)
  await sql`update agreements set status = 'ACTIVE', signed_date = '2026-11-20'`.execute(getKysely(orm))
  await orm.close()
  await postCharges(server.deps)
  for (const [index, { charges = 0, advances = 0 }] of open.entries()) {
    if (charges + advances === 0) continue
    await sql`
      insert into charges (agreement_id, property_unit_id, type, description, due_date, amount, source, posted_at)
      select id, property_unit_id, 'water', 'Water', '2027-10-01', 1, 'manual', now()
      from agreements, generate_series(1, ${charges}) where id = ${index + 1}`.execute(getKysely(server.em()))
    await sql`
      insert into payments (agreement_id, landlord_id, payer_id, amount, method, paid_on, status, unapplied_amount)
      select id, landlord_id, landlord_id, 1, 'upi', '2026-12-05', 'posted', 1
      from agreements, generate_series(1, ${advances}) where id = ${index + 1}`.execute(
      getKysely(server.em()),
    )
  }
}

/** The leases that each transaction posted. */
async function listBatches({ em }: BooksServer) {
  const { rows } = await sql<{ leases: number[] }>`
    select array_agg(agreement_id order by agreement_id) as leases from ledgers
    group by xmin::text order by min(agreement_id)`.execute(getKysely(em()))
  return rows.map(({ leases }) => leases)
}

test('leases are posted together as long as few charges and advances are open in them', async () => {
  await using server = await startBooksServer('2026-12-01')
  await createLeases(server, [
    { charges: 400 },
    { advances: 400 },
    { charges: 200, advances: 200 },
    { advances: 1200 },
    {},
    {},
  ])
  server.setDay('2026-12-29')

  await postCharges(server.deps)

  expect(await listBatches(server)).toEqual([[1, 2], [3], [4], [5, 6]])
  const { rows: posted } = await sql`
    select (select count(*)::int from charges where due_date = '2027-01-05') as rents,
      (select count(*)::int from payments where unapplied_amount > 0) as advances`.execute(
    getKysely(server.em()),
  )
  expect(posted).toEqual([{ rents: 6, advances: 0 }])
})

test('what the schedules of leases have to post counts as well: months that a renewed tenure brings', async () => {
  await using server = await startBooksServer('2026-12-01')
  const recurring_charges = Array.from({ length: 7 }, (_, index) => ({
    type: 'maintenance',
    description: `Item ${index}`,
    amount: 10,
  }))
  const terms = { agreement_start_date: '2021-12-01', tenure_in_months: 1, auto_renew: true }
  const long = { ...terms, recurring_charges }
  for (const lease of [long, terms, long]) await createLease(server, lease)
  await endTenures(server.deps)

  await postCharges(server.deps)

  expect(await listBatches(server)).toEqual([[1, 2], [3]])
  const { rows } = await sql`
    select count(*)::int as charges from charges group by agreement_id order by agreement_id`.execute(
    getKysely(server.em()),
  )
  // 61 months
  expect(rows).toEqual([{ charges: 488 }, { charges: 61 }, { charges: 488 }])
})

test('at most a thousand open entries, or two hundred leases, are posted together', async () => {
  await using server = await startBooksServer('2026-12-01')
  // Each has its first rent too, and posts its second one.
  const full = { charges: 498 }
  await createLeases(server, [full, full, ...Array.from({ length: 201 }, () => ({}))])
  server.setDay('2026-12-29')
  await postCharges(server.deps)
  expect((await listBatches(server)).map(({ length }) => length)).toEqual([2, 200, 1])
})

import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import {
  createLease,
  listCharges,
  startBooksServer,
  type BooksServer,
  type Lease,
} from '../../support/books/lease-fixture'

/** Takes the books of all leases away, as if an older version had activated them. */
async function removeBooks(server: BooksServer) {
  const db = getKysely(server.em())
  await sql`alter table journal_lines disable trigger user`.execute(db)
  await sql`alter table journals disable trigger user`.execute(db)
  await sql`truncate charges, journals, journal_lines, ledgers cascade`.execute(db)
}

test('books of older leases begin with the month, or with the lease if that is later', async () => {
  await using server = await startBooksServer('2026-10-20')
  const older = await createLease(server, { agreement_start_date: '2026-09-15' })
  const later = await createLease(server, { agreement_start_date: '2026-12-20' })
  await removeBooks(server)
  await server.goTo('2026-12-16')
  expect(await listCharges(older)).toEqual(['rent 2026-12-05 25000 25000 overdue'])
  // 12 of 31 days
  expect(await listCharges(later)).toEqual(['rent 2026-12-20 9677.42 9677.42 upcoming'])
  const readFirstDay = async ({ asLandlord, path }: Lease) =>
    (await (await asLandlord()).get(`${path}/statement`)).data.from
  expect([await readFirstDay(older), await readFirstDay(later)]).toEqual(['2026-12-01', '2026-12-20'])
})

test('a lease that another change holds is posted by the next run, and holds up no other', async () => {
  await using server = await startBooksServer('2026-12-07')
  const [held, other] = [await createLease(server), await createLease(server)]
  const { id } = held.agreement
  const released = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const change = server.em().transactional(async em => {
    await sql`select from agreements where id = ${id} for update`.execute(getKysely(em))
    locked.resolve()
    await released.promise
  })
  await locked.promise
  await server.goTo('2026-12-29').finally(released.resolve)
  await change
  expect([(await listCharges(held)).length, (await listCharges(other)).length]).toEqual([0, 2])
  await server.goTo('2026-12-30')
  expect(await listCharges(held)).toHaveLength(2)
})

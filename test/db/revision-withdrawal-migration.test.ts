import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase } from '../../db/database'
import { migrate } from '../../db/migrate'
import { createLease, startBooksServer } from '../support/books/lease-fixture'

test('a rent that was withdrawn is a declined one to older code, and withdrawn again on the way up', async () => {
  await using server = await startBooksServer('2026-12-01')
  const { landlord, path } = await createLease(server)
  for (const effective_on of ['2027-04-01', '2027-05-01'])
    await landlord.post(`${path}/rent-revisions`, { rent_amount: 30_000, effective_on })
  const { data } = await landlord.get(`${path}/rent-revisions?sort=id`)
  await landlord.post(`${path}/rent-revisions/${data[0].id}/withdraw`)
  const orm = openDatabase(server.deps.config.DATABASE_URL!)
  const db = getKysely(orm)
  const listStatuses = async () =>
    (await db.selectFrom('rent_revisions').orderBy('id').select('status').execute()).map(
      ({ status }) => status,
    )
  try {
    for (let round = 0; round < 2; round++) {
      await migrate(orm, '0016-positions')
      expect((await listStatuses()) as string[]).toEqual(['declined', 'proposed'])
      const withdraw = sql`update rent_revisions set status = 'withdrawn'`
      expect(withdraw.execute(db)).rejects.toThrow('rent_revisions_status_check')
      await migrate(orm)
      expect(await listStatuses()).toEqual(['withdrawn', 'proposed'])
    }
  } finally {
    await orm.close()
  }
})

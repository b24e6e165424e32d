import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase } from '../../db/database'
import { migrate } from '../../db/migrate'
import { OnlineMigration } from '../../db/migrations/online-migration'
import { freshDatabase } from '../support/database'

class Fragile extends OnlineMigration {
  override async up() {
    await this.runWithShortLock('select fail_once()')
  }
}

/** A database in which a step of a migration fails the first time. */
async function createFragileDatabase(sqlState: string) {
  const { url, drop } = await freshDatabase({ migrated: false })
  const orm = openDatabase(url, { migrations: [{ name: 'Fragile', class: Fragile }] })
  await sql`create sequence attempts`.execute(getKysely(orm))
  await sql`create function fail_once() returns void language plpgsql as ${sql.lit(
    `begin if nextval('attempts') = 1 then raise exception using errcode = '${sqlState}'; end if; end`,
  )}`.execute(getKysely(orm))
  return { orm, [Symbol.asyncDispose]: () => orm.close().then(drop) }
}

test.each([
  ['55P03', 'a lock that others hold'],
  ['40P01', 'a deadlock'],
])('%s: a step that fails on %s is tried again', async sqlState => {
  await using database = await createFragileDatabase(sqlState)
  expect(await migrate(database.orm)).toEqual(['Fragile'])
})

test('22012: a step that fails otherwise fails at once', async () => {
  await using database = await createFragileDatabase('22012')
  await expect(migrate(database.orm)).rejects.toMatchObject({ code: '22012' })
})

class Unique extends OnlineMigration {
  override async up() {
    await this.createIndex('letters_letter', 'unique letters (letter)')
  }
}

test('an index that could not be completed is replaced by the next attempt', async () => {
  const { url, drop } = await freshDatabase({ migrated: false })
  const orm = openDatabase(url, { migrations: [{ name: 'Unique', class: Unique }] })
  const db = getKysely(orm)
  await sql`create table letters as select 'a' as letter from generate_series(1, 2)`.execute(db)
  const findIndexes = async () =>
    (await sql`select indisvalid as is_valid from pg_index where indrelid = 'letters'::regclass`.execute(db))
      .rows

  await expect(migrate(orm)).rejects.toMatchObject({ code: '23505' })
  expect(await findIndexes()).toEqual([{ is_valid: false }])
  await sql`truncate letters`.execute(db)

  expect(await migrate(orm)).toEqual(['Unique'])
  expect(await findIndexes()).toEqual([{ is_valid: true }])
  await orm.close()
  await drop()
})

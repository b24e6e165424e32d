import { expect, test } from 'bun:test'
import { openDatabase } from '../../db/database'
import { UnsuitableDatabase, requireSuitablePostgres } from '../../db/version'
import { freshDatabase } from '../support/database'

/** Returns why a new database is refused, or undefined. */
async function findRefusal(locale = '', minimum?: number) {
  const fresh = await freshDatabase({ migrated: false, locale })
  const db = openDatabase(fresh.url)
  try {
    await requireSuitablePostgres(db, minimum)
    return undefined
  } catch (error) {
    expect(error).toBeInstanceOf(UnsuitableDatabase)
    return (error as Error).message
  } finally {
    await db.close()
    await fresh.drop()
  }
}

test('a PostgreSQL that is too old is refused with one sentence, and the oldest supported one is not', async () => {
  expect(await findRefusal()).toBeUndefined()
  expect(await findRefusal('', 99)).toMatch(/^The database needs PostgreSQL 99 or later; this is \d+\.\d+$/)
})

const LIBC_C = `locale_provider 'libc' lc_collate 'C' lc_ctype`

test.each([
  [`lc_ctype 'C'`, 'UTF8 and the LC_CTYPE C'],
  [`${LIBC_C} 'C' encoding 'LATIN1'`, 'LATIN1 and the LC_CTYPE C'],
  [`${LIBC_C} 'C' encoding 'SQL_ASCII'`, 'SQL_ASCII and the LC_CTYPE C'],
])('a database with %s is refused, and its sentence says how to create another', async (locale, found) => {
  expect(await findRefusal(locale)).toBe(
    `The database has the encoding ${found}, so it finds no names in India's scripts. ` +
      'Without DATABASE_URL, set another DATA_DIR; else create a database with: createdb ' +
      '--template=template0 --encoding=UTF8 --lc-collate=C --lc-ctype=C.UTF-8 kiraya',
  )
})

test('the database that the sentence creates is accepted', async () => {
  expect(await findRefusal(`encoding 'UTF8' ${LIBC_C} 'C.UTF-8'`)).toBeUndefined()
})

import { expect, test } from 'bun:test'
import { openDatabase } from '../../db/database'
import { UnsuitableDatabase, requirePostgresVersion } from '../../db/version'
import { freshDatabase } from '../support/database'

test('a PostgreSQL that is too old is refused with one sentence, and the oldest supported one is not', async () => {
  const fresh = await freshDatabase()
  const db = openDatabase(fresh.url)
  try {
    await requirePostgresVersion(db)
    await requirePostgresVersion(db, 18)
    const error = await requirePostgresVersion(db, 99).catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(UnsuitableDatabase)
    expect((error as Error).message).toMatch(/^The database needs PostgreSQL 99 or later; this is 18\.\d+$/)
  } finally {
    await db.close()
    await fresh.drop()
  }
})

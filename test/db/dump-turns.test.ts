import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { dump } from '../../db/backup/dump'
import { restore } from '../../db/backup/restore'
import type { Db } from '../../db/database'
import { SCHEMA_LOCK } from '../../db/migrate'
import { openFreshDatabase } from '../support/database'
import { interrupt } from '../support/locks'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'kiraya-turns-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Which locks of the schema other connections have, and whether a migration would get its own. */
async function getSchemaLocks(db: Db) {
  const { rows } = await sql<{ mode: string }>`
    select mode from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) + objid::bigint = ${sql.lit(SCHEMA_LOCK)}`.execute(db)
  const attempt = sql<{
    is_locked: boolean
  }>`select pg_try_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)}) as is_locked`
  const [migration] = (await attempt.execute(db)).rows
  return { modes: rows.map(({ mode }) => mode), canMigrate: migration!.is_locked }
}

const stopDumps = (db: Db) => sql`lock table webhook_deliveries in access exclusive mode`.execute(db)
const stopRestores = (db: Db) => sql`lock table webhook_deliveries in access share mode`.execute(db)

test('two dumps run at once, and a migration waits for both', async () => {
  await using database = await openFreshDatabase()
  const { url } = database
  let locks: unknown

  // The second dump reaches the table while the first one waits for it.
  const [first, second] = await interrupt(database, {
    lock: stopDumps,
    start: () => Promise.all([dump(url, join(folder, 'first')), dump(url, join(folder, 'second'))]),
    waitingCount: 2,
    meanwhile: async db => void (locks = await getSchemaLocks(db)),
  })

  expect(locks).toEqual({ modes: ['ShareLock', 'ShareLock'], canMigrate: false })
  expect(second).toEqual(first)
})

test('a restore has the schema for itself', async () => {
  await using source = await openFreshDatabase()
  await using target = await openFreshDatabase()
  const file = join(folder, 'restored')
  const dumped = await dump(source.url, file)
  let locks: unknown

  const restored = await interrupt(target, {
    lock: stopRestores,
    start: () => restore(target.url, file),
    meanwhile: async db => void (locks = await getSchemaLocks(db)),
  })

  expect(locks).toEqual({ modes: ['ExclusiveLock'], canMigrate: false })
  expect(restored).toEqual(dumped)
})

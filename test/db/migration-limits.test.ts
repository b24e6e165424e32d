import { expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase, type Db } from '../../db/database'
import { getAppliedMigrations, migrate, SCHEMA_LOCK, waitForSchemaLock } from '../../db/migrate'
import { OnlineMigration } from '../../db/migrations/online-migration'
import { waitUntil } from '../support/round'
import { freshDatabase } from '../support/database'

const MINUTE_MS = 60_000

/** Lets the time go on by itself, and at once when it is told. */
function movableTime() {
  const now = performance.now.bind(performance)
  let skippedMs = 0
  const spy = spyOn(performance, 'now').mockImplementation(() => now() + skippedMs)
  return { skip: (ms: number) => void (skippedMs += ms), [Symbol.dispose]: () => spy.mockRestore() }
}

class Changing extends OnlineMigration {
  override async up() {
    await this.execute('select pg_sleep(0.3)')
  }
  override async down() {
    await this.execute('select 1')
  }
}

async function openEmptyDatabase(migration: typeof Changing) {
  const { url, drop } = await freshDatabase({ migrated: false })
  const open = () => openDatabase(url, { poolSize: 1, migrations: [{ name: 'Only', class: migration }] })
  const opened = [open(), open(), open()] as const
  const end = async () => {
    await Promise.all(opened.map(each => each.close()))
    await drop()
  }
  return { opened, [Symbol.asyncDispose]: end }
}

async function countConnections(db: Db) {
  const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()`.execute(db)
  return rows.length
}

test('a step of a migration may take half an hour', async () => {
  await using database = await openEmptyDatabase(Changing)
  const [orm, watch] = database.opened
  using time = movableTime()
  const migrated = migrate(orm)
  const isSleeping = async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and query = 'select pg_sleep(0.3)'`.execute(getKysely(watch))
    return rows.length > 0
  }
  await waitUntil(isSleeping, 'the step of the migration')

  time.skip(30 * MINUTE_MS)

  expect(await migrated).toEqual(['Only'])
})

test('a migration gives its connections back', async () => {
  await using database = await openEmptyDatabase(Changing)
  const [orm] = database.opened

  expect(await migrate(orm)).toEqual(['Only'])

  // One without work would end by itself after 10 s.
  const isAlone = async () => (await countConnections(getKysely(orm))) === 1
  await waitUntil(isAlone, 'the end of the connections', 5000)
})

test('two that take all migrations back at once leave none', async () => {
  await using database = await openEmptyDatabase(Changing)
  const [one, two, holder] = database.opened
  await migrate(one)
  let taken: Promise<string[][]> | undefined
  await getKysely(holder)
    .transaction()
    .execute(async db => {
      await sql`select pg_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)})`.execute(db)
      taken = Promise.all([migrate(one, '0'), migrate(two, '0')])
      // Each has a connection to wait for the lock, beside its own and the holder's.
      const areWaiting = async () => (await countConnections(getKysely(one))) >= 5
      await waitUntil(areWaiting, 'two that wait for their turn')
    })

  expect((await taken!).toSorted()).toEqual([[], ['Only']])
  expect(await getAppliedMigrations(getKysely(one))).toEqual([])
})

test('who waits for the lock of the schema gives up after an hour', async () => {
  using time = movableTime()
  let attempts = 0
  const isTaken = async () => {
    attempts++
    time.skip(25 * MINUTE_MS)
    return false
  }

  await expect(waitForSchemaLock(isTaken)).rejects.toThrow('A migration or a dump has been under way')

  expect(attempts).toBe(3)
})

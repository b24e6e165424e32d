import { expect, spyOn, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { getKysely, openDatabase, type Database } from '../../db/database'
import { getAppliedMigrations, migrate, printBaseline, waitForSchemaLock } from '../../db/migrate'
import baseline from '../../db/migrations/0001-baseline.sql' with { type: 'text' }
import { migrations } from '../../db/migrations'
import { OnlineMigration } from '../../db/migrations/online-migration'
import { waitUntil } from '../support/round'
import { freshDatabase } from '../support/database'

const MINUTE_MS = 60_000

/** A database and connections to it that have these migrations. */
async function openFresh(migrations?: Record<string, () => OnlineMigration['up']>, migrated = false) {
  const { url, name, drop } = await freshDatabase({ migrated })
  const list = Object.entries(migrations ?? {}).map(([title, toUp]) => {
    class Only extends OnlineMigration {
      override up = toUp().bind(this)
    }
    return { name: title, class: Only }
  })
  const options = { poolSize: 1, ...(migrations && { migrations: list }) }
  const orms = [openDatabase(url, options), openDatabase(url, options)] as const
  const end = async () => {
    await Promise.all(orms.map(orm => orm.close()))
    await drop()
  }
  return { name, orms, orm: orms[0], db: getKysely(orms[0]), [Symbol.asyncDispose]: end }
}

/** An instance's migration that executes a statement. */
const toStep = (statement: string) =>
  async function (this: any) {
    await this.execute(statement)
  }

/** The statements that a new migration would begin with. */
async function findDifferences({ orm }: Database) {
  return (await orm.schema.getUpdateSchemaSQL()).replace("set names 'utf8';", '').trim()
}

test('the baseline is what `bun run db:migrate --baseline` prints from the entities', async () => {
  expect(baseline).toBe(await printBaseline())
})

test('the migrations create exactly the schema of the entities, and drop nothing of the jobs’', async () => {
  await using database = await openFresh(undefined, true)
  expect(await findDifferences(database.orm)).toBe('')

  await sql`create schema jobs`.execute(database.db)
  await sql`create table jobs.other as select id from users`.execute(database.db)
  expect(await findDifferences(database.orm)).toBe('')
})

test('instances that start together migrate once, and give their connections back', async () => {
  await using database = await openFresh({ Only: () => toStep('create table once (n int)') })
  const { orms, db } = database

  const applied = await Promise.all(orms.map(orm => migrate(orm)))

  expect(applied.toSorted()).toEqual([[], ['Only']])
  const countConnections = async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and application_name = 'kiraya'
    `.execute(db)
    return rows.length
  }
  // One without work would end by itself after 10 s.
  await waitUntil(async () => (await countConnections()) <= orms.length, 'the end of the connections', 5000)
  const written = ['.', `${import.meta.dir}/../../db/migrations`].flatMap(folder =>
    readdirSync(folder).filter(name => name.startsWith('.snapshot')),
  )
  expect(written).toEqual([])
})

test('a migration that fails keeps those before it', async () => {
  await using database = await openFresh({
    '2-first': () => toStep('create table first (n int)'),
    '1-second': () => toStep('not a statement'),
  })

  await expect(migrate(database.orm)).rejects.toThrow('syntax error')

  expect(await getAppliedMigrations(database.db)).toEqual(['2-first'])
})

test('a database of another baseline is refused, and stays as it is', async () => {
  await using database = await openFresh({
    '0001-baseline-0a1b2c3d4e5f': () => toStep('create table first (n int)'),
    '0002-checks': () => toStep('create table second (n int)'),
  })
  const before = await migrate(database.orm)
  const current = openDatabase(database.orm.url)

  await expect(migrate(current)).rejects.toThrow(
    `Another version of Kiraya has created the database (by 0001-baseline-0a1b2c3d4e5f; this version needs ${migrations[0]!.name})`,
  )

  await current.close()
  expect(await getAppliedMigrations(database.db)).toEqual(before)
})

test('a step of a migration may take an hour', async () => {
  await using database = await openFresh({ Only: () => toStep('create table once (n int)') })
  using timers = spyOn(globalThis, 'setTimeout')

  await migrate(database.orm)

  expect(timers.mock.calls.map(([, ms]) => ms)).toContain(60 * MINUTE_MS)
})

test('who waits for the lock of the schema gives up after an hour', async () => {
  let [attempts, skippedMs] = [0, 0]
  using _ = spyOn(performance, 'now').mockImplementation(() => skippedMs)
  const isTaken = async () => {
    attempts++
    skippedMs += 25 * MINUTE_MS
    return false
  }

  await expect(waitForSchemaLock(isTaken)).rejects.toThrow('A migration has been under way')

  expect(attempts).toBe(3)
})

test('a database that ends idle transactions does not end the one that holds the lock', async () => {
  await using database = await openFresh({ Slow: () => toStep('select pg_sleep(0.5)') })
  const name = sql.id(database.name)
  await sql`alter database ${name} set idle_in_transaction_session_timeout = 200`.execute(database.db)

  expect(await migrate(database.orm)).toEqual(['Slow'])
})

/** Makes an index while another instance is in the middle of its attempt to take the lock. */
async function makeIndex(this: any) {
  const attempt = `select 1 from pg_stat_activity where state = 'active' and datname = current_database()
    and query like '%pg_try_advisory_xact_lock%' and pid <> pg_backend_pid()`
  while ((await this.execute(attempt)).length === 0) await Bun.sleep(10)
  await this.createIndex('letters_letter', 'letters (letter)')
}

/** A vain attempt to take the lock ends when an index waits for it, or after five seconds. */
const slowAttempt = `begin
  if pg_catalog.pg_try_advisory_xact_lock($1) then return true; end if;
  for attempt in 1..500 loop
    exit when exists (select from pg_locks where locktype = 'virtualxid' and not granted);
    perform pg_sleep(0.01);
  end loop;
  return false;
end`

test('an instance that waits for its turn does not stop the index of the one that migrates', async () => {
  await using database = await openFresh({ Indexing: () => makeIndex })
  const { name, db, orms } = database
  await sql`create table letters (letter text)`.execute(db)
  await sql`create function pg_try_advisory_xact_lock(bigint) returns boolean language plpgsql
    as ${sql.lit(slowAttempt)}`.execute(db)
  await sql`alter database ${sql.id(name)} set search_path = public, pg_catalog`.execute(db)

  const applied = await Promise.all(orms.map(orm => migrate(orm)))

  expect(applied.toSorted()).toEqual([[], ['Indexing']])
}, 30_000)

import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase } from '../../db/database'
import { migrate } from '../../db/migrate'
import { OnlineMigration } from '../../db/migrations/online-migration'
import { freshDatabase } from '../support/database'

/** Makes an index while another instance is in the middle of its attempt to take the lock. */
class Indexing extends OnlineMigration {
  override async up() {
    const attempt = `select 1 from pg_stat_activity where state = 'active' and datname = current_database()
      and query like '%pg_try_advisory_xact_lock%' and pid <> pg_backend_pid()`
    while ((await this.execute(attempt)).length === 0) await Bun.sleep(10)
    await this.createIndex('letters_letter', 'letters (letter)')
  }
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

async function createDatabase() {
  const { url, name, drop } = await freshDatabase({ migrated: false })
  const open = () => openDatabase(url, { migrations: [{ name: 'Indexing', class: Indexing }] })
  const orms = [open(), open()]
  const db = getKysely(orms[0]!)
  await sql`create table letters (letter text)`.execute(db)
  await sql`create function pg_try_advisory_xact_lock(bigint) returns boolean language plpgsql
    as ${sql.lit(slowAttempt)}`.execute(db)
  await sql`alter database ${sql.id(name)} set search_path = public, pg_catalog`.execute(db)
  const end = async () => {
    await Promise.all(orms.map(orm => orm.close()))
    await drop()
  }
  return { orms, [Symbol.asyncDispose]: end }
}

test('an instance that waits for its turn does not stop the index of the one that migrates', async () => {
  await using database = await createDatabase()

  const applied = await Promise.all(database.orms.map(orm => migrate(orm)))

  expect(applied.toSorted()).toEqual([[], ['Indexing']])
}, 30_000)

/** Works longer than this database lets a transaction be idle, as the one that holds the lock is meanwhile. */
class Slow extends OnlineMigration {
  override async up() {
    await this.execute('select pg_sleep(1)')
  }
}

test('a database that ends idle transactions does not end the one that holds the lock', async () => {
  const { url, name, drop } = await freshDatabase({ migrated: false })
  const orm = openDatabase(url, { migrations: [{ name: 'Slow', class: Slow }] })
  try {
    const database = sql.id(name)
    await sql`alter database ${database} set idle_in_transaction_session_timeout = 200`.execute(
      getKysely(orm),
    )
    expect(await migrate(orm)).toEqual(['Slow'])
  } finally {
    await orm.close()
    await drop()
  }
}, 30_000)

import { sql } from 'kysely'
import { openDatabase, getKysely, type Db, type Database } from './database'
import { UnsuitableDatabase } from './version'

/** Instances that hold this lock migrate, one at a time. */
const SCHEMA_LOCK = 7046029254
const POLL_MS = 200
const HOUR_MS = 3_600_000

/**
 * Runs the migrations that the database lacks, and tells which. Instances that start together migrate one at
 * a time, and requests are served during it.
 * @throws {UnsuitableDatabase} The database is of a version before the first release.
 */
export async function migrate(database: Database): Promise<string[]> {
  const names = database.migrations.map(({ name }) => name)
  const isMigrated = async (db: Db) => {
    const applied = await getAppliedMigrations(db)
    requireSameBeginning(names, applied)
    return names.every(name => applied.includes(name))
  }
  if (await isMigrated(getKysely(database))) return []

  // Connections of its own: an index may take long to make.
  const patient = openDatabase(database.url, {
    poolSize: 2,
    limitMs: HOUR_MS,
    migrations: database.migrations,
  })
  let done: string[] = []
  const migrateAlone = async (held: Db) => {
    if (await isMigrated(held)) return
    const run = await patient.orm.migrator.up()
    done = run.map(({ name }) => name)
  }
  try {
    await waitForSchemaLock(() => tryWithSchemaLock(patient, migrateAlone))
    return done
  } finally {
    await patient.close()
  }
}

/** A database from before the first release has other migrations, which nothing converts. */
function requireSameBeginning([known]: string[], [first]: string[]) {
  if (first === undefined || first === known) return
  throw new UnsuitableDatabase(
    `The database is of a version before the first release (its first migration is ${first}), and cannot be ` +
      'converted. Use an empty one: another DATABASE_URL, or without one another DATA_DIR',
  )
}

/**
 * Works in a transaction that does nothing but hold the lock, as a pooler would keep no session for it; false
 * if others hold it. It sees nothing between its statements, and ends after a vain attempt: the holder may be
 * making an index, which waits for every transaction that it met in the middle of a statement.
 */
function tryWithSchemaLock(database: Database, work: (held: Db) => Promise<void>) {
  return getKysely(database)
    .transaction()
    .execute(async held => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(held)
      const isLocked = await locked(held)
      if (isLocked) await work(held)
      return isLocked
    })
}

/** Waits until `take` gets the lock, which keeps others out until its transaction ends. */
export async function waitForSchemaLock(take: () => Promise<boolean>) {
  for (const began = performance.now(); !(await take()); await Bun.sleep(POLL_MS))
    if (performance.now() - began > HOUR_MS) throw new Error('A migration has been under way for an hour')
}

const locked = async (db: Db) =>
  (
    await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)}) as taken`.execute(
      db,
    )
  ).rows[0]!.taken

/** The names of the migrations that a database has. */
export async function getAppliedMigrations(db: Db): Promise<string[]> {
  const {
    rows: [has],
  } = await sql<{ table: boolean }>`select to_regclass('mikro_orm_migrations') is not null as table`.execute(
    db,
  )
  return has?.table
    ? (await sql<{ name: string }>`select name from mikro_orm_migrations order by id`.execute(db)).rows.map(
        ({ name }) => name,
      )
    : []
}

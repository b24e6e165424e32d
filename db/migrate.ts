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
 * @throws {UnsuitableDatabase} Another baseline has created the database.
 */
export async function migrate(database: Database): Promise<string[]> {
  const names = database.migrations.map(({ name }) => name)
  const isMigrated = async (db: Db) => {
    const applied = await getAppliedMigrations(db)
    requireSameBaseline(names, applied)
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
  const migrateAlone = async (locked: Db) => {
    if (await isMigrated(locked)) return
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

/** The fingerprint in the name of the first migration tells whether the same baseline has created the tables. */
function requireSameBaseline([known]: string[], [first]: string[]) {
  if (first === undefined || first === known) return
  throw new UnsuitableDatabase(
    `Another version of Kiraya has created the database (by ${first}; this version needs ${known}), and nothing ` +
      'converts it. Use an empty one: another DATABASE_URL, or without one another DATA_DIR',
  )
}

/**
 * Works in a transaction that does nothing but hold the lock, as a pooler would keep no session for it; false
 * if others hold it. It sees nothing between its statements, and ends after a vain attempt: the holder may be
 * making an index, which waits for every transaction that it met in the middle of a statement.
 */
function tryWithSchemaLock(database: Database, work: (locked: Db) => Promise<void>) {
  return getKysely(database)
    .transaction()
    .execute(async locked => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(locked)
      const isLocked = await takeSchemaLock(locked)
      if (isLocked) await work(locked)
      return isLocked
    })
}

/** Waits until `take` gets the lock, which keeps others out until its transaction ends. */
export async function waitForSchemaLock(take: () => Promise<boolean>) {
  for (const began = performance.now(); !(await take()); await Bun.sleep(POLL_MS))
    if (performance.now() - began > HOUR_MS) throw new Error('A migration has been under way for an hour')
}

async function takeSchemaLock(db: Db) {
  const attempt = sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(SCHEMA_LOCK)}) as taken`
  const { rows } = await attempt.execute(db)
  return rows[0]!.taken
}

/** The names of the migrations that a database has. */
export async function getAppliedMigrations(db: Db): Promise<string[]> {
  const search = sql<{ found: boolean }>`select to_regclass('mikro_orm_migrations') is not null as found`
  const [table] = (await search.execute(db)).rows
  if (!table!.found) return []

  const { rows } = await sql<{ name: string }>`select name from mikro_orm_migrations order by id`.execute(db)
  return rows.map(({ name }) => name)
}

/** Prints the statements that create the tables of the entities. Connects to nothing. */
export async function printBaseline() {
  const database = openDatabase('postgresql://localhost')
  const statements = await database.orm.schema.getCreateSchemaSQL({ wrap: false })
  await database.close()
  const lines = statements.trim().replace(/\n+(?!create table)/g, '\n')
  return `-- Printed from the entities by \`bun run db:migrate --baseline\`.\n\n${lines}\n`
}

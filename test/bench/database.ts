import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Glob } from 'bun'
import { openDatabase } from '../../db/database'
import { startPostgres } from '../../db/embedded-postgres'
import { migrate } from '../../db/migrate'
import { fill } from './fill'

export type BenchDatabase = {
  url: string
  socket: string
  sql: Bun.SQL
  /** Undefined if the filled database is an earlier run's. */
  filledS: number | undefined
  end: () => Promise<void>
}

/** Keeps checkpoints out of measurements of seconds; what is durable stays so. */
const CHECKPOINT_SETTINGS = [`max_wal_size = '8GB'`, `checkpoint_timeout = '30min'`]

/** Starts a PostgreSQL for benchmarks, and copies the filled database of this scale, which the next run uses again. */
export async function openFilledDatabase(dataDir: string, owned: number): Promise<BenchDatabase> {
  const cluster = await startPostgres(dataDir)
  const socket = join(cluster.socket, '.s.PGSQL.5432')
  const toUrl = (database: string) =>
    `postgresql://kiraya@localhost/${database}?host=${encodeURIComponent(cluster.socket)}`
  const connect = (database: string, max = 1) => new Bun.SQL(toUrl(database), { max })
  const admin = connect('postgres')
  for (const setting of CHECKPOINT_SETTINGS) await admin.unsafe(`alter system set ${setting}`)
  await admin.unsafe('select pg_reload_conf()')

  const source = `filled_${owned}_${await getFillVersion()}`
  const hasSource = await dropOldDatabases(admin, owned, source)
  const filledS = hasSource ? undefined : await createFilled(admin, source, owned, connect, toUrl)
  const copy = `run_${process.pid}`
  await admin.unsafe(`create database "${copy}" template "${source}" strategy file_copy`)
  const sql = connect(copy, 2)
  const end = async () => {
    await sql.end()
    await admin.unsafe(`drop database "${copy}" with (force)`)
    await admin.end()
    await cluster.release()
  }
  return { url: toUrl(copy), socket, sql, filledS, end }
}

/** Gives a database its tables and fills them. */
async function createFilledTables(url: string, sql: Bun.SQL, owned: number) {
  const database = openDatabase(url)
  await migrate(database)
  await database.close()
  await fill(sql, owned)
}

/** Changes when the migrations or the rows change. */
async function getFillVersion() {
  const hash = createHash('sha256')
  const rows = ['fill.ts', 'fill-rows.ts', 'fill-book-rows.ts', 'layout.ts']
  const schema = [...new Glob('../../db/migrations/*').scanSync(import.meta.dir)].toSorted()
  for (const file of [...rows, ...schema]) hash.update(await Bun.file(join(import.meta.dir, file)).text())
  return hash.digest('hex').slice(0, 8)
}

/** Drops what earlier runs left, and returns whether the filled database is there. */
async function dropOldDatabases(admin: Bun.SQL, owned: number, source: string) {
  const found: { datname: string }[] = await admin.unsafe(
    `select datname from pg_database where datname ~ '^(filled_${owned}_|run_)'`,
  )
  const names = found.map(({ datname }) => datname)
  for (const name of names) if (name !== source) await admin.unsafe(`drop database "${name}" with (force)`)
  return names.includes(source)
}

async function createFilled(
  admin: Bun.SQL,
  source: string,
  owned: number,
  connect: (database: string) => Bun.SQL,
  toUrl: (database: string) => string,
) {
  const startedAt = performance.now()
  const unfinished = `${source}_new`
  await admin.unsafe(`create database "${unfinished}"`)
  const sql = connect(unfinished)
  await createFilledTables(toUrl(unfinished), sql, owned)
  await sql.end()
  await admin.unsafe(`alter database "${unfinished}" rename to "${source}"`)
  return (performance.now() - startedAt) / 1000
}

import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Glob } from 'bun'
import { dump } from '../../db/backup/dump'
import { startPostgres } from '../../db/embedded-postgres'
import { migrate } from '../../db/migrate'
import { openDatabase, type Database } from '../../db/database'
import { restore } from '../../db/backup/restore'
import { fillFoundation, fillLater } from './seed-rows'

const root = `${import.meta.dir}/../..`
const cluster = startPostgres(process.env.DATA_DIR ?? `${root}/.data`, 'test') // finds it running where another test file was first
const getUrl = async (name: string) =>
  `postgresql://kiraya@localhost/${name}?host=${encodeURIComponent((await cluster).socket)}`

async function admin<T>(work: (sql: Bun.SQL) => Promise<T>) {
  const sql = new Bun.SQL({
    path: `${(await cluster).socket}/.s.PGSQL.5432`,
    username: 'kiraya',
    database: 'postgres',
    max: 1,
  })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** `TEMPLATE=restored` has the tests run on what was restored from a dump of a database in use. */
const restored = process.env.TEMPLATE === 'restored'

/** Named after what the migrations say, so that whoever comes first makes it once for each version of them. */
async function template() {
  const hash = createHash('sha256')
  const sources = [
    ...new Glob('migrations/*.ts').scanSync(`${root}/db`),
    ...(restored ? new Glob('backup/*.ts').scanSync(`${root}/db`) : []),
  ]
  for (const file of sources.toSorted()) hash.update(await Bun.file(`${root}/db/${file}`).text())
  const name = `${restored ? 'restored' : 'template'}_${hash.digest('hex').slice(0, 12)}`
  await admin(async sql => {
    await sql`select pg_advisory_lock(1)` // released with the connection
    if ((await sql`select 1 from pg_database where datname = ${name}`).length) return
    const fresh = async (made: string) => {
      await sql.unsafe(`drop database if exists "${made}" with (force)`)
      await sql.unsafe(`create database "${made}"`)
      return getUrl(made)
    }
    const url = await fresh(`${name}_new`)
    if (restored) await throughADump(await fresh(`${name}_source`), url)
    else await migrated(url)
    await sql.unsafe(`alter database "${name}_new" rename to "${name}"`)
  })
  return name
}

async function migrated(url: string, fill = async (_: Database) => {}) {
  const orm = openDatabase(url)
  await migrate(orm)
  await fill(orm).finally(() => orm.close())
}

async function throughADump(source: string, target: string) {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-template-'))
  await migrated(source, async orm => {
    await fillFoundation(orm, 300)
    await fillLater(orm, 5, 50_000)
  })
  await dump(source, join(folder, 'dump'))
  await restore(target, join(folder, 'dump'))
  await rm(folder, { recursive: true })
}

let made = 0
/** A migrated, empty database, or one with nothing in it at all; `drop` removes it. */
export async function freshDatabase({ migrated = true } = {}) {
  const source = migrated ? await template() : 'template0'
  const name = `test_${process.pid}_${Date.now().toString(36)}_${made++}`
  await admin(sql => sql.unsafe(`create database "${name}" template "${source}" strategy wal_log`))
  return {
    name,
    url: await getUrl(name),
    drop: () => admin(sql => sql.unsafe(`drop database "${name}" with (force)`)),
  }
}

/** A migrated, empty database with its entity managers; it disappears with the test. */
export async function openFreshDatabase() {
  const { url, drop } = await freshDatabase()
  const orm = openDatabase(url)
  const end = () => orm.close().then(drop)
  return { url, em: () => orm.em.fork(), [Symbol.asyncDispose]: end }
}

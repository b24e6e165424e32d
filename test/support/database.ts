import { createHash } from 'node:crypto'
import { Glob } from 'bun'
import { startPostgres } from '../../db/embedded-postgres'
import { migrate } from '../../db/migrate'
import { openDatabase } from '../../db/database'

const root = `${import.meta.dir}/../..`
const cluster = startPostgres(process.env.DATA_DIR ?? `${root}/.data`, 'tests') // finds it running where another test file was first
const getUrl = async (name: string) =>
  `postgresql://kiraya@localhost/${name}?host=${encodeURIComponent((await cluster).socket)}`

async function admin<T>(work: (sql: Bun.SQL) => Promise<T>) {
  const sql = new Bun.SQL(await getUrl('postgres'), { max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** Named after what the migrations say, so that the first to need it makes it once for each version of them. */
async function template() {
  const hash = createHash('sha256')
  const sources = [...new Glob('migrations/*').scanSync(`${root}/db`)]
  for (const file of sources.toSorted()) hash.update(await Bun.file(`${root}/db/${file}`).text())
  const name = `template_${hash.digest('hex').slice(0, 12)}`
  await admin(async sql => {
    await sql`select pg_advisory_lock(1)` // released with the connection
    if ((await sql`select 1 from pg_database where datname = ${name}`).length) return
    await sql.unsafe(`drop database if exists "${name}_new" with (force)`)
    await sql.unsafe(`create database "${name}_new"`)
    const orm = openDatabase(await getUrl(`${name}_new`))
    await migrate(orm)
    await orm.close()
    await sql.unsafe(`alter database "${name}_new" rename to "${name}"`)
  })
  return name
}

let made = 0
/** A migrated, empty database, or one with nothing in it at all, in another locale; `drop` removes it. */
export async function freshDatabase({ migrated = true, locale = '' } = {}) {
  const source = migrated ? await template() : 'template0'
  const name = `test_${process.pid}_${Date.now().toString(36)}_${made++}`
  await admin(sql => sql.unsafe(`create database "${name}" template "${source}" strategy wal_log ${locale}`))
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
  return { url, em: () => orm.fork(), [Symbol.asyncDispose]: end }
}

import { createHash } from 'node:crypto'
import { Glob } from 'bun'
import { startEmbedded } from '../../db/embedded'
import { migrate } from '../../db/migrate'
import { openDatabase } from '../../db/orm'

const root = `${import.meta.dir}/../..`
const cluster = startEmbedded(process.env.DATA_DIR ?? `${root}/.data`, 'test')            // finds it running where another test file was first
const urlOf = async (name: string) => `postgresql://kiraya@localhost/${name}?host=${encodeURIComponent((await cluster).socket)}`

async function admin<T>(work: (sql: Bun.SQL) => Promise<T>) {
  const sql = new Bun.SQL({ path: `${(await cluster).socket}/.s.PGSQL.5432`, username: 'kiraya', database: 'postgres', max: 1 })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** Named after what the migrations say, so that whoever comes first makes it once for each version of them. */
async function template() {
  const hash = createHash('sha256')
  for (const file of [...new Glob('*.ts').scanSync(`${root}/db/migrations`)].toSorted()) hash.update(await Bun.file(`${root}/db/migrations/${file}`).text())
  const name = `template_${hash.digest('hex').slice(0, 12)}`
  await admin(async sql => {
    await sql`select pg_advisory_lock(1)`                                                  // released with the connection
    if ((await sql`select 1 from pg_database where datname = ${name}`).length) return
    await sql.unsafe(`drop database if exists "${name}_new" with (force)`)
    await sql.unsafe(`create database "${name}_new"`)
    const orm = openDatabase(await urlOf(`${name}_new`))
    await migrate(orm)
    await orm.close()
    await sql.unsafe(`alter database "${name}_new" rename to "${name}"`)
  })
  return name
}

let made = 0
/** A migrated, empty database, or one with nothing in it at all; `drop` removes it. */
export async function freshDatabase({ migrated = true } = {}) {
  const source = migrated ? await template() : 'template0', name = `test_${process.pid}_${Date.now().toString(36)}_${made++}`
  await admin(sql => sql.unsafe(`create database "${name}" template "${source}" strategy wal_log`))
  return { name, url: await urlOf(name), drop: () => admin(sql => sql.unsafe(`drop database "${name}" with (force)`)) }
}

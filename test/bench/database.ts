import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { startPostgres } from '../../db/embedded-postgres'
import { migrations } from '../../db/migrations'
import { migrate } from '../../db/migrate'
import { openDatabase } from '../../db/database'
import { fill } from './fill'

export type Database = {
  url: string
  socket: string
  sql: Bun.SQL
  filledS: number | undefined
  end: () => Promise<void>
}

/** A PostgreSQL of the benchmark's own, and in it a copy of the filled database of this scale, which is kept for the next run. */
export async function openFilled(dataDir: string, owned: number): Promise<Database> {
  const cluster = await startPostgres(dataDir)
  const path = join(cluster.socket, '.s.PGSQL.5432')
  const connect = (database: string, max = 1) => new Bun.SQL({ path, username: 'kiraya', database, max })
  const urlOf = (database: string) =>
    `postgresql://kiraya@localhost/${database}?host=${encodeURIComponent(cluster.socket)}`
  const version = createHash('sha256')
    .update(await Bun.file(join(import.meta.dir, 'fill.ts')).text())
    .update(migrations.map(({ class: each }) => String(each)).join())
    .digest('hex')
    .slice(0, 8)
  const source = `filled_${owned}_${version}`
  const copy = `run_${process.pid}`
  const admin = connect('postgres')
  let filledS: number | undefined
  // Large enough that no checkpoint falls into a measurement of seconds; the durability stays as it is in production.
  for (const setting of [`max_wal_size = '8GB'`, `checkpoint_timeout = '30min'`])
    await admin.unsafe(`alter system set ${setting}`)
  await admin.unsafe('select pg_reload_conf()')
  const known: { datname: string }[] = await admin.unsafe(
    `select datname from pg_database where datname ~ '^(filled_${owned}_|run_)'`,
  )
  for (const { datname } of known)
    if (datname !== source) await admin.unsafe(`drop database "${datname}" with (force)`)

  if (!known.some(({ datname }) => datname === source)) {
    const began = performance.now()
    const fresh = `${source}_new`
    await admin.unsafe(`create database "${fresh}"`)
    const orm = openDatabase(urlOf(fresh))
    const sql = connect(fresh)
    await migrate(orm)
    await orm.close()
    await fill(sql, owned)
    await sql.end()
    await admin.unsafe(`alter database "${fresh}" rename to "${source}"`)
    filledS = (performance.now() - began) / 1000
  }
  await admin.unsafe(`create database "${copy}" template "${source}" strategy file_copy`)
  const sql = connect(copy, 2)
  return {
    url: urlOf(copy),
    socket: path,
    sql,
    filledS,
    end: async () => {
      await sql.end()
      await admin.unsafe(`drop database "${copy}" with (force)`)
      await admin.end()
      await cluster.release()
    },
  }
}

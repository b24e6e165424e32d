import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { SCHEMA_LOCK, waitForSchemaLock } from './migrate'

/** The first line of a dump. After it comes for each table a COPY as PostgreSQL writes it, and a line with the number and the hash of its rows. */
export type Header = { kiraya: 1; taken_at: string; migrations: string[] }
export type Footer = { table: string; rows: number; sha256: string }
export type DumpTotals = { tables: number; rows: number }
export const toDumpLine = (content: Header | Footer | DumpTotals) => `-- ${JSON.stringify(content)}\n`
export const quoteIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`

/** Writes all that our tables hold at one moment to a gzipped file, while others go on working. It appears under its name when it is whole. */
export async function dump(url: string, file: string): Promise<DumpTotals> {
  const client = new Client({ connectionString: url, application_name: 'kiraya dump' })
  const part = `${file}.part`
  await client.connect()
  try {
    await lockSchema(client, 'pg_try_advisory_lock_shared')
    await client.query('begin isolation level repeatable read read only')
    const ending: DumpTotals = { tables: 0, rows: 0 }
    await pipeline(
      content(client, ending),
      createGzip({ level: 3 }),
      createWriteStream(part, { mode: 0o600, flush: true }),
    )
    await rename(part, file)
    return ending
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    await client.end()
  }
}

/** Takes the lock on this connection, as soon as nobody else keeps it from us. */
export const lockSchema = (client: Client, lock: 'pg_try_advisory_lock_shared' | 'pg_try_advisory_lock') =>
  waitForSchemaLock(
    async () =>
      (await client.query<{ taken: boolean }>(`select ${lock}(${SCHEMA_LOCK}) as taken`)).rows[0]!.taken,
  )

async function* content(client: Client, ending: DumpTotals) {
  const { rows: applied } = await client.query<{ name: string }>(
    'select name from mikro_orm_migrations order by id',
  )
  yield toDumpLine({
    kiraya: 1,
    taken_at: new Date().toISOString(),
    migrations: applied.map(({ name }) => name),
  })
  for (const { name, columns, key } of await listTables(client)) {
    const list = columns.map(quoteIdentifier).join(', ')
    const hash = createHash('sha256')
    yield `COPY ${quoteIdentifier(name)} (${list}) FROM stdin;\n`
    const rows = client.query(
      copyTo(
        `copy (select ${list} from ${quoteIdentifier(name)} ${key.length ? `order by ${key.map(quoteIdentifier).join(', ')}` : ''}) to stdout`,
      ),
    )
    for await (const chunk of rows) {
      hash.update(chunk)
      yield chunk
    }
    yield `\\.\n${toDumpLine({ table: name, rows: rows.rowCount, sha256: hash.digest('hex') })}`
    ending.tables++
    ending.rows += rows.rowCount
  }
  // Sequences stand outside of the snapshot, so they are read when all rows are: never behind one of them.
  const { rows: sequences } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public' order by 1`,
  )
  for (const { name } of sequences) {
    const {
      rows: [at],
    } = await client.query(`select last_value, is_called from ${quoteIdentifier(name)}`)
    yield `SELECT setval('${quoteIdentifier(name)}', ${at.last_value}, ${at.is_called});\n`
  }
  yield toDumpLine(ending)
}

export type TableInfo = { name: string; columns: string[]; key: string[]; needs: string[] }

/** Our tables, each after those that it refers to. */
export async function listTables(client: Client): Promise<TableInfo[]> {
  const { rows } = await client.query<TableInfo>(`select c.relname as name,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      array(select a.attname::text from pg_index i, unnest(i.indkey) with ordinality k (attnum, n) join pg_attribute a on a.attnum = k.attnum where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid order by k.n) as key,
      array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as needs
    from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`)
  const sorted: TableInfo[] = []
  while (sorted.length < rows.length) {
    const next = rows.filter(
      table => !sorted.includes(table) && table.needs.every(need => sorted.some(({ name }) => name === need)),
    )
    if (!next.length) throw new Error('Tables refer to one another in a circle')
    sorted.push(...next)
  }
  return sorted
}

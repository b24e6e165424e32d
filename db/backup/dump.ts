import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { END_OF_ROWS, toJsonLine, type DumpTotals } from './format'
import { listTables, lockSchema, quoteIdentifier, quoteIdentifiers, type TableInfo } from './tables'

// The embedded PostgreSQL comes without pg_dump, and the one on the PATH may be older than the server.

/**
 * Writes all rows and sequences, as of one moment, to a gzipped file that only its owner may read.
 * The server may run meanwhile. The file gets its name once it is complete.
 */
export async function dump(url: string, file: string): Promise<DumpTotals> {
  const client = new Client({ connectionString: url, application_name: 'kiraya dump' })
  const partialFile = `${file}.part`
  await client.connect()
  try {
    await lockSchema(client, 'shared')
    await client.query('begin isolation level repeatable read read only')
    // Left by a dump that was killed, or put there by someone else: only its owner may read this one.
    await rm(partialFile, { force: true })
    const totals: DumpTotals = { tables: 0, rows: 0 }
    await pipeline(
      generateDump(client, totals),
      createGzip({ level: 3 }),
      createWriteStream(partialFile, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await rename(partialFile, file)
    return totals
  } catch (error) {
    await rm(partialFile, { force: true })
    throw error
  } finally {
    await client.end()
  }
}

async function* generateDump(client: Client, totals: DumpTotals) {
  yield toJsonLine({
    kiraya: 1,
    taken_at: new Date().toISOString(),
    migrations: await listMigrations(client),
  })
  for (const table of await listTables(client)) {
    const rowCount = yield* generateTable(client, table)
    totals.tables += 1
    totals.rows += rowCount
  }
  // Sequences are outside the snapshot: read after the rows, they are never behind one of them.
  yield* generateSequences(client)
  yield toJsonLine(totals)
}

async function listMigrations(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>('select name from mikro_orm_migrations order by id')
  return rows.map(({ name }) => name)
}

/** Returns the number of rows. */
async function* generateTable(client: Client, { name, columns, primaryKey }: TableInfo) {
  const table = quoteIdentifier(name)
  const list = quoteIdentifiers(columns)
  const order = primaryKey.length > 0 ? ` order by ${quoteIdentifiers(primaryKey)}` : ''
  yield `COPY ${table} (${list}) FROM stdin;\n`

  const hash = createHash('sha256')
  const rows = client.query(copyTo(`copy (select ${list} from ${table}${order}) to stdout`))
  for await (const chunk of rows) {
    hash.update(chunk)
    yield chunk
  }
  yield END_OF_ROWS
  yield toJsonLine({ table: name, rows: rows.rowCount, sha256: hash.digest('hex') })
  return rows.rowCount
}

async function* generateSequences(client: Client) {
  const { rows: sequences } = await client.query<{ name: string }>(
    `select sequencename as name from pg_sequences where schemaname = 'public' order by 1`,
  )
  for (const { name } of sequences) {
    const sequence = quoteIdentifier(name)
    const { rows } = await client.query(`select last_value, is_called from ${sequence}`)
    const { last_value, is_called } = rows[0]
    yield `SELECT setval('${sequence}', ${last_value}, ${is_called});\n`
  }
}

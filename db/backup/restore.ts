import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline as connect, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrate } from '../migrate'
import { migrations } from '../migrations'
import { openDatabase } from '../database'
import {
  createDamagedLineError,
  isJsonLine,
  parseJsonLine,
  type DumpHeader,
  type DumpTotals,
  type TableFooter,
} from './format'
import { DumpReader } from './reader'
import { listTables, lockSchema, quoteIdentifier, quoteIdentifiers, type TableInfo } from './tables'

const MIGRATIONS_TABLE = 'mikro_orm_migrations'
const COPY_LINE = /^COPY "(\w+)" \(([\w", ]+)\) FROM stdin;$/
const SETVAL_LINE = /^SELECT setval\('"\w+"', \d+, (true|false)\);$/

/**
 * Fills an empty database from a dump, in one transaction. The schema gets the migrations of the dump; the
 * next start of the server runs newer ones.
 * @throws The database has rows, or the dump is of an unknown version, cut off or damaged.
 */
export async function restore(url: string, file: string): Promise<DumpTotals> {
  const source = connect(createReadStream(file), createGunzip(), () => {}) // the reader meets the error
  const reader = new DumpReader(source)
  const client = new Client({ connectionString: url, application_name: 'kiraya restore' })
  await client.connect()
  try {
    const lastMigration = getLastMigration(await reader.readJson<DumpHeader>())
    await requireEmptyTables(client, await listTables(client))
    await migrateTo(url, lastMigration)

    await lockSchema(client, 'exclusive')
    await client.query('begin')
    const totals = await fillTables(client, reader)
    await client.query('commit')
    await client.query('analyze')
    return totals
  } finally {
    source.destroy()
    await client.end() // rolls an open transaction back
  }
}

function getLastMigration({ kiraya, migrations: names = [] }: DumpHeader): string {
  const isKnown = names.every((name, index) => name === migrations[index]?.name)
  const last = names.at(-1)
  if (kiraya !== 1 || !isKnown || last === undefined) {
    throw new Error(`The dump is of another version: it has ${names.join(', ') || 'no migrations'}`)
  }
  return last
}

/** The list of migrations may have rows. */
async function requireEmptyTables(client: Client, tables: TableInfo[]) {
  for (const { name } of tables) {
    if (name === MIGRATIONS_TABLE) continue
    const { rowCount } = await client.query(`select 1 from ${quoteIdentifier(name)} limit 1`)
    if (rowCount) throw new Error(`The database is not empty: ${name} has rows`)
  }
}

async function migrateTo(url: string, migration: string) {
  const orm = openDatabase(url)
  try {
    await migrate(orm, migration)
  } finally {
    await orm.close()
  }
}

async function fillTables(client: Client, reader: DumpReader): Promise<DumpTotals> {
  const tables = await listTables(client)
  const names = quoteIdentifiers(tables.map(({ name }) => name))
  await client.query(`lock table ${names} in access exclusive mode`)
  await requireEmptyTables(client, tables)
  await client.query(`delete from ${MIGRATIONS_TABLE}`)

  const missing = new Map(tables.map(table => [table.name, table]))
  const totals = { tables: 0, rows: 0 }
  const sequences: string[] = []
  let line = await reader.readLine()
  while (!isJsonLine(line)) {
    if (SETVAL_LINE.test(line)) {
      sequences.push(line)
    } else {
      totals.rows += await fillTable(client, reader, missing, line)
      totals.tables += 1
    }
    line = await reader.readLine()
  }

  const expected = parseJsonLine<DumpTotals>(line)
  if (missing.size > 0 || expected.tables !== totals.tables || expected.rows !== totals.rows) {
    throw new Error('The dump is damaged: tables are missing')
  }
  await reader.requireEnd()
  for (const sequence of sequences) await client.query(sequence)
  return totals
}

/** Fills the table that a COPY names, removes it from the missing ones and returns its number of rows. */
async function fillTable(
  client: Client,
  reader: DumpReader,
  missing: Map<string, TableInfo>,
  copyLine: string,
): Promise<number> {
  const [, name = '', list = ''] = COPY_LINE.exec(copyLine) ?? []
  const table = missing.get(name)
  if (!table) throw createDamagedLineError(copyLine)
  if (!hasSameColumns(table, list)) throw new Error(`The dump's ${name} has other columns`)
  missing.delete(name)

  const hash = createHash('sha256')
  const target = client.query(copyFrom(`copy ${quoteIdentifier(name)} (${list}) from stdin`))
  await pipeline(
    Readable.from(reader.readRows()),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    target,
  )
  const footer = await reader.readJson<TableFooter>()
  const isIntact =
    footer.table === name && footer.rows === target.rowCount && footer.sha256 === hash.digest('hex')
  if (!isIntact) throw new Error(`The dump is damaged in ${name}`)
  return footer.rows
}

function hasSameColumns({ columns }: TableInfo, list: string) {
  const listed = list.split(', ').toSorted()
  const expected = columns.map(quoteIdentifier).toSorted()
  return listed.join() === expected.join()
}

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import {
  lockSchema,
  quoteIdentifier,
  listTables,
  type DumpTotals,
  type Footer,
  type Header,
  type TableInfo,
} from './dump'
import { migrate } from './migrate'
import { migrations } from './migrations'
import { openDatabase } from './orm'

/**
 * Fills an empty database from a file of `dump`, in one transaction: wholly or not at all. The schema is made by the migrations
 * that the dumped one had; the next start brings it up to date.
 * @throws The database holds something, the file is of a newer version, was cut off or has been changed.
 */
export async function restore(url: string, file: string): Promise<DumpTotals> {
  const source = createReadStream(file).pipe(createGunzip())
  const read = reader(source)
  const client = new Client({ connectionString: url, application_name: 'kiraya restore' })
  await client.connect()
  try {
    const header = await read.json<Header>()
    const known = migrations.slice(0, header.migrations?.length)
    if (
      header.kiraya !== 1 ||
      !known.length ||
      known.some(({ name }, i) => name !== header.migrations[i]) ||
      known.length < header.migrations.length
    )
      throw new Error(
        `The dump is of another version: it has ${header.migrations?.join(', ') ?? 'no migrations'}`,
      )
    await mustBeEmpty(client, await listTables(client))
    const orm = openDatabase(url)
    await migrate(orm, known.at(-1)!.name).finally(() => orm.close())

    await lockSchema(client, 'pg_try_advisory_lock')
    await client.query('begin')
    const tables = await listTables(client)
    await client.query(
      `lock table ${tables.map(({ name }) => quoteIdentifier(name)).join(', ')} in access exclusive mode`,
    )
    await mustBeEmpty(client, tables)
    await client.query('delete from mikro_orm_migrations')
    const ending = await load(client, read, tables)
    await client.query('commit')
    await client.query('analyze')
    return ending
  } finally {
    source.destroy()
    await client.end() // an open transaction ends with it
  }
}

/** The migrations' own list does not count. */
async function mustBeEmpty(client: Client, tables: TableInfo[]) {
  for (const { name } of tables) {
    if (
      name !== 'mikro_orm_migrations' &&
      (await client.query(`select 1 from ${quoteIdentifier(name)} limit 1`)).rowCount
    )
      throw new Error(`The database is not empty: ${name} has rows`)
  }
}

async function load(
  client: Client,
  read: ReturnType<typeof reader>,
  tables: TableInfo[],
): Promise<DumpTotals> {
  const waiting = new Map(tables.map(table => [table.name, table]))
  const ending = { tables: 0, rows: 0 }
  const sequences: string[] = []
  for (;;) {
    const said = await read.line()
    const [, copied, list] = /^COPY "(\w+)" \(([\w", ]+)\) FROM stdin;$/.exec(said) ?? []
    const table = waiting.get(copied ?? '')
    if (table && list) {
      if (list.split(', ').toSorted().join() !== table.columns.map(quoteIdentifier).toSorted().join())
        throw new Error(`The dump's ${copied} has other columns`)
      waiting.delete(table.name)
      const hash = createHash('sha256')
      const rows = client.query(copyFrom(`copy ${quoteIdentifier(table.name)} (${list}) from stdin`))
      await pipeline(Readable.from(read.rows(chunk => hash.update(chunk))), rows)
      const told = await read.json<Footer>()
      if (told.table !== table.name || told.rows !== rows.rowCount || told.sha256 !== hash.digest('hex'))
        throw new Error(`The dump is damaged in ${table.name}`)
      ending.tables++
      ending.rows += told.rows
    } else if (/^SELECT setval\('"\w+"', \d+, (true|false)\);$/.test(said)) sequences.push(said)
    else {
      const told = parsed<DumpTotals>(said)
      if (waiting.size || told.tables !== ending.tables || told.rows !== ending.rows)
        throw new Error('The dump is damaged: tables are missing')
      await read.end()
      for (const sequence of sequences) await client.query(sequence)
      return ending
    }
  }
}

function parsed<T>(text: string): T {
  if (!text.startsWith('-- {')) throw new Error(`The dump is damaged at: ${text.slice(0, 80)}`)
  return JSON.parse(text.slice(3))
}

/** Lines and rows of a stream, of which no more than a piece is held. */
function reader(source: AsyncIterable<Buffer>) {
  const pieces = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { value, done } = await pieces.next()
    if (done) throw new Error('The dump is cut off')
    rest = rest.length ? Buffer.concat([rest, value]) : value
  }
  const line = async () => {
    for (;;) {
      const at = rest.indexOf(10)
      if (at >= 0) {
        const text = rest.subarray(0, at).toString()
        rest = rest.subarray(at + 1)
        return text
      }
      if (rest.length > 100_000) throw new Error('The dump is damaged: a line does not end')
      await more()
    }
  }
  return {
    line,
    json: async <T>() => parsed<T>(await line()),
    /** Up to the line `\.`, which rows cannot contain: their own backslashes are doubled. */
    async *rows(seen: (chunk: Buffer) => void) {
      for (let skip = 1, first = true; ; first = false) {
        if (first) rest = Buffer.concat([Buffer.from('\n'), rest])
        const at = rest.indexOf('\n\\.\n')
        const end = at < 0 ? Math.max(rest.length - 3, 0) : at + 1
        if (end > skip) {
          const chunk = rest.subarray(skip, end)
          seen(chunk)
          yield chunk
        }
        if (end >= skip) skip = 0
        rest = at < 0 ? rest.subarray(end) : rest.subarray(at + 4)
        if (at >= 0) return
        await more()
      }
    },
    end: async () => {
      if (rest.length || !(await pieces.next()).done)
        throw new Error('The dump is damaged: something follows its end')
    },
  }
}

import { types } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { PersonalData } from '@kiraya/sdk/contract'
import { toIsoTimestamp } from '../../db/database'
import { getRequestContext, withQueryDeadline } from '../../db/deadlines'
import { entities } from '../../db/entities'
import type { Deps } from '../deps'
import { hashPhone } from '../domain/phone-hash'
import { refuse } from '../errors'
import type { Reader, Select, UserId } from '../http/reads/reader'
import { RawJsonStream } from '../http/reads/raw-json'
import { MAX_QUERY_MS } from './ownership'
import { listPersonalTables, type Person, type PersonalTable } from './tables'

/** So few that a page of long texts has some megabytes. */
const PAGE_KEYS = 200
const RETRY_AFTER_S = 10
/** A response that is never sent does not keep its user from the next export. */
const MAX_EXPORT_MS = 10 * 60_000

type Keys = number[] | string[]
type ExportedTable = {
  name: string
  keys: Select<{ phoneHash: string }, { keys: Keys }>
  rows: Select<{ phoneHash: string; page: Keys }, { text: string | null }>
}

const exportedTables = listPersonalTables().flatMap(table =>
  table.omitted === 'all' ? [] : [toExportedTable(table.name, table)],
)

function toExportedTable(name: string, table: PersonalTable): ExportedTable {
  const { isOwn, key = 'id' } = table
  const keyColumn = sql.ref(`t.${key}`)
  return {
    name,
    keys: (db, userId, { phoneHash }) => {
      const keys = sql`
        select distinct ${keyColumn} as key from ${sql.table(name)} t where ${isOwn(toPerson(userId, phoneHash))}`
      const all = sql<{ keys: Keys }>`(
        select coalesce(json_agg(key order by key), '[]') as keys from (${keys}) own
      )`
      return db.selectFrom(all.as('found')).selectAll()
    },
    rows: (db, userId, { phoneHash, page }) => {
      const rows = sql`
        select ${sql.join(listColumns(name, table, userId))} from ${sql.table(name)} t
        where ${keyColumn} = any (${page}) and ${isOwn(toPerson(userId, phoneHash))}
        order by ${keyColumn}`
      const all = sql<{ text: string | null }>`(
        select string_agg(to_json(own)::text, ',') as text from (${rows}) own
      )`
      return db.selectFrom(all.as('found')).selectAll()
    },
  }
}

/** The user of the session that each statement checks. */
const toPerson = (id: UserId, phoneHash: string): Person => ({
  id,
  phone: sql.ref('me.phone'),
  phoneHash: sql`${phoneHash}::text`,
})

function listColumns(name: string, { omitted, landlordOnly = [] }: PersonalTable, userId: UserId) {
  const { properties } = entities.find(({ meta }) => meta.tableName === name)!.meta
  return Object.entries(properties)
    .filter(([column]) => !omitted.includes(column))
    .map(([column, { type }]) => {
      const value = sql.ref(`t.${column}`)
      if (landlordOnly.includes(column))
        return sql`case when t.landlord_id = ${userId} then ${value} end as ${sql.id(column)}`
      const isTimestamp = (type as unknown) === types.datetime
      return sql`${isTimestamp ? toIsoTimestamp(value) : value} as ${sql.id(column)}`
    })
}

/** Runs one export of a user at a time. */
export function createExporter(deps: Deps) {
  const startedAt = new Map<number, number>()

  /**
   * Exports what is stored about the user of a session, table after table, in pages that are read while they are
   * sent. A row that changes during the export may be in it before or after the change.
   * @throws TOO_MANY_REQUESTS Another export of the user has not ended.
   */
  return async function exportPersonalData(reader: Reader) {
    const { userId } = reader
    const phoneHash = hashPhone(deps.config, reader.phone)
    // Checks the session before the response begins.
    await reader.rows(exportedTables[0]!.keys, { phoneHash })
    const started = performance.now()
    if (started - (startedAt.get(userId) ?? -Infinity) < MAX_EXPORT_MS)
      throw refuse('export_in_progress', {}, { retryAfterS: RETRY_AFTER_S })
    startedAt.set(userId, started)
    deps.log.audit('data_exported', { user: userId })
    const end = () => {
      if (startedAt.get(userId) === started) startedAt.delete(userId)
    }
    return new RawJsonStream<PersonalData>(writeTables(deps, { reader, phoneHash, end }))
  }
}

type Export = { reader: Reader; phoneHash: string; end: () => void }

async function* writeTables(deps: Deps, { reader, phoneHash, end }: Export) {
  try {
    yield `{"exported_at":${JSON.stringify(deps.now().toISOString())},"tables":{`
    let separator = ''
    for (const table of exportedTables) {
      yield `${separator}"${table.name}":[`
      yield* writeRows(reader, table, phoneHash)
      yield ']'
      separator = ','
    }
    yield '}}'
  } finally {
    end()
  }
}

/** Each statement checks the session and has a time of its own; between them no connection is taken. */
async function* writeRows(reader: Reader, { keys, rows }: ExportedTable, phoneHash: string) {
  const context = getRequestContext()
  const read = <T>(work: () => Promise<T>) => withQueryDeadline({ ...context, leftMs: MAX_QUERY_MS }, work)
  const [own] = await read(() => reader.rows(keys, { phoneHash }))
  let separator = ''
  for (let start = 0; start < own.keys.length; start += PAGE_KEYS) {
    const page = own.keys.slice(start, start + PAGE_KEYS) as Keys
    const [{ text }] = await read(() => reader.rows(rows, { phoneHash, page }))
    if (text === null) continue
    yield separator + text
    separator = ','
  }
}

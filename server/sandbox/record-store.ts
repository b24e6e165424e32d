import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Database, type Db } from '../../db/database'
import { SandboxRecord } from '../../db/entities'
import { isUuid } from '../domain/record-id'

/** Creates a store of JSON records of one kind, in the database for all instances. */
export const createRecordStore = <T extends Record<string, unknown>>(db: Database, kind: string) => ({
  /** Returns the record as it is stored. */
  add: async (id: string, data: T, createdAt: Date) => {
    const stored = toStorableJson(data)
    await executeCompiled(db, insertRecord, { id, kind, json: JSON.stringify(stored), createdAt })
    return stored
  },

  find: async (id: string) => {
    if (!isUuid(id)) return undefined
    const [record] = await executeCompiled(db, selectRecord, { id, kind })
    return record?.data as T | undefined
  },

  /** Replaces a record under a lock; returns undefined if it does not exist. */
  update: (id: string, change: (data: T) => T) =>
    db.transactional(async em => {
      if (!isUuid(id)) return undefined
      const record = await em.findOne(SandboxRecord, { id, kind }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      if (!record) return undefined
      const changed = change(record.data as T)
      record.data = changed
      return changed
    }),

  /** Deletes a record and returns it; only one of several concurrent callers gets it. */
  remove: async (id: string) => {
    if (!isUuid(id)) return undefined
    const [record] = await executeCompiled(db, deleteRecord, { id, kind })
    return record?.data as T | undefined
  },

  /** Lists the newest records that contain the given fields, newest first. */
  listNewest: async (limit: number, fields: Partial<T> = {}) => {
    const rows = await getKysely(db)
      .selectFrom('sandbox_records')
      .where('kind', '=', kind)
      .where(sql<boolean>`data @> ${toJsonb(JSON.stringify(fields))}`)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .select(['data', 'created_at'])
      .execute()
    return rows.map(({ data, created_at }) => ({ ...(data as unknown as T), created_at }))
  },
})

type RecordKey = { id: string; kind: string }
type NewRecord = RecordKey & { json: string; createdAt: Date }

function insertRecord(db: Db, { id, kind, json, createdAt }: NewRecord) {
  return db.insertInto('sandbox_records').values({ id, kind, data: toJsonb(json), created_at: createdAt })
}

function selectRecord(db: Db, { id, kind }: RecordKey) {
  return db.selectFrom('sandbox_records').where('id', '=', id).where('kind', '=', kind).select('data')
}

function deleteRecord(db: Db, { id, kind }: RecordKey) {
  return db.deleteFrom('sandbox_records').where('id', '=', id).where('kind', '=', kind).returning('data')
}

/** Bun.SQL writes a text for a jsonb parameter as a JSON string, so the text is cast. */
const toJsonb = (json: string) => sql<never>`${json}::text::jsonb`

/** PostgreSQL's JSON holds neither NUL nor lone surrogates. */
function toStorableJson<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
  )
}

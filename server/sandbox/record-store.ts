import { LockMode } from '@mikro-orm/core'
import { sql, type RawBuilder } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Database, type Db } from '../../db/database'
import { SandboxRecord } from '../../db/entities'

/** Creates a store of JSON records of one kind, in the database for all instances. */
export const createRecordStore = <T extends Record<string, unknown>>(db: Database, kind: string) => ({
  /** Adds a record, unless there is one with this id; returns the record as it is stored. */
  add: async (id: string, data: T, createdAt: Date) => {
    const stored = toStorableJson(data)
    await executeCompiled(db, insertRecord, { id, kind, json: JSON.stringify(stored), createdAt })
    return stored
  },

  find: async (id: string) => {
    const [record] = await executeCompiled(db, selectRecord, { id: toStorableText(id), kind })
    return record?.data as T | undefined
  },

  /** Replaces a record under a lock; returns undefined if it does not exist. */
  update: (id: string, change: (data: T) => T) =>
    db.transactional(async em => {
      const key = { id: toStorableText(id), kind }
      const record = await em.findOne(SandboxRecord, key, { lockMode: LockMode.PESSIMISTIC_WRITE })
      if (!record) return undefined
      const changed = change(record.data as T)
      record.data = changed
      return changed
    }),

  /** Deletes a record and returns it; only one of several concurrent callers gets it. */
  remove: async (id: string) => {
    const [record] = await executeCompiled(db, deleteRecord, { id: toStorableText(id), kind })
    return record?.data as T | undefined
  },

  /** Lists the records that meet a condition, newest first. */
  list: async (condition: RawBuilder<unknown> = sql`true`, limit?: number) => {
    const rows = await getKysely(db)
      .selectFrom('sandbox_records')
      // Written out, since the planner knows how rare each kind is.
      .where('kind', '=', sql.lit(kind))
      .where(sql<boolean>`${condition}`)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .$if(limit !== undefined, query => query.limit(limit!))
      .select('data')
      .execute()
    return rows.map(({ data }) => data as T)
  },
})

type RecordKey = { id: string; kind: string }
type NewRecord = RecordKey & { json: string; createdAt: Date }

function insertRecord(db: Db, { id, kind, json, createdAt }: NewRecord) {
  // Bun.SQL writes a text for a jsonb parameter as a JSON string, so the text is cast.
  const data = sql<never>`${json}::text::jsonb`
  return db
    .insertInto('sandbox_records')
    .values({ id, kind, data, created_at: createdAt })
    .onConflict(conflict => conflict.doNothing())
}

function selectRecord(db: Db, { id, kind }: RecordKey) {
  return db.selectFrom('sandbox_records').where('id', '=', id).where('kind', '=', kind).select('data')
}

function deleteRecord(db: Db, { id, kind }: RecordKey) {
  return db.deleteFrom('sandbox_records').where('id', '=', id).where('kind', '=', kind).returning('data')
}

/** PostgreSQL holds neither NUL nor lone surrogates. */
function toStorableJson<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' ? toStorableText(value) : value,
  )
}

const toStorableText = (text: string) => text.replaceAll('\0', '').toWellFormed()

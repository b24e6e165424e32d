import { sql } from 'kysely'
import { SandboxRecord } from '../../db/entities'
import { query, type Orm } from '../../db/orm'
import { jsonOf, records } from '../../db/records'
import { transact } from '../../db/transaction'
import { isUuid } from '../http/formats'

/** Creates a store of JSON records of one kind, in the database for all instances. */
export const createRecordStore = <T extends Record<string, unknown>>(orm: Orm, kind: string) => ({
  /** Returns the record as it is stored. */
  add: async (id: string, data: T, createdAt: Date) => {
    const stored = toStorableJson(data)
    await records(orm).insert(SandboxRecord, { id, kind, data: stored, created_at: createdAt })
    return stored
  },

  find: async (id: string) => {
    if (!isUuid(id)) return undefined
    const record = await records(orm).findOne(SandboxRecord, { id, kind })
    return record?.data as T | undefined
  },

  /** Replaces a record under a lock; returns undefined if it does not exist. */
  update: (id: string, change: (data: T) => T) =>
    transact(orm, async tx => {
      if (!isUuid(id)) return undefined
      const record = await tx.findOne(SandboxRecord, { id, kind }, { lock: 'update' })
      if (!record) return undefined
      record.data = change(record.data as T)
      return record.data as T
    }),

  /** Deletes a record and returns it; only one of several concurrent callers gets it. */
  remove: (id: string) =>
    transact(orm, async tx => {
      if (!isUuid(id)) return undefined
      const record = await tx.findOne(SandboxRecord, { id, kind }, { lock: 'update' })
      if (!record) return undefined
      await tx.delete(SandboxRecord, { id })
      return record.data as T
    }),

  /** Lists the newest records that contain the given fields, newest first. */
  listNewest: async (limit: number, fields: Partial<T> = {}) => {
    const rows = await query(orm)
      .selectFrom('sandbox_records')
      .where('kind', '=', kind)
      .where(sql<boolean>`data @> ${JSON.stringify(fields)}::text::jsonb`)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .select(['data', 'created_at'])
      .execute()
    return rows.map(({ data, created_at }) => ({ ...(data as unknown as T), created_at }))
  },
})

/** PostgreSQL's JSON holds neither NUL nor lone surrogates. */
function toStorableJson<T>(data: T): T {
  return JSON.parse(jsonOf(data), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '') : value,
  )
}

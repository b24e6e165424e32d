import { sql } from 'kysely'
import { SandboxRecord } from '../../db/entities'
import { query, type Orm } from '../../db/orm'
import { toJsonText } from '../../db/json-text'
import { records, transact } from '../../db/records'
import { isUuid } from '../domain/record-id'

/** JSON in PostgreSQL has no NUL and no half characters. */
const storable = <T>(data: T): T =>
  JSON.parse(toJsonText(data), (_, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '') : value,
  )

/** What one of the sandbox's providers remembers under an id; changed by one caller at a time. */
export const createRecordStore = <T extends Record<string, unknown>>(orm: Orm, kind: string) => ({
  add: async (id: string, data: T, at: Date) => {
    const kept = storable(data)
    await records(orm).insert(SandboxRecord, { id, kind, data: kept, created_at: at })
    return kept
  },
  get: async (id: string) =>
    isUuid(id)
      ? ((await records(orm).findOne(SandboxRecord, { id, kind }))?.data as T | undefined)
      : undefined,
  change: (id: string, change: (data: T) => T) =>
    transact(orm, async tx => {
      const record = isUuid(id) && (await tx.findOne(SandboxRecord, { id, kind }, { lock: 'update' }))
      if (!record) return undefined
      record.data = change(record.data as T)
      return record.data as T
    }),
  /** Takes it away; of those who ask at once one is given it. */
  take: (id: string) =>
    transact(orm, async tx => {
      const record = isUuid(id) && (await tx.findOne(SandboxRecord, { id, kind }, { lock: 'update' }))
      if (!record) return undefined
      await tx.delete(SandboxRecord, { id })
      return record.data as T
    }),
  newest: async (limit: number, where: Partial<T> = {}) => {
    const found = await query(orm)
      .selectFrom('sandbox_records')
      .where('kind', '=', kind)
      .where(sql<boolean>`data @> ${JSON.stringify(where)}::text::jsonb`)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .select(['data', 'created_at'])
      .execute()
    return found.map(({ data, created_at }) => ({ ...(data as unknown as T), created_at }))
  },
})
export type RecordStore<T extends Record<string, unknown>> = ReturnType<typeof createRecordStore<T>>

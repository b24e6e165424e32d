import { LockMode } from '@mikro-orm/core'
import { SandboxRecord } from '../../db/entities'
import type { Orm } from '../../db/orm'
import { isUuid } from '../http/formats'

/** JSON in PostgreSQL has no NUL and no half characters. */
const storable = <T>(data: T): T => JSON.parse(JSON.stringify(data), (_, value: unknown) => typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value)

/** What one of the sandbox's providers remembers under an id; changed by one caller at a time. */
export const createRecords = <T extends Record<string, unknown>>(orm: Orm, kind: string) => ({
  add: async (id: string, data: T, at: Date) => {
    const kept = storable(data)
    await orm.em.fork().insert(SandboxRecord, { id, kind, data: kept, created_at: at })
    return kept
  },
  get: async (id: string) => isUuid(id) ? (await orm.em.fork().findOne(SandboxRecord, { id, kind }))?.data as T | undefined : undefined,
  change: (id: string, change: (data: T) => T) => orm.em.fork().transactional(async tx => {
    const record = isUuid(id) && await tx.findOne(SandboxRecord, { id, kind }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!record) return undefined
    record.data = change(record.data as T)
    return record.data as T
  }),
  /** Takes it away; of those who ask at once one is given it. */
  take: (id: string) => orm.em.fork().transactional(async tx => {
    const record = isUuid(id) && await tx.findOne(SandboxRecord, { id, kind }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (!record) return undefined
    tx.remove(record)
    return record.data as T
  }),
  newest: async (limit: number, where: Partial<T> = {}) => {
    const found = await orm.em.fork().find(SandboxRecord, { kind, data: where }, { orderBy: { created_at: 'desc', id: 'asc' }, limit })
    return found.map(({ data, created_at }) => ({ ...data as T, created_at: created_at.toISOString() }))
  },
})
export type Records<T extends Record<string, unknown>> = ReturnType<typeof createRecords<T>>

import { createHash } from 'node:crypto'
import type { KirayaError } from '@kiraya/sdk'

/** Returns the idempotency key of a record: the same parts give the same key in every run. */
export const toKey = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/**
 * Creates a record once, however often it is called. A key answers with its first record for a day, even if
 * that was deleted since: then the record is created with a further key.
 */
export async function createOnce<Item extends { id: number }>(
  key: string,
  create: (options: { idempotencyKey: string }) => Promise<Item>,
  get: (id: number) => Promise<Item>,
): Promise<Item> {
  const created = await create({ idempotencyKey: key })
  return (await get(created.id).catch(ignoreNotFound)) ?? createOnce(toKey(key, created.id), create, get)
}

export function ignoreNotFound(error: unknown): undefined {
  const { code } = error as KirayaError
  if (code !== 'NOT_FOUND') throw error
}

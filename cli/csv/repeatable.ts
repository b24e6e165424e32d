import { createHash } from 'node:crypto'

/** Returns the idempotency key of a record: the same parts give the same key in every run. */
export const toKey = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

type Find<Item> = (created: Item) => Promise<Item | undefined>

/**
 * Creates a record once, however often it is called. A key answers with its first record for a day, even if
 * that was deleted since: then the record is created with a further key.
 */
export async function createOnce<Item extends { id: number }>(
  key: string,
  create: (options: { idempotencyKey: string }) => Promise<Item>,
  find: Find<Item>,
): Promise<Item> {
  const created = await create({ idempotencyKey: key })
  return (await find(created)) ?? createOnce(toKey(key, created.id), create, find)
}

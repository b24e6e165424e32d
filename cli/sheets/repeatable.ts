import { createHash } from 'node:crypto'
import type { KirayaError } from '@kiraya/sdk'

/** Returns the idempotency key of a record: the same parts give the same key in every run. */
export const toKey = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** The calls of a noun. */
type Noun<Input, Item> = {
  create: (input: Input, options: { idempotencyKey: string }) => Promise<Item>
  get: (id: number) => Promise<Item>
}

/**
 * Creates a record once, however often it is called. A key answers with its first record for a day, even if
 * that was deleted since: then the record is created with a further key.
 */
export async function createOnce<Input, Item extends { id: number }>(
  noun: Noun<Input, Item>,
  input: Input,
  key: string,
): Promise<Item> {
  const { id } = await noun.create(input, { idempotencyKey: key })
  return (await noun.get(id).catch(ignoreNotFound)) ?? createOnce(noun, input, toKey(key, id))
}

export function ignoreNotFound(error: unknown): undefined {
  const { code } = error as KirayaError
  if (code !== 'NOT_FOUND') throw error
}

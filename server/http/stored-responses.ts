import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../db/database'
import { toJsonText } from '../../db/json-text'
import type { Actor } from '../deps'
import { refuse } from '../faults'
import { getRequestPath } from './security-headers'

export const KEY_PATTERN = '^[!-~]{1,255}$'

/** Names one request of a user; the digest is of its method, path and body. */
export type IdempotencyKey = { user_id: number; key: string; digest: string }

/** @throws BAD_REQUEST The key is malformed. */
export function readIdempotencyKey(
  request: Request,
  actor: Actor,
  body: unknown,
): IdempotencyKey | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (!new RegExp(KEY_PATTERN).test(key)) throw refuse('idempotency_key_invalid')

  const content = JSON.stringify([request.method, getRequestPath(request), body])
  return { user_id: actor.id, key, digest: createHash('sha256').update(content).digest('hex') }
}

/**
 * Returns the response to the first request with a key.
 * @throws BAD_REQUEST The key was used for another request.
 */
export async function findStoredResponse<T>(db: Database, key: IdempotencyKey): Promise<T | undefined> {
  const [stored] = await executeCompiled(db, selectResponse, key)
  if (stored && stored.digest !== key.digest) throw refuse('idempotency_key_reused')
  return (stored?.answer as { of: T } | undefined)?.of
}

function selectResponse(db: Db, { user_id, key }: IdempotencyKey) {
  return db
    .selectFrom('idempotency_keys')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .select(['digest', 'answer'])
}

/** Stores a response in the transaction of its change. A parallel request fails on the primary key. */
export async function storeResponse(em: EntityManager, key: IdempotencyKey, now: Date, response: unknown) {
  await executeCompiled(em, insertResponse, { ...key, now, text: toJsonText({ of: response }) })
}

function insertResponse(
  db: Db,
  { user_id, key, digest, now, text }: IdempotencyKey & { now: Date; text: string },
) {
  return db
    .insertInto('idempotency_keys')
    .values({ user_id, key, digest, answer: sql`${text}::text::jsonb`, created_at: now })
}

import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../db/database'
import { toJsonText } from '../../db/json-text'
import type { Config } from '../config'
import type { Actor } from '../deps'
import { toSha256 } from '../domain/sha256'
import { refuse } from '../errors'
import { getRequestPath } from './security-headers'

export const KEY_PATTERN = '^[!-~]{1,255}$'

/**
 * Names one request of a user. The digests are of its method, path and body, by each accepted secret, the present one
 * first: without a secret, a digest would reveal a password of the body to guesses.
 */
export type IdempotencyKey = { user_id: number; key: string; digests: string[] }

/** @throws BAD_REQUEST The key is malformed. */
export function readIdempotencyKey(
  { acceptedSecrets }: Config,
  request: Request,
  actor: Actor,
  body: unknown,
): IdempotencyKey | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null) return undefined
  if (!new RegExp(KEY_PATTERN).test(key)) throw refuse('idempotency_key_invalid')

  const sent = body instanceof Uint8Array ? toSha256(body) : body
  const content = JSON.stringify([request.method, getRequestPath(request), sent])
  const digests = acceptedSecrets.JWT_SECRET.map(secret =>
    createHmac('sha256', secret).update(content).digest('hex'),
  )
  return { user_id: actor.id, key, digests }
}

/**
 * Returns the response to the first request with a key.
 * @throws BAD_REQUEST The key was used for another request.
 */
export async function findStoredResponse<T>(db: Database, key: IdempotencyKey): Promise<T | undefined> {
  const { user_id, digests } = key
  const [stored] = await executeCompiled(db, selectResponse, { user_id, key: key.key })
  if (stored && !digests.includes(stored.digest)) throw refuse('idempotency_key_reused')
  return (stored?.answer as { of: T } | undefined)?.of
}

function selectResponse(db: Db, { user_id, key }: Omit<IdempotencyKey, 'digests'>) {
  return db
    .selectFrom('idempotency_keys')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .select(['digest', 'answer'])
}

/** Stores a response in the transaction of its change. A parallel request fails on the primary key. */
export async function storeResponse(em: EntityManager, key: IdempotencyKey, now: Date, response: unknown) {
  const { user_id, digests } = key
  const row = { user_id, key: key.key, digest: digests[0]! }
  await executeCompiled(em, insertResponse, { ...row, now, text: toJsonText({ of: response }) })
}

type NewResponse = { user_id: number; key: string; digest: string; now: Date; text: string }

function insertResponse(db: Db, { now, text, ...row }: NewResponse) {
  return db
    .insertInto('idempotency_keys')
    .values({ ...row, answer: sql`${text}::text::jsonb`, created_at: now })
}

import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Database, type Db, type EntityManager } from '../../db/database'
import { withQueryDeadline } from '../../db/deadlines'
import { toJsonText } from '../../db/json-text'
import type { Deps } from '../deps'

const RELEASE_RETRY_MS = 500
const MAX_RELEASE_ATTEMPTS = 600
/** A lease may still be committed by a database that was frozen, so one empty look proves nothing. */
const MAX_EMPTY_RELEASES = 3

export type IdempotencyKeyId = { user_id: number; key: string }
export type Lease = IdempotencyKeyId & { claimed_until: Date }
type NewLease = Lease & { digest: string; now: Date }

/** Leases a key that is new, or whose lease expired without a response. Returns whether it succeeded. */
export async function leaseKey(deps: Deps, lease: NewLease) {
  const { user_id, key, claimed_until, digest, now } = lease
  const insert = getKysely(deps.db)
    .insertInto('idempotency_keys')
    .values({ user_id, key, digest, claimed_until, created_at: now })
    .onConflict(conflict =>
      conflict
        .columns(['user_id', 'key'])
        .doUpdateSet(e => ({ claimed_until: e.ref('excluded.claimed_until') }))
        .where('idempotency_keys.answer', 'is', null)
        .where('idempotency_keys.claimed_until', '<=', now.toISOString())
        .where('idempotency_keys.digest', '=', digest),
    )
    .returning('key')
  try {
    return (await insert.executeTakeFirst()) !== undefined
  } catch (error) {
    // The insert may have been committed although its response was lost.
    void retryRelease(deps, lease)
    throw error
  }
}

/** Deletes a lease after failed work, so that the request can be sent again. */
export async function releaseLease(deps: Deps, lease: Lease) {
  try {
    await deleteLease(deps, lease)
  } catch {
    void retryRelease(deps, lease)
  }
}

/** Without the retries, a lease that outlives a database outage would delay the next request until it expires. */
async function retryRelease(deps: Deps, lease: Lease) {
  let emptyReleases = 0
  for (let attempt = 1; attempt <= MAX_RELEASE_ATTEMPTS; attempt++) {
    await Bun.sleep(RELEASE_RETRY_MS)
    try {
      const context = { leftMs: deps.config.DATABASE_TIMEOUT_MS }
      const { numDeletedRows } = await withQueryDeadline(context, () => deleteLease(deps, lease))
      if (numDeletedRows > 0) return
      emptyReleases++
      if (emptyReleases === MAX_EMPTY_RELEASES) return
    } catch (error) {
      if (attempt === 1)
        deps.log.warn({ err: error }, 'An idempotency key could not be released; it is retried')
    }
  }
}

function deleteLease(deps: Deps, { user_id, key, claimed_until }: Lease) {
  return getKysely(deps.db)
    .deleteFrom('idempotency_keys')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('answer', 'is', null)
    .where('claimed_until', '=', claimed_until.toISOString())
    .executeTakeFirstOrThrow()
}

export function findKey(deps: Deps, { user_id, key }: IdempotencyKeyId) {
  return getKysely(deps.db)
    .selectFrom('idempotency_keys')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .select(['digest', 'answer'])
    .executeTakeFirst()
}

/** Stores a response once; the first one stays. */
export function storeResponse(db: EntityManager | Database, id: IdempotencyKeyId, response: unknown) {
  return executeCompiled(db, updateResponse, { ...id, response: toJsonText({ of: response }) })
}

function updateResponse(db: Db, { user_id, key, response }: IdempotencyKeyId & { response: string }) {
  return db
    .updateTable('idempotency_keys')
    .set({ answer: sql`${response}::text::jsonb` })
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('answer', 'is', null)
}

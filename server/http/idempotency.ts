import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../db/database'
import { withQueryDeadline } from '../../db/deadlines'
import { toJsonText } from '../../db/json-text'
import { query } from '../../db/orm'
import type { Deps } from '../deps'
import { badRequest, unavailable } from '../faults'
import type { Actor } from './authentication'
import { getRequestPath } from './security-headers'

const POLL_MS = 25
const GIVE_UP_MS = 500
type Run = { user_id: number; key: string }
const running = new AsyncLocalStorage<Run>()

type Asked = { request: Request; actor: Actor; body: unknown }

/**
 * Does a piece of work once for each `Idempotency-Key` of a user: the same key and body are given the first answer
 * again for 24 hours, whether they come later or at the same time. Work that failed counts as not done.
 * @throws BAD_REQUEST The key is malformed, or was used for something else.
 */
export async function withIdempotency<T>(
  deps: Deps,
  { request, actor, body }: Asked,
  work: () => Promise<T>,
): Promise<T> {
  const key = request.headers.get('idempotency-key')
  if (key === null) return work()
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw badRequest('Idempotency-Key must be 1 to 255 visible characters of ASCII')
  const run = { user_id: actor.id, key }
  const db = query(deps.orm)
  const row = () =>
    db.selectFrom('idempotency_keys').where('user_id', '=', run.user_id).where('key', '=', key)
  const leaseMs = 2 * deps.config.PROVIDER_TOTAL_TIMEOUT_MS + 15_000
  const digest = createHash('sha256')
    .update(JSON.stringify([request.method, getRequestPath(request), body]))
    .digest('hex')

  for (const began = performance.now(); performance.now() - began < leaseMs; await Bun.sleep(POLL_MS)) {
    const now = deps.now()
    // Whoever had it and has not answered in time was cut off.
    const claimed_until = new Date(now.getTime() + leaseMs)
    const giveUp = () =>
      db
        .deleteFrom('idempotency_keys')
        .where('user_id', '=', run.user_id)
        .where('key', '=', key)
        .where('answer', 'is', null)
        .where('claimed_until', '=', claimed_until.toISOString())
        .executeTakeFirst()
    const claimed = await db
      .insertInto('idempotency_keys')
      .values({ ...run, digest, claimed_until, created_at: now })
      .onConflict(conflict =>
        conflict
          .columns(['user_id', 'key'])
          .doUpdateSet(e => ({ claimed_until: e.ref('excluded.claimed_until') }))
          .where('idempotency_keys.answer', 'is', null)
          .where('idempotency_keys.claimed_until', '<=', now.toISOString())
          .where('idempotency_keys.digest', '=', digest),
      )
      .returning('key')
      .executeTakeFirst()
      .catch(error => {
        void insist(deps, giveUp) // it may have come through
        throw error
      })
    if (claimed) {
      try {
        const answer = await running.run(run, work)
        await saveIdempotentResponse(deps.db, answer, run)
        return answer
      } catch (error) {
        await giveUp().catch(() => void insist(deps, giveUp))
        throw error
      }
    }
    const known = await row().select(['digest', 'answer']).executeTakeFirst()
    if (known && known.digest !== digest) throw badRequest('The Idempotency-Key was used for another request')
    if (known?.answer) return (known.answer as { of: T }).of
  }
  throw unavailable('The same request is still being worked on')
}

/** While the database is away a claim cannot be given up, and would make whoever sends the request again wait for its end. */
async function insist({ log, config }: Deps, giveUp: () => Promise<{ numDeletedRows: bigint }>) {
  for (let tries = 0, none = 0; tries < 600 && none < 3; tries++) {
    await Bun.sleep(GIVE_UP_MS)
    try {
      if ((await withQueryDeadline({ leftMs: config.DATABASE_TIMEOUT_MS }, giveUp)).numDeletedRows) return
      none++ // what was frozen may still come through
    } catch (error) {
      if (tries === 0) log.warn({ err: error }, 'A claim cannot be given up yet; it is tried again')
    }
  }
}

/** Stores the response in the transaction of its change: a crash leaves both or neither. */
export async function saveIdempotentResponse<T>(
  db: EntityManager | Database,
  response: T,
  run = running.getStore(),
): Promise<T> {
  if (run) await executeCompiled(db, updateResponse, { ...run, response: toJsonText({ of: response }) })
  return response
}

function updateResponse(db: Db, { user_id, key, response }: Run & { response: string }) {
  return db
    .updateTable('idempotency_keys')
    .set({ answer: sql`${response}::text::jsonb` })
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('answer', 'is', null)
}

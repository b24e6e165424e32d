import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { query, type Em } from '../../db/orm'
import type { Deps } from '../deps'
import { badRequest, unavailable } from '../faults'
import type { Actor } from './actor'
import { pathOf } from './edge'

const POLL_MS = 25
type Run = { user_id: number; key: string }
const running = new AsyncLocalStorage<Run>()

type Asked = { request: Request; actor: Actor; body: unknown }

/**
 * Does a piece of work once for each `Idempotency-Key` of a user: the same key and body are given the first answer
 * again for 24 hours, whether they come later or at the same time. Work that failed counts as not done.
 * @throws BAD_REQUEST The key is malformed, or was used for something else.
 */
export async function once<T>(deps: Deps, { request, actor, body }: Asked, work: () => Promise<T>): Promise<T> {
  const key = request.headers.get('idempotency-key')
  if (key === null) return work()
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw badRequest('Idempotency-Key must be 1 to 255 visible characters of ASCII')
  const run = { user_id: actor.id, key }, db = query(deps.orm.em.fork()), row = () => db.selectFrom('idempotency_keys').where('user_id', '=', run.user_id).where('key', '=', key)
  const leaseMs = 2 * deps.config.PROVIDER_BUDGET_MS + 15_000, digest = createHash('sha256').update(JSON.stringify([request.method, pathOf(request), body])).digest('hex')

  for (const began = performance.now(); performance.now() - began < leaseMs; await Bun.sleep(POLL_MS)) {
    const now = deps.now()
    // Whoever had it and has not answered in time was cut off.
    const claimed = await db.insertInto('idempotency_keys').values({ ...run, digest, claimed_until: new Date(now.getTime() + leaseMs), created_at: now })
      .onConflict(conflict => conflict.columns(['user_id', 'key']).doUpdateSet(e => ({ claimed_until: e.ref('excluded.claimed_until') }))
        .where('idempotency_keys.answer', 'is', null).where('idempotency_keys.claimed_until', '<=', now.toISOString()).where('idempotency_keys.digest', '=', digest)).returning('key').executeTakeFirst()
    if (claimed) {
      try {
        const answer = await running.run(run, work)
        await keep(deps.orm.em.fork(), answer, run)
        return answer
      } catch (error) {
        await db.deleteFrom('idempotency_keys').where('user_id', '=', run.user_id).where('key', '=', key).where('answer', 'is', null).execute()
        throw error
      }
    }
    const known = await row().select(['digest', 'answer']).executeTakeFirst()
    if (known && known.digest !== digest) throw badRequest('The Idempotency-Key was used for another request')
    if (known?.answer) return (known.answer as { of: T }).of
  }
  throw unavailable('The same request is still being worked on')
}

/** Keeps the answer of the work that is being done, in the transaction of its change: a crash leaves both or neither. */
export async function keep<T>(tx: Em, answer: T, run = running.getStore()): Promise<T> {
  if (run) await query(tx).updateTable('idempotency_keys').set({ answer: sql`${JSON.stringify({ of: answer })}::jsonb` }).where('user_id', '=', run.user_id).where('key', '=', run.key).where('answer', 'is', null).execute()
  return answer
}

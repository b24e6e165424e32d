import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Database, EntityManager } from '../../db/database'
import { trackQueryTime } from '../../db/deadlines'
import type { Deps } from '../deps'
import { refuse } from '../faults'
import type { Actor } from './authentication'
import { findKey, leaseKey, releaseLease, storeResponse, type IdempotencyKeyId } from './idempotency-keys'
import { getRequestPath } from './security-headers'

const MIN_POLL_MS = 25
const MAX_POLL_MS = 400
/** Added to the time that two calls to a provider may take. */
const LEASE_MARGIN_MS = 15_000

type KeyedRequest = { request: Request; actor: Actor; body: unknown }

const KEY_PATTERN = '^[!-~]{1,255}$'

/** For the `detail` of a route whose handler uses `withIdempotency`. */
export const idempotencyParameters = {
  parameters: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'A repeated request with the same key and body gets the first response, for 24 hours',
      schema: { type: 'string' as const, pattern: KEY_PATTERN },
    },
  ],
}

const currentKey = new AsyncLocalStorage<IdempotencyKeyId>()

/**
 * Runs work once for each `Idempotency-Key` of a user. For 24 hours the same key and body get the first response,
 * also when they arrive in parallel. Failed work may be sent again.
 * @throws BAD_REQUEST The key is malformed, or was used for another request.
 * @throws SERVICE_UNAVAILABLE The first request is still running.
 */
export async function withIdempotency<T>(
  deps: Deps,
  keyed: KeyedRequest,
  work: () => Promise<T>,
): Promise<T> {
  const key = getIdempotencyKey(keyed.request)
  if (key === null) return work()

  const id = { user_id: keyed.actor.id, key }
  const digest = hashRequest(keyed)
  const leaseMs = 2 * deps.config.PROVIDER_TOTAL_TIMEOUT_MS + LEASE_MARGIN_MS
  const startedAt = performance.now()
  let pollMs = MIN_POLL_MS

  while (performance.now() - startedAt < leaseMs) {
    const giveBackTime = trackQueryTime()
    const now = deps.now()
    const lease = { ...id, claimed_until: new Date(now.getTime() + leaseMs) }
    if (await leaseKey(deps, { ...lease, digest, now })) {
      try {
        const response = await currentKey.run(id, work)
        return await saveIdempotentResponse(deps.db, response, id)
      } catch (error) {
        await releaseLease(deps, lease)
        throw error
      }
    }

    const first = await findKey(deps, id)
    if (first && first.digest !== digest) throw refuse('idempotency_key_reused')
    if (first?.answer) return (first.answer as { of: T }).of
    giveBackTime()
    await Bun.sleep(pollMs)
    pollMs = Math.min(2 * pollMs, MAX_POLL_MS)
  }
  throw refuse('request_in_progress')
}

/** Saves the response in the transaction of its change: a crash leaves both or neither. */
export async function saveIdempotentResponse<T>(
  db: EntityManager | Database,
  response: T,
  id = currentKey.getStore(),
): Promise<T> {
  if (id) await storeResponse(db, id, response)
  return response
}

function getIdempotencyKey({ headers }: Request) {
  const key = headers.get('idempotency-key')
  if (key !== null && !new RegExp(KEY_PATTERN).test(key)) throw refuse('idempotency_key_invalid')
  return key
}

function hashRequest({ request, body }: KeyedRequest) {
  const content = JSON.stringify([request.method, getRequestPath(request), body])
  return createHash('sha256').update(content).digest('hex')
}

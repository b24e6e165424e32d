import { AsyncLocalStorage } from 'node:async_hooks'
import { bulkhead, BulkheadRejectedError } from 'cockatiel'
import { refuse } from '../errors'

const RETRY_AFTER_S = 2

type FullReason = 'documents_busy' | 'passwords_busy' | 'pictures_busy' | 'too_many_requests'

/** Runs so many works at a time while so many wait, and refuses the rest. */
export function createQueue(maxAtOnce: number, maxWaiting: number, reason: FullReason) {
  const policy = bulkhead(maxAtOnce, maxWaiting)
  return {
    isIdle: () => policy.executionSlots === maxAtOnce,

    async run<T>(work: () => Promise<T>): Promise<T> {
      try {
        // Bound, since the request that leaves a slot would start the next work in its own context.
        return await policy.execute(AsyncLocalStorage.bind(work))
      } catch (error) {
        if (!(error instanceof BulkheadRejectedError)) throw error
        throw refuse(reason, {}, { cause: error, retryAfterS: RETRY_AFTER_S })
      }
    },
  }
}

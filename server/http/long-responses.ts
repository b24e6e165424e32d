import { createFairQueue, QueueFullError } from '../auth/fair-queue'
import { refuse } from '../faults'

/** The rest of the ten connections to the database is for short requests. */
const MAX_AT_ONCE = 6
const MAX_OF_USER = 2
const MAX_WAITING = 200
const RETRY_AFTER_S = 2

export type LongResponses = ReturnType<typeof createLongResponses>

/** Runs what reads or writes many records of a user, so that the long responses of one do not starve the others. */
export const createLongResponses = () => createTurns(MAX_AT_ONCE, MAX_OF_USER)

/** Runs exports, each of which may take some hundred megabytes: one at a time. */
export const createExports = () => createTurns(1, 1)

/** Users take turns. A request waits before it asks the database, so this takes none of its time there. */
function createTurns(maxAtOnce: number, maxOfUser: number) {
  const runInTurn = createFairQueue(maxAtOnce, MAX_WAITING, maxOfUser)

  /** @throws TOO_MANY_REQUESTS Too many requests wait. */
  return async <T>(userId: number, work: () => Promise<T>): Promise<T> => {
    try {
      return await runInTurn(String(userId), work)
    } catch (error) {
      if (!(error instanceof QueueFullError)) throw error
      throw refuse('too_many_long_responses', {}, { cause: error, retryAfterS: RETRY_AFTER_S })
    }
  }
}

import { bulkhead, BulkheadRejectedError } from 'cockatiel'
import { unavailable } from '../faults'

const ARGON2_COST = { algorithm: 'argon2id', memoryCost: 65_536, timeCost: 3 } as const

/** Matches no password: comparing with it hides by timing whether a user has one. */
const DUMMY_HASH =
  '$argon2id$v=19$m=65536,t=3,p=1$aWImpArlyM0NUBrVUIXwYaxgyv70NPJvktn38LE4QIA$8GS8KYrCW4OvZHTGkr+Uz8yQcv1DgKj+jjZnZb53yxk'

/** Bounds the waiting time: further requests get 503 at once. */
const MAX_QUEUED_PER_SLOT = 50
const RETRY_AFTER_S = 2

export type Passwords = ReturnType<typeof createPasswords>

/** Hashes and verifies passwords with argon2id: at most `concurrency` at a time, as each takes a CPU and 64 MiB. */
export function createPasswords(concurrency: number) {
  const queue = bulkhead(concurrency, MAX_QUEUED_PER_SLOT * concurrency)

  async function runQueued<T>(work: () => Promise<T>) {
    try {
      return await queue.execute(work)
    } catch (error) {
      const isQueueFull = error instanceof BulkheadRejectedError
      throw isQueueFull ? unavailable('Too many passwords are being checked', error, RETRY_AFTER_S) : error
    }
  }

  return {
    hash(password: string) {
      return runQueued(() => Bun.password.hash(password, ARGON2_COST))
    },

    /** Returns false for a user without a hash, after the same time. */
    async verify(password: string, hash: string | null | undefined) {
      const isMatch = await runQueued(() => Bun.password.verify(password, hash ?? DUMMY_HASH))
      return isMatch && Boolean(hash)
    },
  }
}

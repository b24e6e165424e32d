import { refuse } from '../faults'
import { createFairQueue, QueueFullError } from './fair-queue'

const ARGON2_COST = { algorithm: 'argon2id', memoryCost: 65_536, timeCost: 3 } as const

/** Matches no password: comparing with it hides by timing whether a user has one. */
const DUMMY_HASH =
  '$argon2id$v=19$m=65536,t=3,p=1$aWImpArlyM0NUBrVUIXwYaxgyv70NPJvktn38LE4QIA$8GS8KYrCW4OvZHTGkr+Uz8yQcv1DgKj+jjZnZb53yxk'

/** Bounds the waiting time: what is beyond it gets 503 at once. */
const MAX_QUEUED_PER_SLOT = 50
const RETRY_AFTER_S = 2

/** Signed-in users, of whose requests the network is not known. */
const SIGNED_IN = 'signed in'

export type Passwords = ReturnType<typeof createPasswords>

/**
 * Hashes and verifies passwords with argon2id: at most `concurrency` at a time, as each takes a CPU and 64 MiB.
 * Networks take turns, so that a flood of logins from one of them does not shut out the others.
 */
export function createPasswords(concurrency: number) {
  const runInTurn = createFairQueue(concurrency, MAX_QUEUED_PER_SLOT * concurrency)

  async function run<T>(network: string, work: () => Promise<T>) {
    try {
      return await runInTurn(network, work)
    } catch (error) {
      const isQueueFull = error instanceof QueueFullError
      throw isQueueFull ? refuse('passwords_busy', {}, { cause: error, retryAfterS: RETRY_AFTER_S }) : error
    }
  }

  return {
    hash(password: string, network = SIGNED_IN) {
      return run(network, () => Bun.password.hash(password, ARGON2_COST))
    },

    /** Returns false for a user without a hash, after the same time. */
    async verify(password: string, hash: string | null | undefined, network = SIGNED_IN) {
      const isMatch = await run(network, () => Bun.password.verify(password, hash ?? DUMMY_HASH))
      return isMatch && Boolean(hash)
    },
  }
}

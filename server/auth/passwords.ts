import { refuse } from '../faults'
import { createFairQueue, QueueFullError } from '../http/limits/fair-queue'

/** What one hash costs. Comparing with its dummy hash, which no password matches, takes the same time. */
export type HashCost = { memoryCost: number; timeCost: number; dummyHash: string }

const PRODUCTION_COST: HashCost = {
  memoryCost: 65_536,
  timeCost: 3,
  dummyHash:
    '$argon2id$v=19$m=65536,t=3,p=1$aWImpArlyM0NUBrVUIXwYaxgyv70NPJvktn38LE4QIA$8GS8KYrCW4OvZHTGkr+Uz8yQcv1DgKj+jjZnZb53yxk',
}

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
export function createPasswords(concurrency: number, cost = PRODUCTION_COST) {
  const { memoryCost, timeCost, dummyHash } = cost
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
      return run(network, () => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost, timeCost }))
    },

    /** Returns false for a user without a hash, after the same time: timing does not tell who has one. */
    async verify(password: string, hash: string | null | undefined, network = SIGNED_IN) {
      const isMatch = await run(network, () => Bun.password.verify(password, hash ?? dummyHash))
      return isMatch && Boolean(hash)
    },
  }
}

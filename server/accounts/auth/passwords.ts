import type { Passwords } from '../../deps'
import { createQueue } from '../../queues/queue'

/** What one hash costs. Comparing with its dummy hash, which no password matches, takes the same time. */
export type HashCost = { memoryCost: number; timeCost: number; dummyHash: string }

const PRODUCTION_COST: HashCost = {
  memoryCost: 65_536,
  timeCost: 3,
  dummyHash:
    '$argon2id$v=19$m=65536,t=3,p=1$aWImpArlyM0NUBrVUIXwYaxgyv70NPJvktn38LE4QIA$8GS8KYrCW4OvZHTGkr+Uz8yQcv1DgKj+jjZnZb53yxk',
}

/** Bounds the waiting time: what is beyond it gets 503 at once. */
const MAX_WAITING_PER_SLOT = 50

/** Hashes and verifies passwords with argon2id: at most `concurrency` at a time, as each takes a CPU and 64 MiB. */
export function createPasswords(concurrency: number, cost = PRODUCTION_COST): Passwords {
  const { memoryCost, timeCost, dummyHash } = cost
  const queue = createQueue(concurrency, MAX_WAITING_PER_SLOT * concurrency, 'passwords_busy')

  return {
    hash(password) {
      return queue.run(() => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost, timeCost }))
    },

    async verify(password, hash) {
      const isMatch = await queue.run(() => Bun.password.verify(password, hash ?? dummyHash))
      return isMatch && Boolean(hash)
    },
  }
}

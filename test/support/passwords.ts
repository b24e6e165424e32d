import { createPasswords, type HashCost } from '../../server/accounts/auth/passwords'

const CONCURRENCY = 2

const CHEAP: Omit<HashCost, 'dummyHash'> = { memoryCost: 8, timeCost: 1 }

/** Hashes in under a millisecond; everything else is the product's, the dummy hash of the same cost too. */
export function cheapPasswords(concurrency = CONCURRENCY) {
  const dummyHash = Bun.password.hashSync(crypto.randomUUID(), { algorithm: 'argon2id', ...CHEAP })
  return createPasswords(concurrency, { ...CHEAP, dummyHash })
}

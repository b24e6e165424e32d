import { bulkhead, BulkheadRejectedError } from 'cockatiel'
import { unavailable } from '../faults'

const cost = { algorithm: 'argon2id', memoryCost: 65_536, timeCost: 3 } as const

// The hash of a password that nobody knows: comparing with it takes as long as with a real one.
const NOBODYS =
  '$argon2id$v=19$m=65536,t=3,p=1$aWImpArlyM0NUBrVUIXwYaxgyv70NPJvktn38LE4QIA$8GS8KYrCW4OvZHTGkr+Uz8yQcv1DgKj+jjZnZb53yxk'

/** So many wait for each hash that is being made; the next ones are told to come again, instead of waiting longer than anybody would. */
const WAITING = 50

export type Passwords = ReturnType<typeof createPasswords>

/** argon2id. Each hash takes a processor and 64 MiB, so that no more than `atOnce` are made together, however many logins come. */
export function createPasswords(atOnce: number) {
  const places = bulkhead(atOnce, WAITING * atOnce)
  const inTurn = <T>(work: () => Promise<T>) =>
    places.execute(work).catch(error => {
      throw error instanceof BulkheadRejectedError
        ? unavailable('Too many passwords are being checked', error, 2)
        : error
    })
  return {
    hash: (password: string) => inTurn(() => Bun.password.hash(password, cost)),
    /** Without a hash it is nobody's password, which takes as long to find. */
    verify: async (password: string, hash: string | null | undefined) =>
      (await inTurn(() => Bun.password.verify(password, hash ?? NOBODYS))) && !!hash,
  }
}

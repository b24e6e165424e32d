import { createHmac } from 'node:crypto'

/**
 * Names a phone number in the key of a limit that outlives an erasure: after it, nothing else leads back to the
 * number, and the same person who signs up again meets the same limit.
 */
export function hashPhone({ JWT_SECRET }: { JWT_SECRET: string }, phone: string) {
  return createHmac('sha256', `phone:${JWT_SECRET}`).update(phone).digest('hex')
}

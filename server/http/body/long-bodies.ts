import type { Tokens } from '../tokens'
import { refuse } from '../../faults'

/** Room for two of the longest bodies, which take several times as much once they are parsed. */
const MAX_BYTES_PER_USER = 32 * 1024 * 1024
/** What a worker has memory for. */
const MAX_BYTES = 3 * MAX_BYTES_PER_USER
const RETRY_AFTER_S = 2

/** The bytes of a body that are counted as in memory, until it is handled. */
export type BodyReservation = {
  /** @throws TOO_MANY_REQUESTS The user, or all users together, send too much at once. */
  extendTo: (bytes: number) => void
  release: () => void
}

/**
 * Limits the long bodies of a user, and of all, that are read and handled at the same time. Without a token no long body is
 * read, except from the sandbox's own adapter.
 */
export function createLongBodies(tokens: Tokens) {
  const bytesByUser = new Map<number, number>()
  let allBytes = 0

  return function reserve(request: Request): BodyReservation {
    let reserved = 0
    const add = (userId: number, bytes: number) => {
      const total = (bytesByUser.get(userId) ?? 0) + bytes
      const isTooMuch = total > MAX_BYTES_PER_USER || allBytes + bytes > MAX_BYTES
      if (bytes > 0 && isTooMuch) throw refuse('too_many_long_bodies', {}, { retryAfterS: RETRY_AFTER_S })
      if (total > 0) bytesByUser.set(userId, total)
      else bytesByUser.delete(userId)
      reserved += bytes
      allBytes += bytes
    }
    const userId = tokens.read(request.headers.get('authorization'))?.userId
    if (userId === undefined) return { extendTo: () => {}, release: () => {} }
    return { extendTo: bytes => add(userId, bytes - reserved), release: () => add(userId, -reserved) }
  }
}

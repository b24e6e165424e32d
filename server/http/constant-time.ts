import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares in a time that tells nothing of where the two differ. */
export const equalsInConstantTime = (given: string, right: string) =>
  timingSafeEqual(digest(given), digest(right))
const digest = (text: string) => createHash('sha256').update(text).digest()

/** The bearer token of a request, or nothing. */
export const getBearerToken = (request: Request) =>
  request.headers.get('authorization')?.replace(/^Bearer +/i, '') ?? ''

import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares two texts in a time that does not reveal where they differ. */
export function equalsInConstantTime(actual: string, expected: string) {
  return timingSafeEqual(hash(actual), hash(expected))
}

function hash(text: string) {
  return createHash('sha256').update(text).digest()
}

/** Returns the bearer token of a request, or an empty text. */
export function getBearerToken(request: Request) {
  return request.headers.get('authorization')?.replace(/^Bearer +/i, '') ?? ''
}

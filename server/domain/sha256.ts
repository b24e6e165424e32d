import { createHash } from 'node:crypto'

/** Returns the SHA-256 in hex. */
export function toSha256(content: string | Uint8Array) {
  return createHash('sha256').update(content).digest('hex')
}

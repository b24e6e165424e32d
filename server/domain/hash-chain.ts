import { toSha256 } from './sha256'

type Link = { position: number; hash: string }
type Head = { length: number; hash: string | null }

/**
 * The SHA-256, in hex, of this JSON array: the previous link's hash, the UUID of the record that has the chain, and
 * the fields of the link. Stored hashes depend on it, so it never changes.
 */
export function hashLink(previousHash: string | null | undefined, recordId: string, fields: unknown[]) {
  return toSha256(JSON.stringify([previousHash ?? '', recordId, ...fields]))
}

/** Whether each link's hash follows from the one before, and the last one is the head. */
export function isChainIntact<L extends Link>(
  links: L[],
  head: Head,
  toHash: (previousHash: string | undefined, link: L) => string,
) {
  const isComplete = links.length === head.length && (links.at(-1)?.hash ?? null) === head.hash
  return (
    isComplete &&
    links.every(
      (link, index) => link.position === index + 1 && link.hash === toHash(links[index - 1]?.hash, link),
    )
  )
}

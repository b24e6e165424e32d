import { runInSlot } from '../../../db/deadlines'
import type { Actor, Deps } from '../../deps'
import { findPdfProblem } from '../../documents/files'
import { refuse } from '../../errors'
import { consumeRateLimits, toDailyLimit } from '../limits/rate-limits'

/** The body of a request that sends a file, in the API's description. */
export const FILE_BODY = {
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
} as const

/** What a route that reads a file may answer beside its own rules. */
export const FILE_REASONS = [
  'body_not_readable',
  'documents_busy',
  'file_locked',
  'file_not_read',
  'file_not_whole',
] as const

const PERCENT = 0x25

/**
 * Counts the files that a user sends, before they are read: nothing else that an account stores is as large, or as costly.
 * @throws TOO_MANY_REQUESTS The user sent too many in a day.
 */
export function consumeFile({ config, db, now }: Deps, actor: Actor) {
  const limit = toDailyLimit(config, `files:${actor.id}`, config.FILE_LIMIT_PER_USER)
  return runInSlot(() => consumeRateLimits(db, now(), [limit], 'too_many_changes'))
}

/** Reads one file of a user at a time. */
export const readAlone = <T>({ limiter }: Deps, { id }: Actor, read: () => Promise<T>) =>
  limiter.run(`files of ${id}`, read, 1)

/**
 * @throws BAD_REQUEST People could not read it. A file that is no PDF, though it mentions its header, is `other`.
 * @throws SERVICE_UNAVAILABLE Too many wait, or it took too long.
 */
export async function requireReadablePdf(bytes: Uint8Array, other: 'file_not_pdf' | 'file_not_supported') {
  const problem = await findPdfProblem(bytes)
  if (problem === 'locked') throw refuse('file_locked')
  if (problem) throw refuse(bytes[0] === PERCENT ? 'file_not_whole' : other)
}

import type { Agreement } from '../../../db/entities'
import type { Tx } from '../../deps'
import { consumeRateLimits, toDailyLimit } from '../../http/limits/rate-limits'

/**
 * Counts what a party posts by hand to a lease, since the other one has it in their statement too: a charge, credit,
 * payment or refund, a change of one, or a proposal.
 * @throws TOO_MANY_REQUESTS The lease had too many in a day.
 */
export function consumePosting({ em, config, now }: Tx, { id }: Agreement) {
  const limit = toDailyLimit(config, `postings:${id}`, config.POSTING_LIMIT_PER_LEASE)
  return consumeRateLimits(em, now(), [limit], 'too_many_postings')
}

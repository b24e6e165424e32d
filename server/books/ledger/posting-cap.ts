import type { Agreement } from '../../../db/entities'
import type { Tx } from '../../deps'
import { consumeRateLimits, toDailyLimit } from '../../http/limits/rate-limits'

/**
 * Counts what a party posts by hand to a lease, since the other one has it in their statement too: a charge, credit,
 * payment or refund, a change of one, or a proposal.
 * @throws TOO_MANY_REQUESTS The lease had too many in a day.
 */
export function consumePosting(tx: Tx, { id }: Agreement) {
  return consumePostings(tx, [{ id, uses: 1 }])
}

/** Counts several postings to several leases. */
export function consumePostings({ em, config, now }: Tx, postings: { id: number; uses: number }[]) {
  const limits = postings.map(({ id, uses }) => ({
    ...toDailyLimit(config, `postings:${id}`, config.POSTING_LIMIT_PER_LEASE),
    uses,
  }))
  return consumeRateLimits(em, now(), limits, 'too_many_postings')
}

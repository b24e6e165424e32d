import type { EntityManager } from '../../db/database'
import type { Deps } from '../deps'
import { DAY_MS } from '../domain/durations'
import { consumeRateLimits } from '../http/limits/rate-limits'

/** What is done by hand makes an account, timeline or feed longer, and with it the work of those who read it. */
const dailyLimits = {
  /** Changes of a draft's terms, requests for signatures, and drafts of a next term. */
  changes: { setting: 'CHANGE_LIMIT_PER_AGREEMENT', reason: 'too_many_agreement_changes' },
  /** Those that are posted by hand, and credits. */
  charges: { setting: 'CHARGE_LIMIT_PER_AGREEMENT', reason: 'too_many_charges' },
  /** Those that are recorded, changes of them, and refunds. */
  payments: { setting: 'PAYMENT_LIMIT_PER_AGREEMENT', reason: 'too_many_payments' },
  /** Settlements of the deposit, and rents. */
  proposals: { setting: 'PROPOSAL_LIMIT_PER_AGREEMENT', reason: 'too_many_proposals' },
  /** Those that a landlord lists: a search compares the names of all properties at a PIN code. */
  properties: { setting: 'PROPERTY_LIMIT_PER_LANDLORD', reason: 'too_many_properties' },
} as const

/** @throws TOO_MANY_REQUESTS The agreement or landlord had too many of these in a day. */
export function consumeDailyLimit(
  em: EntityManager,
  { config, now }: Pick<Deps, 'config' | 'now'>,
  { id }: { id: number | string },
  kind: keyof typeof dailyLimits,
) {
  const { setting, reason } = dailyLimits[kind]
  const max = config[setting] * config.rateLimitMultiplier
  return consumeRateLimits(em, now(), [{ key: `${kind}:${id}`, max, windowMs: DAY_MS }], reason)
}

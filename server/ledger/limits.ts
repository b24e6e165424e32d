import type { EntityManager } from '../../db/database'
import type { Deps } from '../deps'
import { DAY_MS } from '../domain/durations'
import { consumeRateLimits } from '../http/rate-limits'
import type { Books } from './books'

// What is posted by hand makes an account longer, and with it the work of those who read it.

/** @throws TOO_MANY_REQUESTS The agreement got too many charges by hand in a day. */
export function limitCharges(em: EntityManager, { config, now }: Deps, { agreement }: Books) {
  const max = config.CHARGE_LIMIT_PER_AGREEMENT * config.rateLimitMultiplier
  const limit = { key: `charges:${agreement.id}`, max, windowMs: DAY_MS }
  return consumeRateLimits(em, now(), [limit], 'too_many_charges')
}

/** @throws TOO_MANY_REQUESTS The agreement got too many payments in a day. */
export function limitPayments(em: EntityManager, { config, now }: Deps, { agreement }: Books) {
  const max = config.PAYMENT_LIMIT_PER_AGREEMENT * config.rateLimitMultiplier
  const limit = { key: `payments:${agreement.id}`, max, windowMs: DAY_MS }
  return consumeRateLimits(em, now(), [limit], 'too_many_payments')
}

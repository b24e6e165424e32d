import type { EntityManager } from '../../../db/database'
import type { Deps } from '../../deps'
import { hashPhone } from '../../domain/phone-hash'
import { consumeRateLimits, toDailyLimit } from '../../http/limits/rate-limits'

/**
 * Counts a request for a party's own signature, which the provider bills.
 * @throws TOO_MANY_REQUESTS The party started too many in a day.
 */
export function consumeOwnSigning(
  em: EntityManager,
  { config, now }: Pick<Deps, 'config' | 'now'>,
  phone: string,
) {
  const key = `own-signings:${hashPhone(config, phone)}`
  const limit = toDailyLimit(config, key, config.OWN_SIGNING_LIMIT_PER_USER)
  return consumeRateLimits(em, now(), [limit], 'too_many_starts')
}

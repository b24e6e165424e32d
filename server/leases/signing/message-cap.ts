import { executeCompiled } from '../../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../../db/database'
import type { Deps } from '../../deps'
import { DAY_MS } from '../../domain/durations'
import { hashPhone } from '../../domain/phone-hash'
import { consumeRateLimits, type RateLimitRule } from '../../http/limits/rate-limits'

/**
 * Counts a request to sign or a reminder of a landlord's agreement, for each of these phone numbers, the landlord's
 * too. Returns what counted it, for a refund.
 * @throws TOO_MANY_REQUESTS One of them, or all together, got too many in a day.
 */
export async function consumeMessages(
  of: EntityManager | Database,
  { config, now }: Pick<Deps, 'config' | 'now'>,
  landlordId: number,
  phones: string[],
) {
  if (phones.length === 0) return []
  const { MESSAGE_LIMIT_PER_PERSON, MESSAGE_LIMIT_PER_LANDLORD, rateLimitMultiplier } = config
  const [landlord] = await executeCompiled(of, selectPhone, { id: landlordId })
  const key = `messages:${hashPhone(config, landlord!.phone)}`
  const ofLandlord = { key, max: MESSAGE_LIMIT_PER_LANDLORD * rateLimitMultiplier, windowMs: DAY_MS }
  const max = MESSAGE_LIMIT_PER_PERSON * rateLimitMultiplier
  const limits: RateLimitRule[] = []
  for (const phone of phones) {
    const ofPerson = { key: `${key}:${hashPhone(config, phone)}`, max, windowMs: DAY_MS }
    limits.push(...(await consumeRateLimits(of, now(), [ofLandlord, ofPerson], 'too_many_messages')))
  }
  return limits
}

function selectPhone(db: Db, { id }: { id: number }) {
  return db.selectFrom('users').where('id', '=', id).select('phone')
}

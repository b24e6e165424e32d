import { executeCompiled } from '../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../db/database'
import type { Deps } from '../deps'
import { hashPhone } from '../domain/phone-hash'
import { consumeRateLimits, toDailyLimit, type RateLimitRule } from '../http/limits/rate-limits'

/**
 * Counts a request to sign, a reminder or another message of a landlord's agreement, for each of these phone numbers, the landlord's
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
  const [landlord] = await executeCompiled(of, selectPhone, { id: landlordId })
  const key = `messages:${hashPhone(config, landlord!.phone)}`
  const ofLandlord = toDailyLimit(config, key, config.MESSAGE_LIMIT_PER_LANDLORD)
  const limits: RateLimitRule[] = []
  for (const phone of phones) {
    const personKey = `${key}:${hashPhone(config, phone)}`
    const ofPerson = toDailyLimit(config, personKey, config.MESSAGE_LIMIT_PER_PERSON)
    limits.push(...(await consumeRateLimits(of, now(), [ofLandlord, ofPerson], 'too_many_messages')))
  }
  return limits
}

function selectPhone(db: Db, { id }: { id: number }) {
  return db.selectFrom('users').where('id', '=', id).select('phone')
}

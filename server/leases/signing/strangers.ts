import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import { SQL_TRUE, type Db } from '../../../db/database'
import { hashPhone } from '../../domain/phone-hash'
import type { Config } from '../../config'
import type { Deps, Tx } from '../../deps'
import { DAY_MS } from '../../domain/durations'
import { hasSignedFor } from '../../domain/strangers'
import { refuseFields } from '../../faults'
import { consumeRateLimits, type RateLimitRule } from '../../http/limits/rate-limits'
import type { LockedAgreement } from '../access'
import type { PartyUser } from './parties'

const LOCK_NAMESPACE = 'agreements of strangers'

/**
 * Limits the open agreements of a landlord that name the same stranger; the caller has inserted its own. A lock
 * keeps parallel changes from exceeding the limit together.
 * @throws VALIDATION_ERROR The landlord has too many with one of the users.
 */
export async function requireFewOpenAgreements(
  { em, config }: Pick<Tx, 'em' | 'config'>,
  landlordId: number,
  tenantIds: number[],
) {
  if (tenantIds.length === 0) return
  const max = config.STRANGER_AGREEMENT_LIMIT * config.rateLimitMultiplier
  await executeCompiled(em, lockNaming, { landlordId })
  const [stranger] = await executeCompiled(em, selectOverNamed, { landlordId, tenantIds, max })
  if (!stranger) return
  const given = { id: stranger.tenant_id, limit: max }
  throw refuseFields('too_many_open_agreements', 'tenant_ids', given)
}

function lockNaming(db: Db, { landlordId }: { landlordId: number }) {
  return db.selectNoFrom(
    sql`pg_advisory_xact_lock(hashtext(${LOCK_NAMESPACE}), ${landlordId}::int)`.as('locked'),
  )
}

type Naming = { landlordId: number; tenantIds: number[]; max: number }

function selectOverNamed(db: Db, { landlordId, tenantIds, max }: Naming) {
  return db
    .selectFrom('agreement_tenants as t')
    .innerJoin('agreements as a', 'a.id', 't.agreement_id')
    .where(e => e('t.tenant_id', '=', e.fn.any(e.val(tenantIds))))
    .where('a.landlord_id', '=', landlordId)
    .where('a.is_active', '=', SQL_TRUE)
    .where('a.status', 'in', ['DRAFT', 'PENDING'])
    .where(e => e.not(hasSignedFor(sql`${landlordId}::int`, e.ref('t.tenant_id'))))
    .groupBy('t.tenant_id')
    .having(e => e(e.fn.countAll(), '>', max))
    .limit(1)
    .select('t.tenant_id')
}

/** Whom a request asks to sign; without an optional one it can be made, too. */
export type AskedUser = Pick<PartyUser, 'id' | 'phone'> & { isOptional: boolean }
type CountedRequest = {
  /** What counted the request, for a refund. */
  limits: RateLimitRule[]
  /** The optional users over their limit. */
  leftOutIds: ReadonlySet<number>
}

/**
 * Counts a request for each stranger that it asks, of whichever agreement: it appears in the stranger's feed.
 * @throws TOO_MANY_REQUESTS A stranger who is not optional got too many from this landlord.
 */
export async function limitRequestsToStrangers(
  { em, config, now }: Pick<Tx, 'em' | 'config' | 'now'>,
  { agreement }: LockedAgreement,
  asked: AskedUser[],
): Promise<CountedRequest> {
  const landlordId = agreement.landlord_id
  const userIds = asked.map(({ id }) => id).filter(id => id !== landlordId)
  if (userIds.length === 0) return { limits: [], leftOutIds: new Set() }
  const strangers = await executeCompiled(em, selectStrangers, { landlordId, userIds })
  const strangerIds = new Set(strangers.map(({ id }) => id))

  const rules = asked
    .filter(({ id }) => strangerIds.has(id))
    .map(user => ({ ...toRequestRateLimit(config, strangers[0]!.landlord_phone, user), userId: user.id }))
  const limits = await consumeRateLimits(em, now(), rules, 'too_many_signing_requests')
  const countedKeys = new Set(limits.map(({ key }) => key))
  const leftOut = rules.filter(({ key }) => !countedKeys.has(key))
  return { limits, leftOutIds: new Set(leftOut.map(({ userId }) => userId)) }
}

function toRequestRateLimit(config: Config, landlordPhone: string, { phone, isOptional }: AskedUser) {
  const key = `requests:${hashPhone(config, landlordPhone)}:${phone}`
  return { ...toDailyRule(config, key, config.STRANGER_REQUEST_LIMIT), isOptional }
}

function toDailyRule({ rateLimitMultiplier }: Config, key: string, max: number): RateLimitRule {
  return { key, max: max * rateLimitMultiplier, windowMs: DAY_MS }
}

function selectStrangers(db: Db, { landlordId, userIds }: { landlordId: number; userIds: number[] }) {
  return db
    .selectFrom('users as u')
    .where(e => e('u.id', '=', e.fn.any(e.val(userIds))))
    .innerJoin('users as landlord', join => join.on('landlord.id', '=', landlordId))
    .where(e => e.not(hasSignedFor(sql`${landlordId}::int`, e.ref('u.id'))))
    .select(['u.id', 'landlord.phone as landlord_phone'])
}

type Reminded = { phone: string; landlord_phone: string; is_stranger: boolean }

/** Counts the reminders of one landlord to a phone, and those of all landlords to a stranger of theirs. */
export function toReminderRateLimits({ config }: Pick<Deps, 'config'>, signer: Reminded): RateLimitRule[] {
  const { phone, landlord_phone, is_stranger } = signer
  const key = `reminders:${hashPhone(config, landlord_phone)}:${phone}`
  const ofLandlord = toDailyRule(config, key, config.REMINDER_LIMIT_PER_PHONE)
  const ofAll = toDailyRule(config, `reminders:${phone}`, config.STRANGER_REMINDER_LIMIT)
  return is_stranger ? [ofLandlord, ofAll] : [ofLandlord]
}

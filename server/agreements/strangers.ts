import { sql, type Expression } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import { SQL_TRUE, type Db, type EntityManager } from '../../db/database'
import type { Deps } from '../deps'
import { DAY_MS } from '../domain/durations'
import { refuseFields } from '../faults'
import { consumeRateLimits, type RateLimitRule } from '../http/rate-limits'
import type { LockedAgreement } from './access'
import type { PartyUser } from './signing-parties'

// A landlord can name anyone. Until they have signed for that landlord, they are a stranger, whom one landlord
// and all of them together may bother a little only.

const LOCK_NAMESPACE = 'agreements of strangers'

function hasSignedFor(landlordId: Expression<number>, userId: Expression<number>) {
  return sql<boolean>`exists (
    select from agreements signed
    join agreement_signatures signature on signature.agreement_id = signed.id
    where signed.landlord_id = ${landlordId} and signature.signer_id = ${userId}
      and signature.status = 'SIGNED'
  )`
}

/**
 * Limits the open agreements of a landlord that name the same stranger; the caller has inserted its own. A lock
 * keeps parallel changes from exceeding the limit together.
 * @throws VALIDATION_ERROR The landlord has too many with one of the users.
 */
export async function requireFewOpenAgreements(
  { config }: Deps,
  em: EntityManager,
  landlordId: number,
  tenantIds: number[],
) {
  if (tenantIds.length === 0) return
  const max = config.STRANGER_AGREEMENT_LIMIT * config.rateLimitMultiplier
  await executeCompiled(em, lockNamingOf, { landlordId })
  const [stranger] = await executeCompiled(em, selectOverNamed, { landlordId, tenantIds, max })
  if (!stranger) return
  const given = { id: stranger.tenant_id, limit: max }
  throw refuseFields('too_many_open_agreements', 'tenant_ids', given)
}

function lockNamingOf(db: Db, { landlordId }: { landlordId: number }) {
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

/**
 * Counts a request that the landlord's side makes to a stranger, of whichever agreement: it appears in the
 * stranger's feed. Returns what counted it, for a refund.
 * @throws TOO_MANY_REQUESTS The stranger got too many from this landlord.
 */
export async function limitRequestsToStranger(
  deps: Deps,
  em: EntityManager,
  { agreement }: LockedAgreement,
  signer: PartyUser,
): Promise<RateLimitRule[]> {
  const landlordId = agreement.landlord_id
  if (signer.id === landlordId) return []
  const [found] = await executeCompiled(em, selectHasSigned, { landlordId, userId: signer.id })
  if (found!.has_signed) return []

  const rule = {
    key: `requests:${landlordId}:${signer.phone}`,
    max: deps.config.STRANGER_REQUEST_LIMIT * deps.config.rateLimitMultiplier,
    windowMs: DAY_MS,
  }
  return consumeRateLimits(em, deps.now(), [rule], 'too_many_signing_requests')
}

function selectHasSigned(db: Db, { landlordId, userId }: { landlordId: number; userId: number }) {
  return db.selectNoFrom(hasSignedFor(sql`${landlordId}::int`, sql`${userId}::int`).as('has_signed'))
}

/** The reminders of all landlords to a stranger of theirs. */
export function toReminderRateLimit({ config }: Deps, phone: string): RateLimitRule {
  return {
    key: `reminders:${phone}`,
    max: config.STRANGER_REMINDER_LIMIT * config.rateLimitMultiplier,
    windowMs: DAY_MS,
  }
}

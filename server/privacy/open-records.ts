import { sql, type Expression, type RawBuilder } from 'kysely'
import { getKysely, type EntityManager } from '../../db/database'
import { refuse } from '../errors'
import { isPartyOrManager, selectUnacceptedIds, toUserId } from './ownership'

type Reason = 'agreements_open' | 'deposit_held' | 'certificate_not_stored'
type Condition = (userId: Expression<number>) => RawBuilder<boolean>

/** A lease that was recorded binds a tenant once they have accepted it. */
const isBound: Condition = userId => sql`(a.landlord_id = ${userId} or exists (
  select from agreement_tenants t where t.agreement_id = a.id and t.tenant_id = ${userId}
    and (a.recorded_on is null or t.accepted_at is not null)
))`
const hasSigned: Condition = userId => sql`exists (
  select from agreement_signatures s
  where s.agreement_id = a.id and s.signer_id = ${userId} and s.status = 'SIGNED'
)`

/** What stands against an erasure: a condition for an agreement (`a`) of the user. */
const openAgreements: Record<Reason, Condition> = {
  // A lease needs its landlord and its tenants. One that is being signed needs those who have signed it.
  agreements_open: userId => sql`a.is_active and (
    a.status = 'ACTIVE' and ${isBound(userId)} or a.status = 'PENDING' and ${hasSigned(userId)}
  )`,
  deposit_held: userId => sql`${isBound(userId)} and exists (
    select from ledgers l where l.agreement_id = a.id and l.deposit_held > 0
  )`,
  // An erasure removes the snapshots of which a certificate is made, also those of a lease that was managed.
  certificate_not_stored: userId =>
    sql`a.evidence_due_at is not null and a.id not in (${selectUnacceptedIds(userId)})`,
}

/** @throws BAD_REQUEST Something stands against the erasure of a user; `details` lists the agreements. */
export async function requireNothingOpen(em: EntityManager, userId: number) {
  const id = toUserId(userId)
  for (const [reason, isOpen] of Object.entries(openAgreements) as [Reason, Condition][]) {
    const agreements = await selectAgreements(em, id, isOpen)
      .select(['a.agreement_id', 'a.agreement_number', 'a.status'])
      .execute()
    const labels = agreements.map(({ agreement_number, status }) => `${agreement_number} (${status})`)
    if (labels.length > 0) throw refuse(reason, { agreements: labels }, { details: agreements })
  }
}

/** Finds the agreements of a user whose certificates are not stored yet. */
export function findWithoutCertificate(em: EntityManager, userId: number) {
  return selectAgreements(em, toUserId(userId), openAgreements.certificate_not_stored)
    .select('a.id')
    .execute()
}

function selectAgreements(em: EntityManager, userId: Expression<number>, isOpen: Condition) {
  return getKysely(em)
    .selectFrom('agreements as a')
    .where(isPartyOrManager('a.id', userId))
    .where(isOpen(userId))
    .orderBy('a.id')
}

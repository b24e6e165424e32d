import type { Tx } from '../../deps'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { refuse } from '../../errors'
import type { RecordId } from '../../http/record-id'
import { results } from '../../messages/results'
import { lockAgreement, type LockedAgreement } from '../access'
import { loadChanged, type AgreementResult } from '../agreements/drafts'
import { warnOfObjections } from '../agreements/warnings'
import { takeNameSnapshot } from '../snapshots'
import { appendEntry } from '../timeline'

/** Accepts, as a tenant, a lease as it was recorded; to repeat it changes nothing. */
export async function acceptAgreement(tx: Tx, id: RecordId): Promise<AgreementResult> {
  const locked = await lockRecorded(tx, id)
  await acceptLocked(tx, locked)
  return loadRecorded(tx, results.agreement_accepted, locked)
}

/** Returns a lease to which a tenant said something: its documents say it too. */
export async function loadRecorded(tx: Tx, message: string, { agreement }: LockedAgreement) {
  agreement.evidence_due_at = tx.now()
  await tx.em.flush()
  const changed = await loadChanged(tx, message, agreement)
  return { ...changed, ...warnOfObjections(changed.data) }
}

/**
 * Locks a lease that was recorded, for one of its tenants.
 * @throws FORBIDDEN The actor is no tenant of it. BAD_REQUEST It was not recorded, or is void.
 */
export async function lockRecorded({ em, actor }: Tx, id: RecordId) {
  const locked = await lockAgreement(em, actor, id)
  if (!locked.tenantIds.includes(actor.id)) throw refuse('not_tenant')
  const { recorded_on, voided_on } = locked.agreement
  if (!recorded_on || voided_on) throw refuse('not_recorded')
  return locked
}

/** Makes the actor, a tenant, accept a locked lease, if it was recorded and they have not; the caller flushes. */
export async function acceptLocked({ em, actor, now: getNow }: Tx, locked: LockedAgreement) {
  const { agreement } = locked
  const now = getNow()
  if (!agreement.recorded_on) return
  const given = { agreementId: agreement.id, tenantId: actor.id, now }
  const accepted = await executeCompiled(em, updateAcceptance, given)
  if (accepted.length === 0) return
  const snapshot = await takeNameSnapshot(em, agreement, actor.id)
  await appendEntry(em, now, locked, 'accepted', actor.id, {}, snapshot)
  agreement.evidence_due_at = now
}

type Acceptance = { agreementId: number; tenantId: number; now: Date }

function updateAcceptance(db: Db, { agreementId, tenantId, now }: Acceptance) {
  return db
    .updateTable('agreement_tenants')
    .set({ accepted_at: now })
    .where('agreement_id', '=', agreementId)
    .where('tenant_id', '=', tenantId)
    .where('accepted_at', 'is', null)
    .returning('id')
}

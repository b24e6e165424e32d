import type { AgreementChange, NewAgreement } from '@kiraya/sdk/contract'
import type { Tx } from '../../deps'
import type { RecordId } from '../../http/record-id'
import { getTenureEndDate } from '../../domain/dates'
import { results } from '../../messages/results'
import { lockForChange, type LockedAgreement } from '../access'
import { getNextAgreementNumber } from './number'
import { createDraft, loadChanged, loadDraft, lockUnits, shareUnit, type AgreementResult } from './drafts'
import { deleteReplacedFile } from '../documents/sent'
import { canTransition, isEditable } from '../states'
import {
  changeTerms,
  findChangedFields,
  replaceTenants,
  requireValidTenants,
  requireValidTerms,
  takeSnapshot,
} from './terms'
import { appendEntry } from '../timeline'

export async function createAgreement(tx: Tx, input: NewAgreement): Promise<AgreementResult> {
  const { agreement } = await createDraft(tx, input)
  return loadDraft(tx, results.agreement_created, agreement)
}

/** Changes the given fields of a draft. */
export async function updateAgreement(
  tx: Tx,
  id: RecordId,
  change: AgreementChange,
): Promise<AgreementResult> {
  const { em, actor } = tx
  const { internal_notes, ...terms } = change
  if (internal_notes !== undefined && Object.keys(terms).length === 0)
    return changeNotes(tx, id, internal_notes)
  if (change.property_unit_id !== undefined) await lockUnits(tx, id, change.property_unit_id)
  const locked = await lockForChange(tx, id, 'changed', isEditable)
  const { document_sha256 } = locked.agreement
  const before = takeSnapshot(locked)
  const changed = await changeDraft(tx, locked, change)
  if (change.tenant_ids) await replaceTenants(em, changed.agreement, changed.tenantIds)
  const fields = findChangedFields(before, takeSnapshot(changed))
  await appendEntry(em, tx.now(), changed, 'changed', actor.id, { fields })
  await em.flush()
  await deleteReplacedFile(tx, changed.agreement, document_sha256)
  return loadDraft(tx, results.agreement_changed, changed.agreement)
}

/** Changes the notes of the landlord's side, without an entry in the timeline. */
async function changeNotes(tx: Tx, id: RecordId, notes: string | null): Promise<AgreementResult> {
  const locked = await lockForChange(tx, id, 'changed', () => true)
  locked.agreement.internal_notes = notes
  await tx.em.flush()
  return loadDraft(tx, results.agreement_changed, locked.agreement)
}

/** Returns a draft with its new unit and tenants; the caller stores both. */
async function changeDraft(
  tx: Tx,
  draft: LockedAgreement,
  { agreement_number, internal_notes, tenant_ids: tenantIds = draft.tenantIds, ...terms }: AgreementChange,
): Promise<LockedAgreement> {
  const { agreement } = draft
  const unit = await shareUnit(tx, terms.property_unit_id ?? draft.unit.id, draft)
  await requireValidTenants(tx, unit, tenantIds, draft)
  changeTerms(agreement, terms)
  if (internal_notes !== undefined) agreement.internal_notes = internal_notes
  if (agreement_number !== undefined)
    agreement.agreement_number = agreement_number ?? (await getNextAgreementNumber(tx, unit.landlord_id))
  agreement.agreement_end_date = getTenureEndDate(agreement.agreement_start_date, agreement.tenure_in_months)
  agreement.revision++
  const changed = { agreement, unit, tenantIds }
  requireValidTerms(tx, changed)
  return changed
}

/** Deletes a draft, and its file. */
export async function deleteAgreement(tx: Tx, id: RecordId) {
  const locked = await lockForChange(tx, id, 'deleted', isEditable)
  const { agreement } = locked
  const { document_sha256 } = agreement
  agreement.is_active = false
  agreement.document_sha256 = null
  await appendEntry(tx.em, tx.now(), locked, 'deleted', tx.actor.id)
  await tx.em.flush()
  await deleteReplacedFile(tx, agreement, document_sha256)
  const message = results.agreement_deleted
  return { message, data: { message } }
}

/** Closes a terminated agreement: the parties have settled everything. */
export async function completeAgreement(tx: Tx, id: RecordId): Promise<AgreementResult> {
  const { em, actor } = tx
  const locked = await lockForChange(tx, id, 'completed', status => canTransition(status, 'COMPLETED'))
  const { agreement } = locked
  await tx.leaseHooks.beforeCompletion(tx, agreement)
  agreement.status = 'COMPLETED'
  await appendEntry(em, tx.now(), locked, 'completed', actor.id)
  await em.flush()
  return loadChanged(tx, results.agreement_completed, agreement)
}

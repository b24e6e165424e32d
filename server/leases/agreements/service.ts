import type { AgreementChange, NewAgreement } from '@kiraya/sdk/contract'
import { Agreement } from '../../../db/entities'
import type { Tx } from '../../deps'
import { getTenureEndDate } from '../../domain/dates'
import { refuse } from '../../faults'
import { loadView } from '../../http/changes'
import { results } from '../../messages/results'
import { lockAgreement, requireLandlordOrManager } from '../access'
import { getNextAgreementNumber } from './number'
import { consumeDailyLimit } from '../daily-limits'
import { changeTerms, initialState, loadDraft, lockVisibleUnit, type AgreementResult } from './drafts'
import { selectAgreement } from '../queries'
import { canTransition, isEditable } from '../states'
import { requireFewOpenAgreements } from '../signing/strangers'
import {
  findChangedFields,
  insertTenants,
  requireValidTenants,
  requireValidTerms,
  takeSnapshot,
  toTerms,
} from './terms'
import { appendEvent, chainEvent, storeEvent } from '../timeline'

/** Creates a draft; the landlord of the unit becomes its landlord. */
export async function createAgreement(tx: Tx, input: NewAgreement): Promise<AgreementResult> {
  const { em, actor } = tx
  const unit = await lockVisibleUnit(tx, input.property_unit_id)
  await requireValidTenants(tx, unit, input.tenant_ids)
  const agreement = em.create(Agreement, {
    ...toTerms(input),
    ...initialState(),
    landlord_id: unit.landlord_id,
    agreement_number: input.agreement_number ?? (await getNextAgreementNumber(tx, unit.landlord_id)),
    agreement_end_date: getTenureEndDate(input.agreement_start_date, input.tenure_in_months),
  })
  const locked = { agreement, unit, tenantIds: input.tenant_ids }
  requireValidTerms(tx, locked)

  const event = chainEvent(agreement, tx.now(), 'created', actor.id)
  await em.flush()
  await insertTenants(em, agreement, input.tenant_ids)
  await requireFewOpenAgreements(tx, unit.landlord_id, input.tenant_ids)
  await storeEvent(em, locked, event)
  return loadDraft(tx, results.agreement_created, agreement)
}

/**
 * Changes the given fields of a draft.
 * @throws TOO_MANY_REQUESTS The draft was changed too often in a day.
 */
export async function updateAgreement(tx: Tx, id: string, change: AgreementChange): Promise<AgreementResult> {
  const locked = await lockDraft(tx, id, 'changed')
  await consumeDailyLimit(tx.em, tx, locked.agreement, 'changes')
  const before = takeSnapshot(locked)
  const changed = await changeTerms(tx, locked, change)
  const fields = findChangedFields(before, takeSnapshot(changed))
  await appendEvent(tx.em, tx.now(), changed, 'changed', tx.actor.id, { fields })
  await tx.em.flush()
  return loadDraft(tx, results.agreement_changed, changed.agreement)
}

/** Deletes a draft. */
export async function deleteAgreement(tx: Tx, id: string) {
  const locked = await lockDraft(tx, id, 'deleted')
  locked.agreement.is_active = false
  await appendEvent(tx.em, tx.now(), locked, 'deleted', tx.actor.id)
  const message = results.agreement_deleted
  return { message, data: { message } }
}

/** @throws FORBIDDEN The agreement is not a draft, or the actor is not of its landlord's side. */
async function lockDraft({ em, actor }: Tx, id: string, change: 'changed' | 'deleted') {
  const locked = await lockAgreement(em, actor, id)
  requireLandlordOrManager(actor, locked)
  const { status } = locked.agreement
  if (!isEditable(status)) throw refuse('wrong_status', { status, to_be: change })
  return locked
}

/** Closes a terminated agreement: the parties have settled everything. */
export async function completeAgreement(tx: Tx, id: string): Promise<AgreementResult> {
  const { em, actor } = tx
  const locked = await lockAgreement(em, actor, id)
  const { agreement } = locked
  requireLandlordOrManager(actor, locked)
  if (!canTransition(agreement.status, 'COMPLETED'))
    throw refuse('wrong_status', { status: agreement.status, to_be: 'completed' })

  await tx.leaseHooks.beforeCompletion(tx, agreement)
  agreement.status = 'COMPLETED'
  await appendEvent(em, tx.now(), locked, 'completed', actor.id)
  await em.flush()
  const data = await loadView(tx, selectAgreement, { id: agreement.id })
  return { message: results.agreement_completed, data }
}

import { LockMode } from '@mikro-orm/core'
import type { Agreement as AgreementView, AgreementChange, NewAgreement, Warning } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../db/database'
import { Agreement, PropertyUnit } from '../../db/entities'
import type { Deps } from '../deps'
import { getTenureEndDate } from '../domain/dates'
import { applyPatch } from '../domain/patch'
import { closeBooks } from '../deposits/service'
import { getPosting } from '../ledger/books'
import { consumeDailyLimit } from './daily-limits'
import { refuse, refuseFields } from '../faults'
import type { Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { results } from '../messages/results'
import { lockAgreement, requireLandlordOrManager, type LockedAgreement } from './access'
import { getNextAgreementNumber } from './agreement-number'
import { loadAgreementView } from './queries'
import { canTransition, isEditable } from './states'
import { requireFewOpenAgreements } from './strangers'
import {
  findChangedFields,
  insertTenants,
  replaceTenants,
  requireValidTenants,
  requireValidTerms,
  takeSnapshot,
  termsPatchRules,
  toTerms,
} from './terms'
import { appendEvent, chainEvent, storeEvent } from './timeline'
import { findWarnings } from './warnings'

export { noteNewAddress, selectOthersUnits, type Building } from './new-address'

export type AgreementResult = { message: string; data: AgreementView; warnings?: Warning[] }

/** Creates a draft; the landlord of the unit becomes its landlord. */
export function createAgreement(deps: Deps, actor: Actor, input: NewAgreement): Promise<AgreementResult> {
  return deps.db.transactional(async em => {
    const now = deps.now()
    const unit = await lockVisibleUnit(em, actor, input.property_unit_id)
    await requireValidTenants(deps, em, actor, unit, input.tenant_ids)
    const agreement = em.create(Agreement, {
      ...toTerms(input),
      ...initialState(),
      landlord_id: unit.landlord_id,
      agreement_number: input.agreement_number ?? (await getNextAgreementNumber(em, unit.landlord_id, now)),
      agreement_end_date: getTenureEndDate(input.agreement_start_date, input.tenure_in_months),
    })
    const locked = { agreement, unit, tenantIds: input.tenant_ids }
    requireValidTerms(deps, locked)

    const event = chainEvent(agreement, now, 'created', actor.id)
    await em.flush()
    await insertTenants(em, agreement, input.tenant_ids)
    await requireFewOpenAgreements(deps, em, unit.landlord_id, input.tenant_ids)
    await storeEvent(em, locked, event)
    const data = await loadAgreementView(em, actor, agreement.id)
    const warnings = await findWarnings(em, agreement)
    return saveIdempotentResponse(em, { message: results.agreement_created, data, ...warnings })
  })
}

/** The UUID is made here, since the hash of the first event covers it. */
export function initialState() {
  return { agreement_id: crypto.randomUUID(), status: 'DRAFT' as const, revision: 0, timeline_length: 0 }
}

/**
 * Changes the given fields of a draft.
 * @throws TOO_MANY_REQUESTS The draft was changed too often in a day.
 */
export function updateAgreement(
  deps: Deps,
  actor: Actor,
  id: string,
  change: AgreementChange,
): Promise<AgreementResult> {
  return deps.db.transactional(async em => {
    const locked = await lockDraft(em, actor, id, 'changed')
    await consumeDailyLimit(em, deps, locked.agreement, 'changes')
    const before = takeSnapshot(locked)
    const changed = await changeTerms(deps, em, actor, locked, change)
    const fields = findChangedFields(before, takeSnapshot(changed))
    await appendEvent(em, deps.now(), changed, 'changed', actor.id, { fields })
    await em.flush()
    return {
      message: results.agreement_changed,
      data: await loadAgreementView(em, actor, changed.agreement.id),
      ...(await findWarnings(em, changed.agreement)),
    }
  })
}

/** Deletes a draft. */
export function deleteAgreement(deps: Deps, actor: Actor, id: string) {
  return deps.db.transactional(async em => {
    const locked = await lockDraft(em, actor, id, 'deleted')
    locked.agreement.is_active = false
    await appendEvent(em, deps.now(), locked, 'deleted', actor.id)
    const message = results.agreement_deleted
    return { message, data: { message } }
  })
}

/** @throws FORBIDDEN The agreement is not a draft, or the actor is not of its landlord's side. */
async function lockDraft(em: EntityManager, actor: Actor, id: string, change: 'changed' | 'deleted') {
  const locked = await lockAgreement(em, actor, id)
  requireLandlordOrManager(actor, locked)
  const { status } = locked.agreement
  if (!isEditable(status)) throw refuse('wrong_status', { status, to_be: change })
  return locked
}

/** Closes a terminated agreement: the parties have settled everything. */
export function completeAgreement(deps: Deps, actor: Actor, id: string): Promise<AgreementResult> {
  return deps.db.transactional(async em => {
    const locked = await lockAgreement(em, actor, id)
    const { agreement } = locked
    requireLandlordOrManager(actor, locked)
    if (!canTransition(agreement.status, 'COMPLETED'))
      throw refuse('wrong_status', { status: agreement.status, to_be: 'completed' })

    const posting = getPosting(deps, actor)
    await closeBooks(em, agreement, posting)
    agreement.status = 'COMPLETED'
    await appendEvent(em, posting.now, locked, 'completed', actor.id)
    await em.flush()
    const data = await loadAgreementView(em, actor, agreement.id)
    return saveIdempotentResponse(em, { message: results.agreement_completed, data })
  })
}

/** Applies a change to a locked draft, and returns it with its new unit and tenants; the caller flushes. */
export async function changeTerms(
  deps: Deps,
  em: EntityManager,
  actor: Actor,
  { agreement, ...current }: LockedAgreement,
  change: AgreementChange,
): Promise<LockedAgreement> {
  const isMoved = change.property_unit_id !== undefined && change.property_unit_id !== current.unit.id
  const unit = isMoved ? await lockVisibleUnit(em, actor, change.property_unit_id!) : current.unit
  if (unit.landlord_id !== agreement.landlord_id)
    throw refuseFields('unit_of_other_landlord', 'property_unit_id')
  const tenantIds = change.tenant_ids ?? current.tenantIds
  await requireValidTenants(deps, em, actor, unit, tenantIds, isMoved ? [] : current.tenantIds)

  agreement.property_unit_id = unit.id
  applyPatch(agreement, change, termsPatchRules)
  if (change.agreement_number !== undefined)
    agreement.agreement_number =
      change.agreement_number ?? (await getNextAgreementNumber(em, unit.landlord_id, deps.now()))
  agreement.agreement_end_date = getTenureEndDate(agreement.agreement_start_date, agreement.tenure_in_months)
  agreement.revision++

  const changed = { agreement, unit, tenantIds }
  requireValidTerms(deps, changed)
  if (change.tenant_ids) {
    await replaceTenants(em, agreement, tenantIds)
    const newIds = tenantIds.filter(id => !current.tenantIds.includes(id))
    await requireFewOpenAgreements(deps, em, unit.landlord_id, newIds)
  }
  return changed
}

/** Locks a unit against deletion while an agreement of it is written. */
async function lockVisibleUnit(em: EntityManager, actor: Actor, id: number) {
  const unit = await em.findOne(
    PropertyUnit,
    { id, $or: [{ landlord_id: actor.id }, { managed_by_id: actor.id }] },
    { lockMode: LockMode.PESSIMISTIC_READ },
  )
  if (!unit) throw refuse('unit_not_found')
  return unit
}

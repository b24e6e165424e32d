import { LockMode } from '@mikro-orm/core'
import type { Agreement as AgreementView, NewAgreement, Warning } from '@kiraya/sdk/contract'
import { Agreement, PropertyUnit } from '../../../db/entities'
import type { Tx } from '../../deps'
import { getTenureEndDate } from '../../domain/dates'
import { refuse, refuseFields } from '../../errors'
import { loadView } from '../../http/changes'
import type { LockedAgreement } from '../access'
import { getNextAgreementNumber } from './number'
import { selectAgreement } from '../queries'
import {
  findChangedFields,
  insertTenants,
  requireValidTenants,
  requireValidTerms,
  takeSnapshot,
  toTerms,
} from './terms'
import { findWarnings } from './warnings'
import { chainEntry, storeEntry } from '../timeline'

export type AgreementResult = { message: string; data: AgreementView; warnings?: Warning[] }

/** The agreement that a draft follows, and how the draft and its first entry name it. */
type Origin = {
  locked: LockedAgreement
  links: Partial<Pick<Agreement, 'revises_id' | 'renews_id'>>
  details: Record<string, unknown>
}

/** Creates a draft; the landlord of the unit becomes its landlord. The entry before the insert names its UUID. */
export async function createDraft(tx: Tx, input: NewAgreement, origin?: Origin): Promise<LockedAgreement> {
  const { em, actor } = tx
  const { tenant_ids: tenantIds, agreement_start_date, tenure_in_months } = input
  const unit = await lockUnit(tx, input.property_unit_id, origin?.locked)
  await requireValidTenants(tx, unit, tenantIds, origin?.locked)
  const agreement = em.create(Agreement, {
    ...toTerms(input),
    ...origin?.links,
    agreement_id: crypto.randomUUID(),
    agreement_number: input.agreement_number ?? (await getNextAgreementNumber(tx, unit.landlord_id)),
    agreement_end_date: getTenureEndDate(agreement_start_date, tenure_in_months),
    landlord_id: unit.landlord_id,
    status: 'DRAFT',
    revision: 0,
    timeline_length: 0,
  })
  const draft = { agreement, unit, tenantIds }
  requireValidTerms(tx, draft)

  const fields = origin && findChangedFields(takeSnapshot(origin.locked), takeSnapshot(draft))
  const entry = chainEntry(agreement, tx.now(), 'created', actor.id, { ...origin?.details, fields })
  await em.flush()
  await insertTenants(em, agreement, tenantIds)
  await storeEntry(em, draft, entry)
  return draft
}

/**
 * Locks the unit of a draft against deletion; one that a known agreement has is locked already.
 * @throws NOT_FOUND The actor neither owns nor manages it. VALIDATION_ERROR It is another landlord's.
 */
export async function lockUnit({ em, actor }: Tx, id: number, known?: LockedAgreement) {
  if (known?.unit.id === id) return known.unit
  const unit = await em.findOne(
    PropertyUnit,
    { id, $or: [{ landlord_id: actor.id }, { managed_by_id: actor.id }] },
    { lockMode: LockMode.PESSIMISTIC_READ },
  )
  if (!unit) throw refuse('unit_not_found')
  if (known && unit.landlord_id !== known.agreement.landlord_id)
    throw refuseFields('unit_of_other_landlord', 'property_unit_id')
  return unit
}

/** Returns a draft that was written, with the warnings that its terms deserve. */
export async function loadDraft(tx: Tx, message: string, agreement: Agreement): Promise<AgreementResult> {
  const data = await loadView(tx, selectAgreement, { id: agreement.id })
  return { message, data, ...(await findWarnings(tx.em, agreement)) }
}

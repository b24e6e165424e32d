import { LockMode } from '@mikro-orm/core'
import type { Agreement as AgreementView, AgreementChange, Warning } from '@kiraya/sdk/contract'
import { Agreement, PropertyUnit } from '../../../db/entities'
import type { Tx } from '../../deps'
import { getTenureEndDate } from '../../domain/dates'
import { refuse, refuseFields } from '../../faults'
import { loadView } from '../../http/changes'
import type { LockedAgreement } from '../access'
import { getNextAgreementNumber } from './number'
import { selectAgreement } from '../queries'
import { requireFewOpenAgreements } from '../signing/strangers'
import {
  changeGivenTerms,
  insertTenants,
  replaceTenants,
  requireValidTenants,
  requireValidTerms,
  toTerms,
} from './terms'
import { findWarnings } from './warnings'

export type AgreementResult = { message: string; data: AgreementView; warnings?: Warning[] }

/** The UUID is made here, since the hash of the first event covers it. */
export function initialState() {
  return { agreement_id: crypto.randomUUID(), status: 'DRAFT' as const, revision: 0, timeline_length: 0 }
}

type Succession = Partial<
  Pick<Agreement, 'agreement_start_date' | 'agreement_end_date' | 'rent_amount' | 'revises_id' | 'renews_id'>
>

/** Creates a draft with the terms of a locked agreement, but for what succeeds it and what a change says. */
export async function copyAgreement(
  tx: Tx,
  { agreement, unit, tenantIds }: LockedAgreement,
  succession: Succession,
  { agreement_number, ...change }: AgreementChange,
): Promise<LockedAgreement> {
  const next = tx.em.create(Agreement, {
    ...toTerms(agreement),
    ...initialState(),
    landlord_id: agreement.landlord_id,
    agreement_number: agreement_number ?? (await getNextAgreementNumber(tx, unit.landlord_id)),
    agreement_end_date: agreement.agreement_end_date,
    ...succession,
  })
  await tx.em.flush()
  await insertTenants(tx.em, next, tenantIds)
  return changeTerms(tx, { agreement: next, unit, tenantIds }, change)
}

/** Applies a change to a locked draft, and returns it with its new unit and tenants; the caller flushes. */
export async function changeTerms(
  tx: Tx,
  { agreement, ...current }: LockedAgreement,
  { property_unit_id = current.unit.id, agreement_number, tenant_ids, ...terms }: AgreementChange,
): Promise<LockedAgreement> {
  const isMoved = property_unit_id !== current.unit.id
  const unit = isMoved ? await lockVisibleUnit(tx, property_unit_id) : current.unit
  if (unit.landlord_id !== agreement.landlord_id)
    throw refuseFields('unit_of_other_landlord', 'property_unit_id')
  const tenantIds = tenant_ids ?? current.tenantIds
  await requireValidTenants(tx, unit, tenantIds, isMoved ? [] : current.tenantIds)

  agreement.property_unit_id = unit.id
  changeGivenTerms(agreement, terms)
  if (agreement_number !== undefined)
    agreement.agreement_number = agreement_number ?? (await getNextAgreementNumber(tx, unit.landlord_id))
  agreement.agreement_end_date = getTenureEndDate(agreement.agreement_start_date, agreement.tenure_in_months)
  agreement.revision++

  const changed = { agreement, unit, tenantIds }
  requireValidTerms(tx, changed)
  if (tenant_ids) {
    await replaceTenants(tx.em, agreement, tenantIds)
    const newIds = tenantIds.filter(id => !current.tenantIds.includes(id))
    await requireFewOpenAgreements(tx, unit.landlord_id, newIds)
  }
  return changed
}

/** Locks a unit against deletion while an agreement of it is written. */
export async function lockVisibleUnit({ em, actor }: Tx, id: number) {
  const unit = await em.findOne(
    PropertyUnit,
    { id, $or: [{ landlord_id: actor.id }, { managed_by_id: actor.id }] },
    { lockMode: LockMode.PESSIMISTIC_READ },
  )
  if (!unit) throw refuse('unit_not_found')
  return unit
}

/** Returns a draft that was written, with the warnings that its terms deserve. */
export async function loadDraft(tx: Tx, message: string, agreement: Agreement): Promise<AgreementResult> {
  const data = await loadView(tx, selectAgreement, { id: agreement.id })
  return { message, data, ...(await findWarnings(tx.em, agreement)) }
}

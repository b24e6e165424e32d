import type { AcceptanceInput } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../../db/database'
import { Agreement, DepositSettlement, TimelineEntry } from '../../../db/entities'
import type { Tx } from '../../deps'
import { addDays, toIndianDate } from '../../domain/dates'
import { DAY_MS } from '../../domain/durations'
import { refuse, refuseFields } from '../../errors'
import type { RecordId } from '../../http/record-id'
import { results } from '../../messages/results'
import { isLandlordOrManager, lockAgreement, type LockedAgreement } from '../access'
import { hasOverlap } from '../overlap'
import type { Ending } from '../signing/endings'
import { requireActiveTenants } from '../signing/parties'
import { OPEN_STATUSES } from '../states'
import { appendEntry } from '../timeline'
import { loadChanged, type AgreementResult } from './drafts'

/** A termination can be undone for so many days. */
const MAX_DAYS = 30

/**
 * Undoes the termination of a lease by a person. On the first day the landlord's side may alone, later with what the tenants
 * accepted on paper. Otherwise one side asks, and the lease goes on once the other one calls this too.
 */
export async function reinstateAgreement(
  tx: Tx,
  id: RecordId,
  { accepted_on_paper: paper }: AcceptanceInput,
): Promise<Ending<AgreementResult>> {
  const { em, actor } = tx
  const now = tx.now()
  const locked = await lockAgreement(em, actor, id)
  const { agreement, tenantIds } = locked
  const side = isLandlordOrManager(actor, locked) ? 'landlord' : 'tenants'
  if (side === 'tenants' && (paper || !tenantIds.includes(actor.id))) throw refuse('not_unit_side')
  const today = toIndianDate(now)
  const terminatedAt = await requireReinstatable(em, locked, today)
  if (paper && paper.on > today) throw refuseFields('date_in_future', 'accepted_on_paper.on', { today })

  const asked = agreement.reinstatement_asked_by
  const isFresh = side === 'landlord' && now.getTime() - terminatedAt.getTime() < DAY_MS
  const isAgreed = paper || isFresh || (asked && asked !== side)
  const type = isAgreed ? 'reinstated' : 'reinstatement_asked'
  if (isAgreed || !asked) await appendEntry(em, now, locked, type, actor.id, { accepted_on: paper?.on })
  if (isAgreed) await reinstateLocked(tx, agreement, terminatedAt)
  else agreement.reinstatement_asked_by = side
  await em.flush()
  const response = await loadChanged(tx, results[type], agreement)
  if (!isAgreed) return { response }
  return { response, ended: ['agreement_reinstated', { agreement: agreement.id, user: actor.id }] }
}

/** Returns when a person terminated the lease. @throws ApiError It cannot go on any more. */
async function requireReinstatable(em: EntityManager, locked: LockedAgreement, today: string) {
  const { agreement, unit, tenantIds } = locked
  const { id, status, signed_date, voided_on, manager_id } = agreement
  if (status !== 'TERMINATED') throw refuse('wrong_status', { status, to_be: 'reinstated' })
  const isEnd = { agreement_id: id, type: { $in: ['terminated', 'ended'] } }
  const end = await em.findOne(TimelineEntry, isEnd, { orderBy: { position: 'desc' } })
  const isByPerson = signed_date && !voided_on && end?.type === 'terminated'
  if (!isByPerson || today > addDays(toIndianDate(end.occurred_at), MAX_DAYS))
    throw refuse('not_reinstatable')
  const settled = await em.count(DepositSettlement, { agreement_id: id, status: 'posted' })
  if (settled > 0) throw refuse('settlement_wrong_status', { status: 'posted', to_be: 'withdrawn' })
  const isOpen = { status: { $in: [...OPEN_STATUSES] } }
  const isOpenOrSigned = [isOpen, { signed_date: { $ne: null }, voided_on: null }]
  const next = await em.findOne(Agreement, { renews_id: id, $or: isOpenOrSigned })
  if (next) throw refuse('already_renewed', { agreement: next.agreement_number })
  const parties = manager_id ? [...tenantIds, manager_id] : tenantIds
  await requireActiveTenants(em, { ...locked, tenantIds: parties })
  const isManaged = tenantIds.includes(unit.managed_by_id)
  if (!unit.is_active || isManaged || (await hasOverlap(em, agreement))) throw refuse('unit_overlap')
  return end.occurred_at
}

/** The days after that of the termination, until this one, bring no late fee. */
async function reinstateLocked(tx: Tx, agreement: Agreement, terminatedAt: Date) {
  const pause = { from: addDays(toIndianDate(terminatedAt), 1), to: toIndianDate(tx.now()) }
  Object.assign(agreement, {
    status: 'ACTIVE',
    termination_date: null,
    termination_reason: null,
    reinstatement_asked_by: null,
    late_fee_pauses: [...(agreement.late_fee_pauses ?? []), pause],
    evidence_due_at: tx.now(),
  })
  await tx.em.flush()
  await tx.leaseHooks.afterReinstatement(tx, agreement, terminatedAt)
}

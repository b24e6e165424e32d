import type { RenewInput } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../../db/database'
import { Agreement } from '../../../db/entities'
import type { Tx } from '../../deps'
import type { RecordId } from '../../http/record-id'
import { addDays } from '../../domain/dates'
import { toRupees } from '../../domain/money'
import { refuse } from '../../errors'
import { results } from '../../messages/results'
import { lockAgreement, requireLandlordOrManager, type LockedAgreement } from '../access'
import { getRentOn, listRents, loadRevisions } from '../rents'
import { createDraft, loadDraft, lockUnits, type AgreementResult } from './drafts'
import { OPEN_STATUSES } from '../states'
import { toInput } from './terms'
import { appendEntry } from '../timeline'

/** Draws up the draft of a lease's next term, from the day after its end, of its unit or another one. */
export async function renewAgreement(tx: Tx, id: RecordId, change: RenewInput): Promise<AgreementResult> {
  const { em, actor } = tx
  if (change.property_unit_id !== undefined) await lockUnits(tx, id, change.property_unit_id)
  const locked = await lockAgreement(em, actor, id)
  const { agreement } = locked
  requireLandlordOrManager(actor, locked)
  await requireRenewable(em, locked, change.property_unit_id)

  const agreement_start_date = addDays(agreement.termination_date ?? agreement.agreement_end_date, 1)
  const rent_amount = await computeNextRent(em, agreement, agreement_start_date)
  const next = toInput(locked, { opening: null, agreement_start_date, rent_amount, ...change })
  const renewal = await createDraft(tx, next, {
    locked,
    links: { renews_id: agreement.id },
    details: { renews_agreement_id: agreement.agreement_id },
  })
  const { agreement_id } = renewal.agreement
  await appendEntry(em, tx.now(), locked, 'renewal_drafted', actor.id, { agreement_id })
  await em.flush()
  return loadDraft(tx, results.agreement_renewed, renewal.agreement)
}

/**
 * @throws FORBIDDEN The agreement was never active, or is closed. NOT_FOUND Its unit is deleted, and it stays there.
 * BAD_REQUEST Its next term is drawn up already.
 */
async function requireRenewable(
  em: EntityManager,
  { agreement, unit }: LockedAgreement,
  nextUnitId = unit.id,
) {
  const { id, status, signed_date, voided_on } = agreement
  const wasActive = status === 'ACTIVE' || (status === 'TERMINATED' && signed_date && !voided_on)
  if (!wasActive) throw refuse('wrong_status', { status, to_be: 'renewed' })
  if (nextUnitId === unit.id && !unit.is_active) throw refuse('unit_not_found')
  const open = await em.findOne(Agreement, { renews_id: id, status: { $in: [...OPEN_STATUSES] } })
  if (open) throw refuse('already_renewed', { agreement: open.agreement_number })
}

/** The rent that the lease would have on that day, with the escalation that falls on it; one that never began, its first. */
async function computeNextRent(em: EntityManager, agreement: Agreement, next: string) {
  const { agreement_start_date } = agreement
  const start = next > agreement_start_date ? next : agreement_start_date
  const revisions = await loadRevisions(em, [agreement.id])
  return toRupees(getRentOn(listRents({ ...agreement, agreement_end_date: start }, revisions), start))
}

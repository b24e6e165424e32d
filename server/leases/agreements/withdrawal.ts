import { LockMode } from '@mikro-orm/core'
import type { AgreementChange, TerminateInput } from '@kiraya/sdk/contract'
import { AgreementSignature, type Agreement } from '../../../db/entities'
import type { Tx } from '../../deps'
import type { RecordId } from '../../http/record-id'
import { toIndianDate } from '../../domain/dates'
import { refuse, refuseFields } from '../../errors'
import { results } from '../../messages/results'
import { lockForChange, type LockedAgreement } from '../access'
import { expireSignatures } from '../signing/cancellations'
import { createDraft, loadChanged, loadDraft, lockUnits, type AgreementResult } from './drafts'
import type { Ending } from '../signing/endings'
import { canTransition } from '../states'
import { toInput } from './terms'
import { appendEntry } from '../timeline'

/** Ends a lease, or its signing. */
export async function terminateAgreement(
  tx: Tx,
  id: RecordId,
  { termination_date, reason, void: isVoid }: TerminateInput,
): Promise<Ending<AgreementResult>> {
  const today = toIndianDate(tx.now())
  const locked = await lockForChange(
    tx,
    id,
    isVoid ? 'voided' : 'terminated',
    status => canTransition(status, 'TERMINATED') || (isVoid === true && status === 'TERMINATED'),
  )
  const { agreement } = locked
  if (isVoid) return voidLocked(tx, locked, { date: today, reason: reason ?? null })
  if (termination_date) requireTerminationDate(termination_date, agreement, today)

  const ended = await terminateLocked(tx, locked, { date: termination_date ?? today, reason: reason ?? null })
  return { response: await loadChanged(tx, results.agreement_terminated, agreement), ended }
}

/**
 * Takes back a lease that was recorded wrongly, also one that has ended.
 * @throws BAD_REQUEST It was not recorded, or people posted money. VALIDATION_ERROR There is no reason.
 */
async function voidLocked(tx: Tx, locked: LockedAgreement, end: End): Promise<Ending<AgreementResult>> {
  const { em, actor } = tx
  const { agreement } = locked
  const { id, recorded_on, voided_on } = agreement
  if (!recorded_on || voided_on) throw refuse('not_recorded')
  if (!end.reason) throw refuseFields('void_reason_missing', 'reason')
  await tx.leaseHooks.beforeVoid(tx, agreement)
  await withdraw(tx, agreement, { ...end, date: agreement.termination_date ?? end.date })
  agreement.voided_on = end.date
  await appendEntry(em, tx.now(), locked, 'voided', actor.id, { reason: end.reason })
  await em.flush()
  return {
    response: await loadChanged(tx, results.agreement_voided, agreement),
    ended: ['agreement_terminated', { agreement: id, user: actor.id }],
  }
}

type End = { date: string; reason: string | null }

/** Ends a lease, or the signing of an agreement, that is locked. */
export async function terminateLocked(
  tx: Tx,
  locked: LockedAgreement,
  end: End,
): Promise<NonNullable<Ending<unknown>['ended']>> {
  const { em, actor } = tx
  const { agreement } = locked
  await withdraw(tx, agreement, end)
  const details = { termination_date: end.date, reason: end.reason ?? undefined }
  await appendEntry(em, tx.now(), locked, 'terminated', actor.id, details)
  await em.flush()
  await tx.leaseHooks.afterEnd(tx, agreement)
  return ['agreement_terminated', { agreement: agreement.id, user: actor.id }]
}

/** A lease that has not begun ends today by default: no date between its start and today exists. */
function requireTerminationDate(date: string, { agreement_start_date: start }: Agreement, today: string) {
  if (date > today) throw refuseFields('termination_in_future', 'termination_date', { today })
  if (date < start) throw refuseFields('termination_before_start', 'termination_date', { start })
}

/** Withdraws an agreement that is being signed, and creates its next version with the given changes. */
export async function reviseAgreement(
  tx: Tx,
  id: RecordId,
  change: AgreementChange,
): Promise<Ending<AgreementResult>> {
  const { em, actor } = tx
  const now = tx.now()
  if (change.property_unit_id !== undefined) await lockUnits(tx, id, change.property_unit_id)
  const locked = await lockForChange(tx, id, 'revised', status => status === 'PENDING')
  const { agreement } = locked
  await withdraw(tx, agreement, { date: toIndianDate(now), reason: 'Withdrawn for a new version' })
  const { external_ref } = agreement
  agreement.external_ref = null
  await em.flush()
  const revision = await createDraft(tx, toInput(locked, change), {
    locked,
    links: { revises_id: agreement.id, renews_id: agreement.renews_id ?? null, external_ref },
    details: { revises_agreement_id: agreement.agreement_id },
  })
  const { agreement_id } = revision.agreement
  await appendEntry(em, now, locked, 'revised', actor.id, { agreement_id })
  await em.flush()
  return {
    response: await loadDraft(tx, results.agreement_revised, revision.agreement),
    ended: ['agreement_withdrawn', { agreement: agreement.id, user: actor.id }],
  }
}

/** Terminates an agreement and enqueues the cancellation of its open requests. */
async function withdraw(tx: Tx, agreement: Agreement, { date, reason }: End) {
  agreement.status = 'TERMINATED'
  agreement.termination_date = date
  agreement.termination_reason = reason
  if (agreement.signed_date) agreement.evidence_due_at = tx.now()
  const open = await tx.em.find(
    AgreementSignature,
    { agreement_id: agreement.id, status: 'PENDING' },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  await expireSignatures(tx, open)
}

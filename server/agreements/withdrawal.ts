import { LockMode } from '@mikro-orm/core'
import type { AgreementChange, TerminateInput } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../db/database'
import { Agreement, AgreementSignature } from '../../db/entities'
import { endSchedule } from '../charges/schedule-end'
import type { Deps } from '../deps'
import { toIndianDate } from '../domain/dates'
import { refuse, refuseFields } from '../faults'
import type { Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { getPosting } from '../ledger/books'
import { results } from '../messages/results'
import { lockAgreement, requireLandlordOrManager, type LockedAgreement } from './access'
import { getNextAgreementNumber } from './agreement-number'
import { expireSignatures } from './cancellations'
import { loadAgreementView } from './queries'
import { changeTerms, initialState, type AgreementResult } from './service'
import { tryCancelNow } from './signature-status'
import { canTransition } from './states'
import { findChangedFields, insertTenants, takeSnapshot, toTerms } from './terms'
import { appendEvent } from './timeline'
import { findWarnings } from './warnings'

/** Ends a lease, or its signing, and cancels the open requests at the provider. */
export async function terminateAgreement(
  deps: Deps,
  actor: Actor,
  id: string,
  { termination_date, reason }: TerminateInput,
): Promise<AgreementResult> {
  const today = toIndianDate(deps.now())
  const result = await deps.db.transactional(async em => {
    const locked = await lockAgreement(em, actor, id)
    const { agreement } = locked
    requireLandlordOrManager(actor, locked)
    if (!canTransition(agreement.status, 'TERMINATED'))
      throw refuse('wrong_status', { status: agreement.status, to_be: 'terminated' })
    if (termination_date) requireTerminationDate(termination_date, agreement, today)

    await withdraw(deps, em, agreement, { date: termination_date ?? today, reason: reason ?? null })
    await appendEvent(em, deps.now(), locked, 'terminated', actor.id, {
      termination_date: agreement.termination_date,
      reason: reason ?? undefined,
    })
    await em.flush()
    await endSchedule(em, agreement, agreement.termination_date!, getPosting(deps, actor))
    const data = await loadAgreementView(em, actor, agreement.id)
    return saveIdempotentResponse(em, { message: results.agreement_terminated, data })
  })
  deps.log.audit('agreement_terminated', { agreement: result.data.id, user: actor.id })
  await tryCancelNow(deps, result.data.id)
  return result
}

/** A lease that has not begun ends today by default: no date between its start and today exists. */
function requireTerminationDate(date: string, { agreement_start_date: start }: Agreement, today: string) {
  if (date > today) throw refuseFields('termination_in_future', 'termination_date', { today })
  if (date < start) throw refuseFields('termination_before_start', 'termination_date', { start })
}

/** Withdraws an agreement that is being signed, and creates its next version with the given changes. */
export async function reviseAgreement(
  deps: Deps,
  actor: Actor,
  id: string,
  change: AgreementChange,
): Promise<AgreementResult> {
  const { withdrawnId, result } = await deps.db.transactional(async em => {
    const now = deps.now()
    const locked = await lockAgreement(em, actor, id)
    const { agreement } = locked
    requireLandlordOrManager(actor, locked)
    if (agreement.status !== 'PENDING')
      throw refuse('wrong_status', { status: agreement.status, to_be: 'revised' })

    const reason = 'Withdrawn for a new version'
    await withdraw(deps, em, agreement, { date: toIndianDate(now), reason })
    const revision = await createNextVersion(deps, em, actor, locked, change)
    const next = revision.agreement
    await appendEvent(em, now, locked, 'revised', actor.id, { agreement_id: next.agreement_id })
    await appendEvent(em, now, revision, 'created', actor.id, {
      revises_agreement_id: agreement.agreement_id,
      fields: findChangedFields(takeSnapshot(locked), takeSnapshot(revision)),
    })
    await em.flush()
    const data = await loadAgreementView(em, actor, next.id)
    const response = { message: results.agreement_revised, data, ...(await findWarnings(em, next)) }
    return { withdrawnId: agreement.id, result: await saveIdempotentResponse(em, response) }
  })
  deps.log.audit('agreement_withdrawn', { agreement: withdrawnId, user: actor.id })
  await tryCancelNow(deps, withdrawnId)
  return result
}

/** Terminates an agreement and enqueues the cancellation of its open requests. */
async function withdraw(
  deps: Deps,
  em: EntityManager,
  agreement: Agreement,
  { date, reason }: { date: string; reason: string | null },
) {
  agreement.status = 'TERMINATED'
  agreement.termination_date = date
  agreement.termination_reason = reason
  const open = await em.find(
    AgreementSignature,
    { agreement_id: agreement.id, status: 'PENDING' },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  await expireSignatures(deps, em, open)
}

async function createNextVersion(
  deps: Deps,
  em: EntityManager,
  actor: Actor,
  { agreement, unit, tenantIds }: LockedAgreement,
  { agreement_number, ...change }: AgreementChange,
): Promise<LockedAgreement> {
  const next = em.create(Agreement, {
    ...toTerms(agreement),
    ...initialState(),
    landlord_id: agreement.landlord_id,
    agreement_number: agreement_number ?? (await getNextAgreementNumber(em, unit.landlord_id, deps.now())),
    agreement_end_date: agreement.agreement_end_date,
    revises_id: agreement.id,
    renews_id: agreement.renews_id ?? null,
  })
  await em.flush()
  await insertTenants(em, next, tenantIds)
  return changeTerms(deps, em, actor, { agreement: next, unit, tenantIds }, change)
}

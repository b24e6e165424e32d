import type { AcceptInput, DisputeInput, NewSettlement, SettlementPosting } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../../db/database'
import { DepositSettlement, type Agreement } from '../../../db/entities'
import type { LockedAgreement } from '../../leases/access'
import { consumePosting } from '../ledger/posting-cap'
import { appendEntry } from '../../leases/timeline'
import { computeAccruedLateFees, finishPosting, postAccruedLateFees } from '../charges/late-fees'
import type { Tx } from '../../deps'
import type { RecordId } from '../../http/record-id'
import { refuse, refuseFields } from '../../errors'
import { loadView } from '../../http/changes'
import { lockBooks } from '../ledger/access'
import { getPosting } from '../ledger/books'
import { withdrawMessages, writeMessage } from '../../messages-out/write'
import { results } from '../../messages/results'
import { selectSettlement } from './queries'
import { ANSWER_DAYS, computeSettlement, postSettlement, type SettlementAmounts } from './settlement'

type Status = DepositSettlement['status']

/** So many days after a proposal, tenants who have not answered are told of it again. */
const REMINDER_DAYS = [7, 14]

/** Proposes how to settle the deposit of an ended lease; it replaces a proposal that is not posted. */
export async function proposeSettlement(
  tx: Tx,
  agreementId: RecordId,
  { deductions, refund_method = null, reference = null }: NewSettlement,
) {
  const { em, actor } = tx
  const posting = getPosting(tx)
  const { locked, books } = await lockBooks(em, actor, agreementId, 'landlord')
  const { status } = locked.agreement
  if (status !== 'TERMINATED') throw refuse('wrong_status', { status, to_be: 'settled' })
  const known = await findSettlement(em, locked.agreement)
  if (known) requireStatus(known, ['proposed', 'accepted', 'disputed'], 'proposed')
  if (known) await withdrawMessages(em, 'settlement', known.settlement_id)
  if (books.ledger.deposit_held === 0) throw refuse('deposit_not_held')
  await consumePosting(tx, books.agreement)

  const accrued = await computeAccruedLateFees(em, books, posting.today)
  const amounts = computeSettlement(books, deductions, accrued)
  const proposal = {
    proposed_on: posting.today,
    deductions,
    refund_method,
    reference,
    ...amounts,
    // Another one for each proposal, so that a tenant answers the one that they saw.
    settlement_id: crypto.randomUUID(),
    status: 'proposed' as const,
  }
  const settlement = known
    ? Object.assign(known, proposal)
    : em.create(DepositSettlement, { ...proposal, agreement_id: locked.agreement.id })
  const { refund_amount } = amounts
  await appendEntry(em, posting.now, locked, 'deposit_proposed', actor.id, { refund_amount })
  const told = { agreement: locked.agreement, to: locked.tenantIds, dedupeKey: proposal.settlement_id }
  await writeMessage(tx, { kind: 'settlement', ...told, days: ANSWER_DAYS, againAfter: REMINDER_DAYS })
  return saveAndRespond(tx, results.settlement_proposed, settlement)
}

/** Withdraws what was proposed for a lease that goes on; nothing is posted of it. */
export async function withdrawSettlement(em: EntityManager, agreement: Agreement) {
  const settlement = await findSettlement(em, agreement)
  if (!settlement) return
  await withdrawMessages(em, 'settlement', settlement.settlement_id)
  em.remove(settlement)
}

/** The statuses in which a settlement can be decided so. */
const decidable: Record<'accepted' | 'disputed', Status[]> = {
  accepted: ['proposed', 'disputed'],
  disputed: ['proposed'],
}

/** Decides a settlement for a tenant. An earlier dispute stays on record. */
export async function decideSettlement(
  tx: Tx,
  agreementId: RecordId,
  status: keyof typeof decidable,
  { reason, ...input }: AcceptInput & Partial<DisputeInput>,
) {
  const { em, actor } = tx
  const { now } = getPosting(tx)
  const { locked } = await lockBooks(em, actor, agreementId, 'tenants')
  const settlement = await requireSettlement(em, locked.agreement)
  requireStatus(settlement, decidable[status], status)
  const { settlement_id, refund_amount } = settlement
  // The landlord may have replaced the proposal that the tenant has read.
  if (input.settlement_id.toLowerCase() !== settlement_id)
    throw refuse('settlement_replaced', { refund_amount })
  Object.assign(settlement, { status, decided_by_id: actor.id, decided_at: now })
  if (reason) settlement.dispute_reason = reason
  await withdrawMessages(em, 'settlement', settlement_id)
  await appendEntry(em, now, locked, `deposit_${status}`, actor.id, reason ? { reason } : {})
  return saveAndRespond(tx, results[`settlement_${status}`], settlement)
}

/** Posts a settlement that a tenant accepted or disputed, or did not answer in time, as it was proposed. */
export async function postDepositSettlement(
  tx: Tx,
  agreementId: RecordId,
  { refund_method, reference, ...answer }: SettlementPosting,
) {
  const { em, actor } = tx
  const posting = getPosting(tx)
  const { locked, books } = await lockBooks(em, actor, agreementId, 'landlord')
  const settlement = await requireSettlement(em, locked.agreement)
  await answerForTenants(tx, locked, settlement, answer)
  requireStatus(settlement, ['accepted', 'disputed'], 'posted')
  await postAccruedLateFees(posting, books, settlement.proposed_on)
  const amounts = computeSettlement(books, settlement.deductions)
  if (!isAsProposed(settlement, amounts)) throw refuse('settlement_outdated', amounts)
  settlement.refund_method = refund_method ?? settlement.refund_method ?? null
  settlement.reference = reference ?? settlement.reference ?? null
  const { refund_amount } = amounts
  if (refund_amount > 0 && !settlement.refund_method)
    throw refuseFields('refund_method_missing', 'refund_method')

  postSettlement(posting, books, settlement)
  const { now } = posting
  Object.assign(settlement, { status: 'posted', posted_at: now })
  await appendEntry(em, now, locked, 'deposit_settled', actor.id, { refund_amount })
  await finishPosting(posting, [books])
  return saveAndRespond(tx, results.settlement_posted, settlement)
}

/** Takes for an answer what the tenants accepted on paper or, if there is none, that their days for one are over. */
async function answerForTenants(
  tx: Tx,
  locked: LockedAgreement,
  settlement: DepositSettlement,
  { accepted_on_paper: paper, unanswered }: SettlementPosting,
) {
  const { em, actor } = tx
  const { now, today } = getPosting(tx)
  if (paper) {
    requireStatus(settlement, decidable.accepted, 'accepted')
    if (paper.on > today) throw refuseFields('date_in_future', 'accepted_on_paper.on', { today })
  } else if (unanswered && settlement.status === 'proposed') {
    const { unanswered_from: date } = await loadView(tx, selectSettlement, { id: settlement.id })
    if (!date) throw refuse('settlement_not_told')
    if (today < date) throw refuse('settlement_awaits_answer', { date })
  } else return
  const accepted_on = paper?.on
  const type = paper ? 'deposit_accepted_on_paper' : 'deposit_unanswered'
  const answer = { paper_accepted_on: accepted_on ?? null, unanswered: !paper }
  Object.assign(settlement, answer, { status: 'accepted' })
  await appendEntry(em, now, locked, type, actor.id, { accepted_on })
  await withdrawMessages(em, 'settlement', settlement.settlement_id)
}

function requireStatus({ status }: DepositSettlement, allowed: Status[], to_be: Status) {
  if (!allowed.includes(status)) throw refuse('settlement_wrong_status', { status, to_be })
}

/** Whether a settlement comes to what was proposed; the refund follows from these amounts and the deductions. */
function isAsProposed(settlement: DepositSettlement, amounts: SettlementAmounts) {
  const names = ['held_amount', 'open_rent', 'advance_amount'] as const
  return names.every(name => amounts[name] === settlement[name])
}

/** @throws NOT_FOUND Nothing was proposed. */
async function requireSettlement(em: EntityManager, agreement: Agreement) {
  const settlement = await findSettlement(em, agreement)
  if (!settlement) throw refuse('settlement_not_found')
  return settlement
}

function findSettlement(em: EntityManager, { id }: Agreement) {
  return em.findOne(DepositSettlement, { agreement_id: id })
}

async function saveAndRespond(tx: Tx, message: string, settlement: DepositSettlement) {
  await tx.em.flush()
  return { message, data: await loadView(tx, selectSettlement, { id: settlement.id }) }
}

import type { Charge as ChargeView, NewCharge, NewCredit } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../db/database'
import type { Agreement, Charge } from '../../db/entities'
import { consumeDailyLimit } from '../agreements/daily-limits'
import type { Deps } from '../deps'
import { addMonths } from '../domain/dates'
import { toPaise, toRupees } from '../domain/money'
import { parseRecordId } from '../domain/record-id'
import { refuse, refuseFields } from '../faults'
import type { Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { recordBookActivity } from '../ledger/activities'
import { lockCharge, lockManagedBooks } from '../ledger/access'
import { getPosting, toWhen, type Books, type Posting } from '../ledger/books'
import { applyDueAdvances } from '../ledger/due-advances'
import { loadCreditable, postCharge, postCredit } from '../ledger/postings'
import { results } from '../messages/results'
import { chargeLabels } from './labels'
import { listChargesToReview, reviewLateFees, saveCredits } from './late-fee-posting'
import { loadChargeView } from './queries'

export type ChargeResult = { message: string; data: ChargeView }

/** How long after the end of its lease a charge may fall due. */
const MAX_MONTHS_AFTER_END = 12

/** Posts a charge that the schedule does not have. */
export function createCharge(
  deps: Deps,
  actor: Actor,
  agreementId: string,
  input: NewCharge,
): Promise<ChargeResult> {
  return deps.db.transactional(async em => {
    const posting = getPosting(deps, actor)
    const { locked, books } = await lockManagedBooks(em, actor, agreementId)
    const { status } = locked.agreement
    if (status === 'COMPLETED') throw refuse('wrong_status', { status, to_be: 'charged' })
    requireChargeDates(books, input)
    await consumeDailyLimit(em, deps, books.agreement, 'charges')
    const charge = postCharge(
      em,
      books,
      {
        type: input.type,
        description: input.description ?? chargeLabels[input.type],
        due_date: input.due_date,
        period_start: input.period_start ?? null,
        period_end: input.period_end ?? null,
        amount: toPaise(input.amount),
        source: input.type === 'opening_balance' ? 'opening' : 'manual',
      },
      posting,
    )
    await settleDueCharges(em, books, posting)
    await recordBookActivity(em, posting, locked, 'charge_posted')
    return respond(em, results.charge_created, charge, posting.today)
  })
}

/** @throws VALIDATION_ERROR A date lies before the books, long after the lease, or a period ends before it begins. */
function requireChargeDates({ ledger, agreement }: Books, input: NewCharge) {
  const { due_date, period_start, period_end } = input
  if (input.type === 'deposit' && agreement.status !== 'ACTIVE')
    throw refuseFields('deposit_after_lease', 'type')
  const earliest = input.type === 'opening_balance' ? undefined : ledger.starts_on
  if (earliest && due_date < earliest) throw refuseFields('date_before_books', 'due_date', { date: earliest })
  requireNotLongAfter(agreement, due_date)
  if (period_start && period_end && period_end < period_start)
    throw refuseFields('period_ends_before_start', 'period_end', { start: period_start })
  if (Boolean(period_start) !== Boolean(period_end))
    throw refuseFields('period_incomplete', period_start ? 'period_end' : 'period_start')
}

function requireNotLongAfter({ agreement_end_date }: Agreement, due_date: string) {
  const latest = addMonths(agreement_end_date, MAX_MONTHS_AFTER_END)
  if (due_date > latest) throw refuseFields('date_after_lease', 'due_date', { date: latest })
}

/** Credits a part of a charge: it need not be paid, or becomes an advance if it was. */
export function createCredit(
  deps: Deps,
  actor: Actor,
  chargeId: string,
  { amount, reason }: NewCredit,
): Promise<ChargeResult> {
  const key = parseRecordId(chargeId, 'charge_not_found')
  return deps.db.transactional(async em => {
    const posting = getPosting(deps, actor)
    const { books, charge } = await lockCharge(em, actor, key)
    const credit = { amount: toPaise(amount), reason }
    const limit = await loadCreditable(em, books, charge)
    if (credit.amount > limit) throw refuseFields('credit_above_charge', 'amount', { limit: toRupees(limit) })
    await consumeDailyLimit(em, deps, books.agreement, 'charges')
    postCredit(books, charge, credit, toWhen(posting))
    await settleDueCharges(em, books, posting)
    return respond(em, results.charge_credited, charge, posting.today)
  })
}

/** Settles what is due with the advances, saves the books, and reviews the late fees that this changes. */
async function settleDueCharges(em: EntityManager, books: Books, posting: Posting) {
  applyDueAdvances(books, posting)
  await saveCredits(em, books, posting)
  await reviewLateFees(em, books, listChargesToReview(books, posting.today), posting)
}

async function respond(
  em: EntityManager,
  message: string,
  { id }: Charge,
  today: string,
): Promise<ChargeResult> {
  const data = await loadChargeView(em, { id, today })
  return saveIdempotentResponse(em, { message, data })
}

import type { NewCharge, NewCredit } from '@kiraya/sdk/contract'
import type { Agreement, Charge } from '../../../db/entities'
import { consumePosting } from '../ledger/posting-cap'
import type { Tx } from '../../deps'
import type { RecordId } from '../../http/record-id'
import { addMonths } from '../../domain/dates'
import { toPaise, toRupees } from '../../domain/money'
import { refuse, refuseFields } from '../../errors'
import { loadView } from '../../http/changes'
import { recordBookActivity } from '../ledger/activities'
import { lockBooks, lockRecord, type LockedBooks } from '../ledger/access'
import { getPosting, toWhen, type Books, type Posting } from '../ledger/books'
import { loadCreditable, postCredit } from '../ledger/postings'
import { results } from '../../messages/results'
import { chargeWords } from './descriptions'
import { finishBooks } from './moved-advances'
import { finishPosting } from './late-fees'
import { postCharge } from './posted'
import { selectCharge } from './queries'

/** How long after the end of its lease a charge may fall due. */
const MAX_MONTHS_AFTER_END = 12

/** Posts a charge that the schedule does not have. */
export async function createCharge(tx: Tx, agreementId: RecordId, input: NewCharge) {
  const posting = getPosting(tx)
  const { locked, books } = await lockBooks(tx.em, tx.actor, agreementId, 'landlord')
  const { status } = locked.agreement
  if (status === 'COMPLETED') throw refuse('wrong_status', { status, to_be: 'charged' })
  requireChargeDates(books, input)
  const charge = await postManualCharge(tx, posting, { locked, books }, input)
  return respond(tx, results.charge_created, charge, posting)
}

/**
 * Posts a charge by hand to locked books, and tells the tenants.
 * @throws TOO_MANY_REQUESTS The lease had too many in a day.
 */
export async function postManualCharge(
  tx: Tx,
  posting: Posting,
  { locked, books }: LockedBooks,
  input: NewCharge,
) {
  await consumePosting(tx, books.agreement)
  const { type, description, due_date, period_start = null, period_end = null } = input
  const charge = postCharge(posting, books, {
    type,
    description: description ?? null,
    due_date,
    period_start,
    period_end,
    amount: toPaise(input.amount),
    source: type === 'opening_balance' ? 'opening' : 'manual',
  })
  await finishPosting(posting, [books])
  await recordBookActivity(posting, locked, 'charge_posted')
  return charge
}

/** Returns the last day on which a charge by hand may fall due. */
export function getLastDueDay({ agreement_end_date }: Agreement) {
  return addMonths(agreement_end_date, MAX_MONTHS_AFTER_END)
}

/** @throws VALIDATION_ERROR A date lies before the books, long after the lease, or a period ends before it begins. */
function requireChargeDates({ ledger, agreement }: Books, input: NewCharge) {
  const { due_date, period_start, period_end } = input
  if (input.type === 'deposit' && agreement.status !== 'ACTIVE')
    throw refuseFields('deposit_after_lease', 'type')
  const earliest = input.type === 'opening_balance' ? undefined : ledger.starts_on
  if (earliest && due_date < earliest) throw refuseFields('date_before_books', 'due_date', { date: earliest })
  const latest = getLastDueDay(agreement)
  if (due_date > latest) throw refuseFields('date_after_lease', 'due_date', { date: latest })
  if (period_start && period_end && period_end < period_start)
    throw refuseFields('period_ends_before_start', 'period_end', { start: period_start })
  if (Boolean(period_start) !== Boolean(period_end))
    throw refuseFields('period_incomplete', period_start ? 'period_end' : 'period_start')
}

/** Credits part of a charge: it need not be paid, or becomes an advance if it was. */
export async function createCredit(tx: Tx, chargeId: RecordId, { amount, reason }: NewCredit) {
  const posting = getPosting(tx)
  const { books, record: charge } = await lockRecord(tx, 'charges', chargeId)
  const credit = { amount: toPaise(amount), reason }
  const limit = await loadCreditable(tx.em, books, charge)
  if (credit.amount > limit) throw refuseFields('credit_above_charge', 'amount', { limit: toRupees(limit) })
  await consumePosting(tx, books.agreement)
  postCredit(books, charge, credit, toWhen(posting))
  await finishBooks(posting, books)
  return respond(tx, results.charge_credited, charge, posting)
}

async function respond(tx: Tx, message: string, { id }: Charge, { today }: Posting) {
  const given = { key: { id }, today, words: chargeWords[tx.actor.language] }
  return { message, data: await loadView(tx, selectCharge, given) }
}

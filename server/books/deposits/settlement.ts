import type { DepositSettlement } from '../../../db/entities'
import type { Deduction } from '@kiraya/sdk/contract'
import { sumPaise, toPaise, toRupees } from '../../domain/money'
import { postCharge } from '../charges/posted'
import { toDepositRefundLines } from '../ledger/accounts'
import { getOutstanding, toWhen, type Books, type Posting, type When } from '../ledger/books'
import { applyAdvances, postCredit, settleWithDeposit } from '../ledger/postings'

/** The days for an answer, from the day on which the last tenant was told of a proposal. */
export const ANSWER_DAYS = 15

/**
 * Returns what a settlement comes to now, in rupees: an advance pays the open charges before the deposit does, and the
 * deductions that the deposit does not. What is left of it stays an advance. Late fees that are not posted yet are
 * paise.
 */
export function computeSettlement(
  { ledger, charges, payments }: Books,
  deductions: Deduction[],
  accruedLateFees = 0,
) {
  const held = toPaise(ledger.deposit_held)
  const charged = sumPaise(charges.filter(({ type }) => type !== 'deposit').map(getOutstanding))
  const owed = charged + accruedLateFees
  const advance = sumPaise(payments.map(payment => toPaise(payment.unapplied_amount)))
  const open = Math.max(0, owed - advance)
  const deducted = sumPaise(deductions.map(({ amount }) => toPaise(amount)))
  const beyondDeposit = Math.max(0, open + deducted - held)
  return {
    held_amount: ledger.deposit_held,
    open_rent: toRupees(open),
    advance_amount: toRupees(Math.min(beyondDeposit, Math.max(0, advance - owed))),
    refund_amount: toRupees(Math.max(0, held - open - deducted)),
  }
}

export type SettlementAmounts = ReturnType<typeof computeSettlement>

/**
 * Posts a settlement. Advances pay the open charges first; the deposit pays the rest and the deductions, and what is
 * left of it is refunded. Deductions beyond the deposit are paid by advances, or stay open. The unpaid part of the
 * deposit is credited.
 */
export function postSettlement(posting: Posting, books: Books, settlement: DepositSettlement) {
  const { deductions, refund_amount, refund_method } = settlement
  const when = toWhen(posting)
  creditOpenDeposit(books, when)
  applyAdvances(books, books.payments, books.charges, when)
  const deducted = deductions.map(deduction => postDeduction(posting, books, deduction))
  settleWithDeposit(books, toPaise(books.ledger.deposit_held) - toPaise(refund_amount), when)
  applyAdvances(books, books.payments, deducted, when)
  if (refund_amount === 0 || !refund_method) return
  const lines = toDepositRefundLines(refund_method, toPaise(refund_amount))
  books.journals.push({ kind: 'settlement', ...when, lines })
}

function postDeduction(posting: Posting, books: Books, deduction: Deduction) {
  const { type, description, amount } = deduction
  const charge = { type, description, amount: toPaise(amount) }
  return postCharge(posting, books, { ...charge, due_date: posting.today, source: 'manual' })
}

/** Credits what is outstanding of the deposit, which is no longer asked for. */
export function creditOpenDeposit(books: Books, when: When) {
  for (const charge of books.charges.filter(({ type }) => type === 'deposit')) {
    const amount = getOutstanding(charge)
    if (amount > 0) postCredit(books, charge, { amount, reason: 'correction' }, when)
  }
}

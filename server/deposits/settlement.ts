import type { EntityManager } from '../../db/database'
import type { Deduction, DepositSettlement } from '../../db/entities'
import type { DeductionType } from '@kiraya/sdk/contract'
import { toPaise, toRupees } from '../domain/money'
import { toDepositRefundLines } from '../ledger/accounts'
import { getOutstanding, toWhen, type Books, type Posting, type When } from '../ledger/books'
import { applyAdvances, postCharge, postCredit, settleWithDeposit } from '../ledger/postings'

/**
 * Returns what a settlement comes to now, in rupees: an advance pays the open charges, then the deductions, before the
 * deposit does. What is left of it stays an advance.
 */
export function computeSettlement({ ledger, charges, payments }: Books, deductions: Deduction[]) {
  const held = toPaise(ledger.deposit_held)
  const owed = sum(charges.filter(({ type }) => type !== 'deposit').map(getOutstanding))
  const advance = sum(payments.map(payment => toPaise(payment.unapplied_amount)))
  const open = Math.max(0, owed - advance)
  const deducted = sum(deductions.map(({ amount }) => toPaise(amount)))
  const advanced = Math.min(deducted, Math.max(0, advance - owed))
  return {
    held_amount: ledger.deposit_held,
    open_rent: toRupees(open),
    advance_amount: toRupees(advanced),
    refund_amount: toRupees(Math.max(0, held - open - deducted + advanced)),
  }
}

export type SettlementAmounts = ReturnType<typeof computeSettlement>

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

/**
 * Posts a settlement: advances and then the deposit settle what is owed, deductions included, and what is left of the
 * deposit is refunded. Deductions beyond it stay owed. What was not paid of the deposit is not asked for any more.
 */
export function postSettlement(
  em: EntityManager,
  books: Books,
  { deductions, refund_amount, refund_method }: DepositSettlement,
  posting: Posting,
) {
  const when = toWhen(posting)
  creditOpenDeposit(books, when)
  applyAdvances(books, books.payments, books.charges, when)
  const deducted = deductions.map(deduction => postDeduction(em, books, deduction, posting))
  applyAdvances(books, books.payments, deducted, when)
  settleWithDeposit(books, toPaise(books.ledger.deposit_held) - toPaise(refund_amount), when)
  if (refund_amount === 0 || !refund_method) return
  const lines = toDepositRefundLines(refund_method, toPaise(refund_amount))
  books.journals.push({ kind: 'settlement', ...when, lines })
}

function postDeduction(
  em: EntityManager,
  books: Books,
  { type, description, amount }: Deduction,
  posting: Posting,
) {
  const charge = { type: type as DeductionType, description, amount: toPaise(amount) }
  return postCharge(em, books, { ...charge, due_date: posting.today, source: 'manual' }, posting)
}

/** Credits what is outstanding of the deposit, which is no longer asked for. */
export function creditOpenDeposit(books: Books, when: When) {
  for (const charge of books.charges.filter(({ type }) => type === 'deposit')) {
    const amount = getOutstanding(charge)
    if (amount > 0) postCredit(books, charge, { amount, reason: 'correction' }, when)
  }
}

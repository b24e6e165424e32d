import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import { Journal, type Charge, type Payment, type Refund } from '../../../db/entities'
import type { Db, EntityManager } from '../../../db/database'
import type { CreditReason } from '@kiraya/sdk/contract'
import { addPaise, toPaise, toRupees } from '../../domain/money'
import { allocate } from './allocation'
import {
  reverseLines,
  toAllocationLines,
  toCreditLines,
  toPaymentLines,
  toRefundLines,
  toSettlementLines,
  toTransferLines,
} from './accounts'
import {
  findRecords,
  getCreditable,
  getOutstanding,
  loadAllocations,
  toWhen,
  type Books,
  type LiveAllocation,
  type Posting,
  type When,
} from './books'

/**
 * Amounts in this file are paise. Each posting changes the books in memory and adds its journals. A payment is posted on
 * the day on which it was made; the rest is posted `when` the caller says.
 */

type Credit = { amount: number; reason: CreditReason | 'paid_in_time' }

/** Credits what may be credited of an amount, and returns that. The charge need not be in the books yet. */
export async function creditCharge(posting: Posting, books: Books, charge: Charge, credit: Credit) {
  const amount = Math.min(credit.amount, await loadCreditable(posting.em, books, charge))
  if (amount > 0) postCredit(books, charge, { ...credit, amount }, toWhen(posting))
  return amount
}

/** Adds a charge and its allocations to the books, and returns what may be credited of it. */
export async function loadCreditable(em: EntityManager, books: Books, charge: Charge) {
  if (!books.charges.includes(charge)) books.charges.push(charge)
  await loadAllocations(em, books, { chargeId: charge.id })
  return getCreditable(books, charge)
}

/**
 * Posts a credit note. If the charge is then overpaid, the excess becomes an advance: the newest allocations are
 * reversed first, and one that is needed in part is posted again with its rest.
 */
export function postCredit(books: Books, charge: Charge, { amount, reason }: Credit, when: When) {
  let overpaid = amount - getOutstanding(charge)
  for (const allocation of books.allocations.filter(live => live.charge === charge).toReversed()) {
    if (overpaid <= 0) break
    const kept = Math.max(0, allocation.amount - overpaid)
    overpaid -= allocation.amount - kept
    reverseAllocation(books, allocation, when)
    if (kept > 0) postAllocation(books, allocation.payment, charge, kept, when)
  }
  charge.amount_credited = addPaise(charge.amount_credited, amount)
  const lines = toCreditLines(charge.type, reason, amount)
  books.journals.push({ kind: 'credit', ...when, charge, reason, lines })
}

/** Takes a credit note back: its charge is owed again. */
export function reverseCredit(books: Books, charge: Charge, of: Credit & { id: number }, when: When) {
  charge.amount_credited = addPaise(charge.amount_credited, -of.amount)
  const lines = reverseLines(toCreditLines(charge.type, of.reason, of.amount))
  books.journals.push({ kind: 'reversal', ...when, charge, reversesId: of.id, lines })
}

/** Takes the money of a payment as an advance. */
export function postPayment(books: Books, payment: Payment, { now, actorId }: Posting) {
  const [amount, tdsAmount] = [toPaise(payment.amount), toPaise(payment.tds_amount)]
  payment.status = 'posted'
  payment.posted_at = now
  payment.unapplied_amount = toRupees(amount + tdsAmount)
  const lines = toPaymentLines(payment.method, amount, tdsAmount)
  books.journals.push({ kind: 'payment', effectiveOn: payment.paid_on, actorId, payment, lines })
}

export function postAllocation(books: Books, payment: Payment, charge: Charge, amount: number, when: When) {
  payment.unapplied_amount = addPaise(payment.unapplied_amount, -amount)
  charge.amount_paid = addPaise(charge.amount_paid, amount)
  const lines = toAllocationLines(charge.type, amount)
  books.journals.push({ kind: 'allocation', ...when, payment, charge, lines })
}

export function reverseAllocation(books: Books, allocation: LiveAllocation, when: When) {
  const { journal_id, payment, charge, amount } = allocation
  payment.unapplied_amount = addPaise(payment.unapplied_amount, amount)
  charge.amount_paid = addPaise(charge.amount_paid, -amount)
  books.allocations = books.allocations.filter(live => live !== allocation)
  const lines = reverseLines(toAllocationLines(charge.type, amount))
  books.journals.push({ kind: 'reversal', ...when, payment, charge, reversesId: journal_id, lines })
}

/**
 * Allocates what is left of payments to the open charges in the order of time. The deposit of a lease that has ended
 * comes after all else.
 */
export function applyAdvances(books: Books, payments: Payment[], charges: Charge[], when: When) {
  const isLast = ({ type }: Charge) => type === 'deposit' && books.agreement.status !== 'ACTIVE'
  for (const group of [charges.filter(charge => !isLast(charge)), charges.filter(isLast)]) {
    const advances = payments
      .values()
      .map(entity => ({ entity, available: toPaise(entity.unapplied_amount) }))
    for (const { payment, charge, amount } of allocate(advances, group.map(toOpenCharge)))
      postAllocation(books, payment.entity, charge.entity, amount, when)
  }
}

const toOpenCharge = (charge: Charge) => ({
  type: charge.type,
  due_date: charge.due_date,
  outstanding: getOutstanding(charge),
  entity: charge,
})

/** Settles the open charges with part of the deposit that is held: a journal for each charge. */
export function settleWithDeposit(books: Books, held: number, when: When) {
  for (const { charge, amount } of allocate([{ available: held }], books.charges.map(toOpenCharge))) {
    const { entity } = charge
    entity.amount_paid = addPaise(entity.amount_paid, amount)
    books.journals.push({ kind: 'settlement', ...when, charge: entity, lines: toSettlementLines(amount) })
  }
}

/** Takes a payment back whose money is an advance again: the mirror of its journal. */
export async function postPaymentReversal(posting: Posting, books: Books, payment: Payment) {
  const posted = await posting.em.findOneOrFail(Journal, { payment_id: payment.id, kind: 'payment' })
  const [amount, tdsAmount] = [toPaise(payment.amount), toPaise(payment.tds_amount)]
  const lines = reverseLines(toPaymentLines(payment.method, amount, tdsAmount))
  Object.assign(payment, { status: 'reversed', unapplied_amount: 0, waits_for_allocation: false })
  books.journals.push({ kind: 'reversal', ...toWhen(posting), payment, reversesId: posted.id, lines })
}

/** Moves part of an advance out of the books. */
export function postAdvanceTransfer(books: Books, payment: Payment, amount: number, when: When) {
  payment.unapplied_amount = addPaise(payment.unapplied_amount, -amount)
  payment.moved_amount = addPaise(payment.moved_amount, amount)
  books.journals.push({ kind: 'transfer', ...when, payment, lines: toTransferLines('advance', amount) })
}

/** Pays part of an advance back. */
export function postRefund(books: Books, payment: Payment, refund: Refund, amount: number, when: When) {
  payment.unapplied_amount = addPaise(payment.unapplied_amount, -amount)
  payment.refunded_amount = addPaise(payment.refunded_amount, amount)
  const lines = toRefundLines(refund.method, amount)
  books.journals.push({ kind: 'refund', ...when, payment, refund, lines })
}

/** Takes a refund back, whose money is an advance again: the mirrors of its journals. */
export async function postRefundReversal(posting: Posting, books: Books, refund: Refund) {
  const posted = await executeCompiled(posting.em, selectRefunded, { id: refund.id })
  const ids = posted.map(({ payment_id }) => payment_id)
  const payments = await findRecords(posting.em, books, 'payments', ids)
  for (const [index, { journal_id, amount: rupees }] of posted.entries()) {
    const [payment, amount] = [payments[index]!, toPaise(Number(rupees))]
    payment.unapplied_amount = addPaise(payment.unapplied_amount, amount)
    payment.refunded_amount = addPaise(payment.refunded_amount, -amount)
    const lines = reverseLines(toRefundLines(refund.method, amount))
    const mirror = { ...toWhen(posting), payment, refund, reversesId: journal_id, lines }
    books.journals.push({ kind: 'reversal', ...mirror })
  }
}

type Refunded = { journal_id: number; payment_id: number; amount: number }

const selectRefunded = (_: Db, { id }: { id: number }) => sql<Refunded>`
  select journal.id as journal_id, journal.payment_id, line.debit as amount
  from journals journal join journal_lines line on line.journal_id = journal.id and line.account = 'advance'
  where journal.refund_id = ${id} and journal.kind = 'refund' order by journal.position`

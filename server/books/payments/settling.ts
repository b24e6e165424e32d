import type { Payment } from '../../../db/entities'
import { sumPaise, toPaise, toRupees } from '../../domain/money'
import { refuseFields } from '../../errors'
import { getOutstanding, loadAllocations, toWhen, type Books, type Posting } from '../ledger/books'
import {
  applyAdvances,
  postAllocation,
  postPayment,
  postPaymentReversal,
  reverseAllocation,
} from '../ledger/postings'
import { getNextReceiptNumber } from './receipt-number'

/** @throws VALIDATION_ERROR A closed lease would come to hold an advance. */
export function requireOutstanding({ agreement, charges }: Books, amount: number) {
  if (agreement.status !== 'COMPLETED') return
  const outstanding = sumPaise(charges.map(getOutstanding))
  if (amount > outstanding)
    throw refuseFields('payment_above_outstanding', 'amount', { limit: toRupees(outstanding) })
}

/** Posts a payment: it gets a receipt number, and settles the charges that it is for. */
export async function settle(posting: Posting, books: Books, payment: Payment) {
  requireOutstanding(books, toPaise(payment.amount) + toPaise(payment.tds_amount))
  payment.receipt_number = await getNextReceiptNumber(posting.em, payment)
  postPayment(books, payment, posting)
  const when = toWhen(posting, payment.paid_on)
  for (const { charge_id, amount } of payment.requested_allocations ?? []) {
    const charge = books.charges.find(({ id }) => id === charge_id)
    const part = Math.min(toPaise(amount), charge ? getOutstanding(charge) : 0)
    if (charge && part > 0) postAllocation(books, payment, charge, part, when)
  }
  applyAdvances(books, [payment], books.charges, when)
  payment.requested_allocations = null
}

/**
 * Takes a posted payment back, from all that it settles.
 * @throws VALIDATION_ERROR Part of it was refunded, or moved to a renewal, or it is an advance that was taken over.
 */
export async function reverse(posting: Posting, books: Books, payment: Payment) {
  if (payment.refunded_amount > 0) throw refuseFields('payment_refunded', 'status')
  const is_taken_over = payment.source !== 'manual'
  if (is_taken_over || payment.moved_amount > 0)
    throw refuseFields('payment_moved', 'status', { is_taken_over })
  await unallocate(posting, books, payment)
  await postPaymentReversal(posting, books, payment)
}

/** Reverses what a payment settles, and returns that. */
export async function unallocate(posting: Posting, books: Books, payment: Payment) {
  await loadAllocations(posting.em, books, { paymentId: payment.id })
  const live = books.allocations.filter(allocation => allocation.payment === payment)
  for (const allocation of live) reverseAllocation(books, allocation, toWhen(posting))
  return live
}

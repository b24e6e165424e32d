import type { NewRefund, Refund } from '@kiraya/sdk/contract'
import { consumePosting } from '../ledger/posting-cap'
import type { Tx } from '../../deps'
import type { RecordId } from '../../http/record-id'
import { sumPaise, toPaise, toRupees } from '../../domain/money'
import { refuseFields } from '../../errors'
import { finishPosting } from '../charges/late-fees'
import { lockBooks } from '../ledger/access'
import { getPosting, toWhen, type Books, type Posting, type When } from '../ledger/books'
import { postRefund } from '../ledger/postings'
import { results } from '../../messages/results'

/** Records that an advance went back to the tenants, from the oldest payments first. */
export async function createRefund(tx: Tx, agreementId: RecordId, input: NewRefund) {
  const posting = getPosting(tx)
  const { books } = await lockBooks(tx.em, tx.actor, agreementId, 'landlord')
  const refunded_on = input.refunded_on ?? posting.today
  requireRefund(books, input, refunded_on, posting)
  await consumePosting(tx, books.agreement)
  const payments = postRefunds(books, input, toWhen(posting, refunded_on))
  await finishPosting(posting, [books])
  const { amount, method, reference = null } = input
  return { message: results.refund_recorded, data: { amount, method, reference, refunded_on, payments } }
}

/** @throws VALIDATION_ERROR The advance is smaller, or the day lies ahead. */
function requireRefund(books: Books, { amount }: NewRefund, refunded_on: string, { today }: Posting) {
  const advance = sumPaise(books.payments.map(({ unapplied_amount }) => toPaise(unapplied_amount)))
  if (toPaise(amount) > advance)
    throw refuseFields('refund_above_advance', 'amount', { limit: toRupees(advance) })
  if (refunded_on > today) throw refuseFields('date_in_future', 'refunded_on', { today })
}

/** @throws VALIDATION_ERROR The refund was made before a payment that it takes. */
function postRefunds(books: Books, { amount, method, reference }: NewRefund, when: When) {
  const parts: Refund['payments'] = []
  const refund = { method, reference: reference ?? undefined }
  let left = toPaise(amount)
  for (const payment of books.payments) {
    const part = Math.min(left, toPaise(payment.unapplied_amount))
    if (part === 0) continue
    const date = payment.paid_on
    if (when.effectiveOn < date) throw refuseFields('refund_before_payment', 'refunded_on', { date })
    postRefund(books, payment, { ...refund, amount: part }, when)
    parts.push({ payment_id: payment.id, amount: toRupees(part) })
    left -= part
  }
  return parts
}

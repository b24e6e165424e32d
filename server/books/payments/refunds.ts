import type { NewRefund, ReverseInput } from '@kiraya/sdk/contract'
import { Refund } from '../../../db/entities'
import { consumePosting } from '../ledger/posting-cap'
import type { Tx } from '../../deps'
import type { RecordId } from '../../http/record-id'
import { sumPaise, toPaise, toRupees } from '../../domain/money'
import { refuseFields } from '../../errors'
import { loadView } from '../../http/changes'
import { finishPosting } from '../charges/late-fees'
import { lockBooks, lockBooksOf } from '../ledger/access'
import { recordBookActivity } from '../ledger/activities'
import { getPosting, toWhen, type Books, type Posting, type When } from '../ledger/books'
import { postRefund, postRefundReversal } from '../ledger/postings'
import { results } from '../../messages/results'
import { selectRefund } from './queries'
import { requireOutstanding } from './settling'

/** Records that an advance went back to the tenants, from the oldest payments first. */
export async function createRefund(tx: Tx, agreementId: RecordId, input: NewRefund) {
  const posting = getPosting(tx)
  const { books } = await lockBooks(tx.em, tx.actor, agreementId, 'landlord')
  const refunded_on = input.refunded_on ?? posting.today
  requireRefund(books, input, refunded_on, posting)
  await consumePosting(tx, books.agreement)
  const refund = tx.em.create(Refund, { ...input, refunded_on, agreement_id: books.agreement.id })
  postRefunds(books, refund, toWhen(posting, refunded_on))
  return finish(tx, posting, books, refund, results.refund_recorded)
}

/**
 * Takes a refund back. What of its money settles nothing stays in its lease, so that its payments can be reversed.
 * @throws VALIDATION_ERROR It is reversed, or a closed lease would come to hold an advance.
 */
export async function reverseRefund(tx: Tx, refundId: RecordId, { reason }: ReverseInput) {
  const posting = getPosting(tx)
  const { id, locked, books } = await lockBooksOf(tx, 'refunds', refundId)
  const refund = await tx.em.findOneOrFail(Refund, id)
  if (refund.status === 'reversed') throw refuseFields('refund_reversed', 'status')
  requireOutstanding(books, toPaise(refund.amount))
  await postRefundReversal(posting, books, refund)
  Object.assign(refund, { status: 'reversed', reversal_reason: reason })
  await recordBookActivity(posting, locked, 'refund_reversed')
  return finish(tx, posting, books, refund, results.refund_reversed)
}

async function finish(tx: Tx, posting: Posting, books: Books, refund: Refund, message: string) {
  await finishPosting(posting, [books])
  return { message, data: await loadView(tx, selectRefund, { id: refund.id }) }
}

/** @throws VALIDATION_ERROR The advance is smaller, or the day lies ahead. */
function requireRefund(books: Books, { amount }: NewRefund, refunded_on: string, { today }: Posting) {
  const advance = sumPaise(books.payments.map(({ unapplied_amount }) => toPaise(unapplied_amount)))
  if (toPaise(amount) > advance)
    throw refuseFields('refund_above_advance', 'amount', { limit: toRupees(advance) })
  if (refunded_on > today) throw refuseFields('date_in_future', 'refunded_on', { today })
}

/** @throws VALIDATION_ERROR The refund was made before a payment that it takes. */
function postRefunds(books: Books, refund: Refund, when: When) {
  let left = toPaise(refund.amount)
  for (const payment of books.payments) {
    const part = Math.min(left, toPaise(payment.unapplied_amount))
    if (part === 0) continue
    const date = payment.paid_on
    if (when.effectiveOn < date) throw refuseFields('refund_before_payment', 'refunded_on', { date })
    postRefund(books, payment, refund, part, when)
    left -= part
  }
}

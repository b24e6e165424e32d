import { Charge, Journal, Payment, Refund, type Agreement } from '../../db/entities'
import { toPaise } from '../domain/money'
import { refuse } from '../errors'
import { getHeldDeposit } from '../leases/opening'
import { results } from '../messages/results'
import { finishPosting } from './charges/late-fees'
import { getCharged } from './charges/posted'
import { reverseLines, toOpeningLines } from './ledger/accounts'
import { loadBooks, toWhen, type Books, type Posting } from './ledger/books'
import { creditCharge } from './ledger/postings'

/** Journals of money, which a void lease may not have; an opening is not theirs. */
const OF_MONEY = ['transfer', 'settlement']

/**
 * Takes back what was charged and opened under a lease that was recorded wrongly. Payments that tenants reported are rejected.
 * @throws BAD_REQUEST People posted money, or it moved between leases.
 */
export async function voidBooks(posting: Posting, agreement: Agreement) {
  const { em } = posting
  const { id } = agreement
  const [books] = await loadBooks(em, [agreement])
  if (!books) return
  const payments = await em.find(Payment, { agreement_id: id })
  const isMoney = ({ source, status }: Payment) =>
    source !== 'opening' && (status === 'posted' || status === 'pending')
  const moved = await em.count(Journal, { agreement_id: id, kind: { $in: OF_MONEY } })
  const refunds = await em.count(Refund, { agreement_id: id, status: 'posted' })
  if (payments.some(isMoney) || moved + refunds > 0) throw refuse('money_posted')
  for (const payment of payments.filter(({ status }) => status === 'reported')) {
    payment.status = 'rejected'
    payment.reversal_reason = results.agreement_voided
  }
  for (const charge of await em.find(Charge, { agreement_id: id }, { orderBy: { id: 'asc' } }))
    await creditCharge(posting, books, charge, { amount: getCharged(charge), reason: 'correction' })
  await reverseOpening(posting, books, payments)
  books.ledger.next_posting_on = null
  await finishPosting(posting, [books])
}

/** Posts the mirrors of what an opening took over: an advance, which is whole again, and the held deposit. */
async function reverseOpening(posting: Posting, books: Books, payments: Payment[]) {
  const { agreement, journals } = books
  const opened = await posting.em.find(Journal, { agreement_id: agreement.id, kind: 'opening' })
  for (const { id, payment_id } of opened) {
    const payment = payments.find(each => each.id === payment_id)
    if (payment) Object.assign(payment, { status: 'reversed', unapplied_amount: 0 })
    const lines = payment
      ? toOpeningLines('advance', toPaise(payment.amount))
      : toOpeningLines('deposit_held', getHeldDeposit(agreement))
    const mirror = { ...toWhen(posting), payment, reversesId: id, lines: reverseLines(lines) }
    journals.push({ kind: 'reversal', ...mirror })
  }
}

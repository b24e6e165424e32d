import { Charge, Journal, Payment, type Agreement } from '../../db/entities'
import { refuse } from '../errors'
import { results } from '../messages/results'
import { finishPosting } from './charges/late-fees'
import { getCharged } from './charges/posted'
import { loadBooks, type Posting } from './ledger/books'
import { creditCharge } from './ledger/postings'

/** Journals of money, which a void lease may not have; an opening is not theirs. */
const OF_MONEY = ['transfer', 'settlement', 'refund']

/**
 * Takes back what was charged under a lease that was recorded wrongly. Payments that tenants reported are rejected.
 * @throws BAD_REQUEST People posted money, or it moved between leases.
 */
export async function voidBooks(posting: Posting, agreement: Agreement) {
  const { em } = posting
  const { id } = agreement
  const [books] = await loadBooks(em, [agreement])
  if (!books) return
  const payments = await em.find(Payment, { agreement_id: id })
  const isMoney = ({ status }: Payment) => status === 'posted' || status === 'pending'
  const moved = await em.count(Journal, { agreement_id: id, kind: { $in: OF_MONEY } })
  if (payments.some(isMoney) || moved > 0) throw refuse('money_posted')
  for (const payment of payments.filter(({ status }) => status === 'reported')) {
    payment.status = 'rejected'
    payment.reversal_reason = results.agreement_voided
  }
  for (const charge of await em.find(Charge, { agreement_id: id }, { orderBy: { id: 'asc' } }))
    await creditCharge(posting, books, charge, { amount: getCharged(charge), reason: 'correction' })
  books.ledger.next_posting_on = null
  await finishPosting(posting, [books])
}

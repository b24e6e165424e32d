import { LockMode } from '@mikro-orm/core'
import { Agreement, Payment } from '../../../db/entities'
import { doesDepositMove } from '../../leases/previous-lease'
import { sumPaise, toPaise, toRupees } from '../../domain/money'
import { reverseLines, toTransferLines } from '../ledger/accounts'
import { getOutstanding, loadBooks, toWhen, type Books, type Posting } from '../ledger/books'
import { postAdvanceTransfer } from '../ledger/postings'
import { finishPosting } from './late-fees'
import { sumUnposted } from './posting'

/** Ends a change of the books of one lease; an advance that it left in one that has ended goes on to the renewal. */
export async function finishBooks(posting: Posting, books: Books) {
  await finishPosting(posting, [books])
  if (books.agreement.status === 'TERMINATED') await passOnAdvances(posting, books.agreement)
}

/** Moves what is left of the advance of a lease that has ended into its renewal, if that is ACTIVE. */
export async function passOnAdvances(posting: Posting, agreement: Agreement) {
  const { em } = posting
  // The older one is locked already.
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE }
  const renewal = await em.findOne(Agreement, { renews_id: agreement.id, status: 'ACTIVE' }, lock)
  if (!renewal || !(await doesDepositMove(em, renewal.id))) return
  const allBooks = await loadBooks(em, [agreement, renewal])
  const [from, books] = allBooks
  await moveAdvances(posting, from!, books!)
  await finishPosting(posting, allBooks)
}

/** What the lease still charges until its end stays with it, from the oldest payments. */
export async function moveAdvances(posting: Posting, from: Books, to: Books) {
  if (from.payments.length === 0) return
  const when = toWhen(posting)
  let needed = sumPaise(from.charges.map(getOutstanding)) + (await sumUnposted(posting, from))
  const parts: { payment: Payment; amount: number }[] = []
  for (const payment of from.payments) {
    const unapplied = toPaise(payment.unapplied_amount)
    const amount = Math.max(0, unapplied - needed)
    needed = Math.max(0, needed - unapplied)
    if (amount === 0) continue
    postAdvanceTransfer(from, payment, amount, when)
    parts.push({ payment, amount })
  }
  for (const ofPayer of Map.groupBy(parts, ({ payment }) => payment.payer_id).values()) {
    const amount = sumPaise(ofPayer.map(part => part.amount))
    // The advance of a payer is one payment in the renewal, as of the first one.
    const { payer_id, landlord_id, method, reference, paid_on } = ofPayer[0]!.payment
    const taken = { payer_id, landlord_id, method, reference, paid_on, amount, source: 'renewal' as const }
    const payment = createTakenAdvance(posting, to, taken)
    const lines = reverseLines(toTransferLines('advance', amount))
    to.journals.push({ kind: 'transfer', ...when, payment, lines })
  }
}

type TakenAdvance = Pick<
  Payment,
  'payer_id' | 'landlord_id' | 'amount' | 'method' | 'reference' | 'paid_on' | 'source'
>

/** Creates the payment of an advance, in paise, that was paid before the books: it has no receipt. */
export function createTakenAdvance(
  { em, now }: Posting,
  { agreement, payments }: Books,
  taken: TakenAdvance,
) {
  const amount = toRupees(taken.amount)
  const payment = em.create(Payment, {
    ...taken,
    agreement_id: agreement.id,
    amount,
    unapplied_amount: amount,
    status: 'posted',
    allows_duplicate: true,
    posted_at: now,
  })
  payments.push(payment)
  return payment
}

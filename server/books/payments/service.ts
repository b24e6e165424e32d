import {
  PaymentChange,
  type AllocationChange,
  type BounceInput,
  type ClearInput,
  type ConfirmInput,
  type NewPayment,
  type PaymentStatus,
  type RejectInput,
  type ReverseInput,
} from '@kiraya/sdk/contract'
import { Payment } from '../../../db/entities'
import { acceptLocked } from '../../leases/paper/acceptance'
import { isLandlordOrManager, type LockedAgreement } from '../../leases/access'
import { consumePosting } from '../ledger/posting-cap'
import type { Tx } from '../../deps'
import type { RecordId } from '../../http/record-id'
import { applyChange } from '../../domain/fields'
import { toPaise } from '../../domain/money'
import { refuseFields } from '../../errors'
import { loadView } from '../../http/changes'
import { results } from '../../messages/results'
import { finishBooks } from '../charges/moved-advances'
import { postCharge } from '../charges/posted'
import { recordBookActivity, type BookActivity } from '../ledger/activities'
import { lockBooks, lockRecord } from '../ledger/access'
import { getPosting, toWhen, type Books, type Posting } from '../ledger/books'
import { postAllocation } from '../ledger/postings'
import { isTakenAway, requireAllocations } from './allocations'
import { selectPayment } from './queries'
import { requireUnusedReference } from './references'
import { dateClearedCheque, dateConfirmedPayment, requireFewReports, requirePaymentInput } from './rules'
import { requireOutstanding, reverse, settle, unallocate } from './settling'

/** A payment in its locked books. */
type LockedPayment = {
  tx: Tx
  posting: Posting
  locked: LockedAgreement
  books: Books
  payment: Payment
}

/**
 * Records a payment. Of the landlord's side it is posted at once, but for a cheque, which is pending; a tenant
 * reports it, which accepts a lease that was recorded, and the landlord's side confirms.
 */
export async function createPayment(tx: Tx, agreementId: RecordId, input: NewPayment) {
  const { em, actor } = tx
  const posting = getPosting(tx)
  const { locked, books } = await lockBooks(em, actor, agreementId, 'any')
  const isLandlordSide = isLandlordOrManager(actor, locked)
  const given = requirePaymentInput(locked, actor, input, posting.today, isLandlordSide)
  if (!input.allow_duplicate)
    await requireUnusedReference(tx, books, input, isLandlordSide ? 'recorded' : 'reported')
  if (!isLandlordSide) {
    await requireFewReports(tx, books)
    await acceptLocked(tx, locked)
  }
  const available = toPaise(given.amount) + toPaise(given.tds_amount)
  requireOutstanding(books, available)
  await requireAllocations(em, books, input.allocations ?? [], available)
  await consumePosting(tx, books.agreement)

  const byLandlord = input.method === 'cheque' ? 'pending' : 'posted'
  const status = isLandlordSide ? byLandlord : 'reported'
  const payment = em.create(Payment, {
    ...given,
    agreement_id: books.agreement.id,
    landlord_id: books.agreement.landlord_id,
    status,
    requested_allocations: input.allocations ?? null,
  })
  books.payments.push(payment)
  if (status === 'posted') await settle(posting, books, payment)
  const activity = status === 'pending' ? undefined : (`payment_${status}` as const)
  return finish({ tx, posting, locked, books, payment }, results.payment_recorded, activity)
}

/** `from` are the statuses of a payment that can be changed so: a second request changes nothing. */
type PaymentTransition<Body> = {
  to_be: 'confirmed' | 'rejected' | 'cleared' | 'bounced' | 'reversed' | 'allocated' | 'changed'
  from: PaymentStatus[]
  activity?: BookActivity
  apply: (found: LockedPayment, body: Body) => void | Promise<void>
}

/** Returns a service of the landlord's side that changes a payment. */
const changePayment =
  <Body>({ to_be, from, activity, apply }: PaymentTransition<Body>) =>
  async (tx: Tx, id: RecordId, body: Body) => {
    const posting = getPosting(tx)
    const { record: payment, ...lockedBooks } = await lockRecord(tx, 'payments', id)
    const { status } = payment
    if (!from.includes(status)) throw refuseFields('payment_wrong_status', 'status', { status, to_be })
    const found = { tx, posting, payment, ...lockedBooks }
    await apply(found, body)
    return finish(found, results[`payment_${to_be}`], activity)
  }

export const paymentChanges = {
  confirm: changePayment({
    to_be: 'confirmed',
    from: ['reported'],
    activity: 'payment_confirmed',
    async apply({ tx, posting, books, payment }, { allow_duplicate }: ConfirmInput) {
      if (!allow_duplicate) await requireUnusedReference(tx, books, payment, 'confirmed')
      payment.allows_duplicate = allow_duplicate ?? false
      dateConfirmedPayment(payment, posting.today)
      await settle(posting, books, payment)
    },
  }),

  reject: changePayment({
    to_be: 'rejected',
    from: ['reported'],
    activity: 'payment_rejected',
    apply({ payment }, { reason }: RejectInput) {
      payment.status = 'rejected'
      payment.reversal_reason = reason ?? null
    },
  }),

  /** The bank has cleared a cheque, which posts it. */
  clear: changePayment({
    to_be: 'cleared',
    from: ['pending'],
    activity: 'payment_posted',
    async apply({ posting, books, payment }, { cleared_on }: ClearInput) {
      dateClearedCheque(payment, cleared_on ?? posting.today, posting.today)
      await settle(posting, books, payment)
    },
  }),

  /** A cheque was not honoured: one that was cleared is reversed. The landlord may charge for it. */
  bounce: changePayment({
    to_be: 'bounced',
    from: ['pending', 'posted'],
    activity: 'payment_bounced',
    async apply({ tx, posting, books, payment }, { reason, charge_amount }: BounceInput) {
      if (payment.method !== 'cheque') throw refuseFields('not_a_cheque', 'method', { field: 'method' })
      payment.reversal_reason = reason ?? results.payment_bounced
      if (charge_amount) {
        await consumePosting(tx, books.agreement)
        const charge = {
          type: 'other' as const,
          description: payment.reference,
          amount: toPaise(charge_amount),
        }
        postCharge(posting, books, { ...charge, due_date: posting.today, source: 'bounced_cheque' })
      }
      if (payment.status === 'posted') await reverse(posting, books, payment)
      else payment.status = 'bounced'
    },
  }),

  /** The charges of a payment are open again, and its receipt is cancelled. */
  reverse: changePayment({
    to_be: 'reversed',
    from: ['posted'],
    activity: 'payment_reversed',
    async apply({ posting, books, payment }, { reason }: ReverseInput) {
      payment.reversal_reason = reason
      await reverse(posting, books, payment)
    },
  }),

  /** Settles other charges with a payment. What is taken away from a charge waits until somebody allocates it. */
  allocate: changePayment({
    to_be: 'allocated',
    from: ['posted'],
    async apply({ tx, posting, books, payment }, { allocations }: AllocationChange) {
      const when = toWhen(posting)
      const before = await unallocate(posting, books, payment)
      const available = toPaise(payment.unapplied_amount)
      const requested = await requireAllocations(tx.em, books, allocations, available)
      for (const { charge, amount } of requested) postAllocation(books, payment, charge, amount, when)
      const left = payment.unapplied_amount
      if (books.agreement.status === 'COMPLETED' && left > 0)
        throw refuseFields('allocation_leaves_advance', 'allocations', { left })
      const isAway = payment.waits_for_allocation || isTakenAway(before, requested)
      payment.waits_for_allocation = left > 0 && isAway
      await consumePosting(tx, books.agreement)
    },
  }),

  /** Stores the number of a certificate, which the tenant hands over after the payment; nothing is posted. */
  update: changePayment({
    to_be: 'changed',
    from: ['posted'],
    async apply({ tx, posting, locked, payment }, change: PaymentChange) {
      const before = payment.tds_certificate_number
      if (change.tds_certificate_number !== undefined && payment.tds_amount === 0)
        throw refuseFields('tds_not_withheld', 'tds_certificate_number')
      applyChange(payment, PaymentChange, change)
      if (payment.tds_certificate_number === before) return
      await consumePosting(tx, locked.agreement)
      await recordBookActivity(posting, locked, 'payment_changed')
    },
  }),
}

/** Saves what was posted, or the payment alone, tells the other side, and returns the payment. */
async function finish(
  { tx, posting, locked, books, payment }: LockedPayment,
  message: string,
  activity: BookActivity | undefined,
) {
  if (books.journals.length > 0) await finishBooks(posting, books)
  else await tx.em.flush()
  if (activity) await recordBookActivity(posting, locked, activity)
  return { message, data: await loadView(tx, selectPayment, { id: payment.id }) }
}

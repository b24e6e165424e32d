import {
  PaymentChange,
  type AllocationChange,
  type BounceInput,
  type ClearInput,
  type ConfirmInput,
  type NewPayment,
  type RejectInput,
  type ReverseInput,
} from '@kiraya/sdk/contract'
import { Payment } from '../../../db/entities'
import { isLandlordOrManager } from '../../leases/access'
import { consumePosting } from '../../leases/posting-cap'
import type { Tx } from '../../deps'
import { applyChange } from '../../domain/fields'
import { toPaise } from '../../domain/money'
import { refuseFields } from '../../faults'
import { finishPosting } from '../charges/late-fees'
import { recordBookActivity } from '../ledger/activities'
import { lockBooks, lockPayment } from '../ledger/access'
import { getPosting, toWhen } from '../ledger/books'
import { postAllocation, postCharge } from '../ledger/postings'
import { results } from '../../messages/results'
import { loadPaymentView } from './queries'
import { requireUnusedReference } from './references'
import { requireAllocations } from './requested-allocations'
import { requireFewReports, requirePaymentInput } from './rules'
import { dateClearedCheque, dateConfirmedCheque } from './cheque-dates'
import { requireOutstanding, reverse, settle, unallocate } from './settling'

/**
 * Records a payment. Of the landlord's side it is posted at once, but for a cheque, which is pending; a tenant
 * reports it, and the landlord's side confirms.
 */
export async function createPayment(tx: Tx, agreementId: string, input: NewPayment) {
  const { em, actor } = tx
  const posting = getPosting(tx)
  const { locked, books } = await lockBooks(tx, agreementId)
  const isLandlordSide = isLandlordOrManager(actor, locked)
  const given = requirePaymentInput(locked, actor, input, posting.today, isLandlordSide)
  if (!input.allow_duplicate)
    await requireUnusedReference(tx, books, input, isLandlordSide ? 'recorded' : 'reported')
  if (!isLandlordSide) await requireFewReports(tx, books)
  const available = toPaise(given.amount) + toPaise(given.tds_amount)
  requireOutstanding(books, available)
  const requested = await requireAllocations(em, books, input.allocations ?? [], available)
  await consumePosting(tx, books.agreement)

  const isCheque = input.method === 'cheque'
  const payment = em.create(Payment, {
    ...given,
    agreement_id: books.agreement.id,
    landlord_id: books.agreement.landlord_id,
    status: isLandlordSide && isCheque ? 'pending' : 'reported',
    requested_allocations: input.allocations ? requested : null,
    created_at: posting.now,
    updated_at: posting.now,
  })
  books.payments.push(payment)
  const isPosted = isLandlordSide && !isCheque
  if (isPosted) await settle(em, books, payment, posting)
  else await em.flush()
  if (isPosted) await recordBookActivity(em, posting, locked, 'payment_posted')
  if (!isLandlordSide) await recordBookActivity(em, posting, locked, 'payment_reported')
  return respond(tx, results.payment_recorded, payment)
}

/** Confirms a reported payment, which posts it. */
export async function confirmPayment(tx: Tx, id: string, { allow_duplicate }: ConfirmInput) {
  const posting = getPosting(tx)
  const { locked, books, payment } = await lockPayment(tx, id)
  requireStatus(payment, ['reported'], 'confirmed')
  if (!allow_duplicate) await requireUnusedReference(tx, books, payment, 'confirmed')
  payment.allows_duplicate = allow_duplicate ?? false
  dateConfirmedCheque(payment, posting.today)
  await settle(tx.em, books, payment, posting)
  await recordBookActivity(tx.em, posting, locked, 'payment_confirmed')
  return respond(tx, results.payment_confirmed, payment)
}

export async function rejectPayment(tx: Tx, id: string, { reason }: RejectInput) {
  const posting = getPosting(tx)
  const { locked, payment } = await lockPayment(tx, id)
  requireStatus(payment, ['reported'], 'rejected')
  payment.status = 'rejected'
  payment.reversal_reason = reason ?? null
  await tx.em.flush()
  await recordBookActivity(tx.em, posting, locked, 'payment_rejected')
  return respond(tx, results.payment_rejected, payment)
}

/** Posts a cheque that the bank has cleared. */
export async function clearPayment(tx: Tx, id: string, { cleared_on }: ClearInput) {
  const posting = getPosting(tx)
  const { locked, books, payment } = await lockPayment(tx, id)
  requireStatus(payment, ['pending'], 'cleared')
  dateClearedCheque(payment, cleared_on ?? posting.today, posting.today)
  await settle(tx.em, books, payment, posting)
  await recordBookActivity(tx.em, posting, locked, 'payment_posted')
  return respond(tx, results.payment_cleared, payment)
}

/** A cheque that was not honoured: one that was cleared is reversed. The landlord may charge for it. */
export async function bouncePayment(tx: Tx, id: string, { reason, charge_amount }: BounceInput) {
  const { em } = tx
  const posting = getPosting(tx)
  const { locked, books, payment } = await lockPayment(tx, id)
  if (payment.method !== 'cheque') throw refuseFields('not_a_cheque', 'method', { field: 'method' })
  requireStatus(payment, ['pending', 'posted'], 'bounced')
  payment.reversal_reason = reason ?? 'The cheque bounced'
  if (charge_amount) {
    await consumePosting(tx, books.agreement)
    const description = `Bounced cheque ${payment.reference ?? ''}`.trim()
    const charge = { type: 'other' as const, description, amount: toPaise(charge_amount) }
    postCharge(em, books, { ...charge, due_date: posting.today, source: 'manual' }, posting)
  }
  await recordBookActivity(em, posting, locked, 'payment_bounced')
  if (payment.status === 'posted') await reverse(em, books, payment, posting)
  else {
    payment.status = 'bounced'
    await finishPosting(em, [books], posting)
  }
  return respond(tx, results.payment_bounced, payment)
}

/** Takes a posted payment back: its charges are open again, and its receipt is cancelled. */
export async function reversePayment(tx: Tx, id: string, { reason }: ReverseInput) {
  const posting = getPosting(tx)
  const { locked, books, payment } = await lockPayment(tx, id)
  requireStatus(payment, ['posted'], 'reversed')
  payment.reversal_reason = reason
  await reverse(tx.em, books, payment, posting)
  await recordBookActivity(tx.em, posting, locked, 'payment_reversed')
  return respond(tx, results.payment_reversed, payment)
}

/** Settles other charges with a posted payment. */
export async function changeAllocations(tx: Tx, id: string, { allocations }: AllocationChange) {
  const { em } = tx
  const posting = getPosting(tx)
  const { books, payment } = await lockPayment(tx, id)
  requireStatus(payment, ['posted'], 'allocated')
  const when = toWhen(posting)
  await unallocate(em, books, payment, when)
  const available = toPaise(payment.unapplied_amount)
  const requested = await requireAllocations(em, books, allocations, available)
  for (const { charge_id, amount } of requested) {
    const charge = books.charges.find(each => each.id === charge_id)!
    postAllocation(books, payment, charge, toPaise(amount), when)
  }
  if (books.agreement.status === 'COMPLETED' && payment.unapplied_amount > 0)
    throw refuseFields('allocation_leaves_advance', 'allocations', { left: payment.unapplied_amount })
  await consumePosting(tx, books.agreement)
  await finishPosting(em, [books], posting)
  return respond(tx, results.payment_allocated, payment)
}

/** Keeps the number of a certificate, which the tenant hands over after the payment; nothing is posted. */
export async function updatePayment(tx: Tx, id: string, change: PaymentChange) {
  const posting = getPosting(tx)
  const { locked, books, payment } = await lockPayment(tx, id)
  requireStatus(payment, ['posted'], 'changed')
  requireTds(payment, change)
  const before = payment.tds_certificate_number
  applyChange(payment, PaymentChange, change)
  if (payment.tds_certificate_number !== before) {
    await consumePosting(tx, books.agreement)
    await tx.em.flush()
    await recordBookActivity(tx.em, posting, locked, 'payment_changed')
  }
  return respond(tx, results.payment_changed, payment)
}

/** @throws VALIDATION_ERROR A payment without tax gets a certificate. */
function requireTds({ tds_amount }: Payment, { tds_certificate_number }: PaymentChange) {
  if (tds_certificate_number !== undefined && tds_amount === 0)
    throw refuseFields('tds_not_withheld', 'tds_certificate_number')
}

/** @throws VALIDATION_ERROR The payment has another status, so that a second confirmation changes nothing. */
function requireStatus({ status }: Payment, allowed: Payment['status'][], to_be: string) {
  if (!allowed.includes(status)) throw refuseFields('payment_wrong_status', 'status', { status, to_be })
}

async function respond({ em }: Tx, message: string, { id }: Payment) {
  return { message, data: await loadPaymentView(em, id) }
}

import type {
  AllocationChange,
  BounceInput,
  ClearInput,
  ConfirmInput,
  NewPayment,
  Payment as PaymentView,
  PaymentChange,
  RejectInput,
  ReverseInput,
} from '@kiraya/sdk/contract'
import type { EntityManager } from '../../db/database'
import { Payment } from '../../db/entities'
import { isLandlordOrManager } from '../agreements/access'
import { consumeDailyLimit } from '../agreements/daily-limits'
import type { Deps } from '../deps'
import { toPaise } from '../domain/money'
import { applyPatch, clearable } from '../domain/patch'
import { parseRecordId } from '../domain/record-id'
import { refuseFields } from '../faults'
import type { Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { recordBookActivity } from '../ledger/activities'
import { lockBooks, lockPayment, type LockedBooks } from '../ledger/access'
import { getPosting, saveBooks, toWhen, type Posting } from '../ledger/books'
import { postAllocation, postCharge } from '../ledger/postings'
import { results } from '../messages/results'
import { loadPaymentView } from './queries'
import { requireUnusedReference } from './references'
import { requireAllocations } from './requested-allocations'
import { requireFewReports, requirePaymentInput } from './rules'
import { dateClearedCheque, dateConfirmedCheque } from './cheque-dates'
import { requireOutstanding, reverse, reviewPaidCharges, settle, unallocate } from './settling'

export type PaymentResult = { message: string; data: PaymentView }

/**
 * Records a payment. Of the landlord's side it is posted at once, but for a cheque, which is pending; a tenant
 * reports it, and the landlord's side confirms.
 */
export function createPayment(
  deps: Deps,
  actor: Actor,
  agreementId: string,
  input: NewPayment,
): Promise<PaymentResult> {
  return deps.db.transactional(async em => {
    const posting = getPosting(deps, actor)
    const { locked, books } = await lockBooks(em, actor, agreementId)
    const isLandlordSide = isLandlordOrManager(actor, locked)
    const given = requirePaymentInput(locked, actor, input, posting.today, isLandlordSide)
    if (!input.allow_duplicate)
      await requireUnusedReference(em, books, actor, input, isLandlordSide ? 'recorded' : 'reported')
    if (!isLandlordSide) await requireFewReports(em, books, actor)
    const available = toPaise(given.amount) + toPaise(given.tds_amount)
    requireOutstanding(books, available)
    const requested = await requireAllocations(em, books, input.allocations ?? [], available)
    await consumeDailyLimit(em, deps, books.agreement, 'payments')

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
    return respond(em, results.payment_recorded, payment)
  })
}

/** Confirms a reported payment, which posts it. */
export function confirmPayment(deps: Deps, actor: Actor, id: string, { allow_duplicate }: ConfirmInput) {
  return changePayment(
    deps,
    actor,
    id,
    results.payment_confirmed,
    async (em, { locked, books }, payment, posting) => {
      requireStatus(payment, ['reported'], 'confirmed')
      if (!allow_duplicate) await requireUnusedReference(em, books, actor, payment, 'confirmed')
      payment.allows_duplicate = allow_duplicate ?? false
      dateConfirmedCheque(payment, posting.today)
      await settle(em, books, payment, posting)
      await recordBookActivity(em, posting, locked, 'payment_confirmed')
    },
  )
}

export function rejectPayment(deps: Deps, actor: Actor, id: string, { reason }: RejectInput) {
  return changePayment(
    deps,
    actor,
    id,
    results.payment_rejected,
    async (em, { locked }, payment, posting) => {
      requireStatus(payment, ['reported'], 'rejected')
      payment.status = 'rejected'
      payment.reversal_reason = reason ?? null
      await em.flush()
      await recordBookActivity(em, posting, locked, 'payment_rejected')
    },
  )
}

/** Posts a cheque that the bank has cleared. */
export function clearPayment(deps: Deps, actor: Actor, id: string, { cleared_on }: ClearInput) {
  return changePayment(
    deps,
    actor,
    id,
    results.payment_cleared,
    async (em, { locked, books }, payment, posting) => {
      requireStatus(payment, ['pending'], 'cleared')
      dateClearedCheque(payment, cleared_on ?? posting.today, posting.today)
      await settle(em, books, payment, posting)
      await recordBookActivity(em, posting, locked, 'payment_posted')
    },
  )
}

/** A cheque that was not honoured: one that was cleared is reversed. The landlord may charge for it. */
export function bouncePayment(deps: Deps, actor: Actor, id: string, { reason, charge_amount }: BounceInput) {
  return changePayment(
    deps,
    actor,
    id,
    results.payment_bounced,
    async (em, { locked, books }, payment, posting) => {
      if (payment.method !== 'cheque') throw refuseFields('not_a_cheque', 'method', { field: 'method' })
      requireStatus(payment, ['pending', 'posted'], 'bounced')
      payment.reversal_reason = reason ?? 'The cheque bounced'
      if (charge_amount) {
        await consumeDailyLimit(em, deps, books.agreement, 'charges')
        const description = `Bounced cheque ${payment.reference ?? ''}`.trim()
        const charge = { type: 'other' as const, description, amount: toPaise(charge_amount) }
        postCharge(em, books, { ...charge, due_date: posting.today, source: 'manual' }, posting)
      }
      await recordBookActivity(em, posting, locked, 'payment_bounced')
      if (payment.status === 'posted') return reverse(em, books, payment, posting)
      payment.status = 'bounced'
      await saveBooks(em, posting.now, books)
    },
  )
}

/** Takes a posted payment back: its charges are open again, and its receipt is cancelled. */
export function reversePayment(deps: Deps, actor: Actor, id: string, { reason }: ReverseInput) {
  return changePayment(
    deps,
    actor,
    id,
    results.payment_reversed,
    async (em, { locked, books }, payment, posting) => {
      requireStatus(payment, ['posted'], 'reversed')
      payment.reversal_reason = reason
      await reverse(em, books, payment, posting)
      await recordBookActivity(em, posting, locked, 'payment_reversed')
    },
  )
}

/** Settles other charges with a posted payment. */
export function changeAllocations(deps: Deps, actor: Actor, id: string, { allocations }: AllocationChange) {
  return changePayment(
    deps,
    actor,
    id,
    results.payment_allocated,
    async (em, { books }, payment, posting) => {
      requireStatus(payment, ['posted'], 'allocated')
      const when = toWhen(posting)
      const reopened = await unallocate(em, books, payment, when)
      const available = toPaise(payment.unapplied_amount)
      const requested = await requireAllocations(em, books, allocations, available)
      for (const { charge_id, amount } of requested) {
        const charge = books.charges.find(each => each.id === charge_id)!
        postAllocation(books, payment, charge, toPaise(amount), when)
      }
      if (books.agreement.status === 'COMPLETED' && payment.unapplied_amount > 0)
        throw refuseFields('allocation_leaves_advance', 'allocations', { left: payment.unapplied_amount })
      await consumeDailyLimit(em, deps, books.agreement, 'payments')
      await saveBooks(em, posting.now, books)
      await reviewPaidCharges(em, books, payment, posting, reopened)
    },
  )
}

/** Keeps the number of a certificate, which the tenant hands over after the payment; nothing is posted. */
export function updatePayment(deps: Deps, actor: Actor, id: string, change: PaymentChange) {
  return changePayment(
    deps,
    actor,
    id,
    results.payment_changed,
    async (em, { locked, books }, payment, posting) => {
      requireStatus(payment, ['posted'], 'changed')
      requireTds(payment, change)
      const before = payment.tds_certificate_number
      applyPatch(payment, change, { tds_certificate_number: clearable })
      if (payment.tds_certificate_number === before) return
      await consumeDailyLimit(em, deps, books.agreement, 'payments')
      await em.flush()
      await recordBookActivity(em, posting, locked, 'payment_changed')
    },
  )
}

/** @throws VALIDATION_ERROR A payment without tax gets a certificate. */
function requireTds({ tds_amount }: Payment, { tds_certificate_number }: PaymentChange) {
  if (tds_certificate_number !== undefined && tds_amount === 0)
    throw refuseFields('tds_not_withheld', 'tds_certificate_number')
}

type Change = (em: EntityManager, locked: LockedBooks, payment: Payment, posting: Posting) => Promise<void>

function changePayment(deps: Deps, actor: Actor, id: string, message: string, change: Change) {
  const key = parseRecordId(id, 'payment_not_found')
  return deps.db.transactional(async em => {
    const posting = getPosting(deps, actor)
    const { payment, ...found } = await lockPayment(em, actor, key)
    await change(em, found, payment, posting)
    return respond(em, message, payment)
  })
}

/** @throws VALIDATION_ERROR The payment has another status, so that a second confirmation changes nothing. */
function requireStatus({ status }: Payment, allowed: Payment['status'][], to_be: string) {
  if (!allowed.includes(status)) throw refuseFields('payment_wrong_status', 'status', { status, to_be })
}

async function respond(em: EntityManager, message: string, { id }: Payment): Promise<PaymentResult> {
  return saveIdempotentResponse(em, { message, data: await loadPaymentView(em, id) })
}

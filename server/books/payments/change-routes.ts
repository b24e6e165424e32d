import { Elysia } from 'elysia'
import {
  AllocationChange,
  BounceInput,
  ClearInput,
  ConfirmInput,
  PaymentChange,
  PaymentResponse,
  RejectInput,
  ReverseInput,
  type ErrorReason,
} from '@kiraya/sdk/contract'
import type { Deps } from '../../deps'
import { actorRoutes } from '../../http/routes'
import { PaymentPath } from './queries'
import { paymentChanges } from './service'

/** Of what names the charges that a payment settles. */
export const ALLOCATIONS: ErrorReason[] = [
  'allocation_above_charge',
  'allocation_above_payment',
  'allocation_of_unknown_charge',
  'allocation_repeated',
]
/** Each of these names a payment, and returns it. */
const ofPayment = { params: PaymentPath, response: { 200: PaymentResponse } }
const PAYMENT_CHANGE: ErrorReason[] = ['not_unit_side', 'payment_wrong_status']

export const paymentChangeRoutes = (deps: Deps) =>
  new Elysia({ prefix: '/payments/:id' })
    .use(chequeChanges(deps))
    .use(reportChanges(deps))
    .use(postedChanges(deps))

const chequeChanges = (deps: Deps) =>
  actorRoutes(deps)
    .guard(ofPayment)
    .post('/clear', ({ change, params, body }) => change(paymentChanges.clear, params.id, body), {
      body: ClearInput,
      detail: {
        operationId: 'clearPayment',
        summary: 'Record that the bank has cleared a cheque',
        description:
          'Posts a pending cheque that the bank has cleared. One that is dated after its entry is paid on ' +
          'its date: its receipt, late fees and postings have that day, and it cannot be cleared before. ' +
          "Only the landlord's side may.",
        reasons: [...PAYMENT_CHANGE, 'cleared_before_cheque', 'date_in_future', 'payment_above_outstanding'],
      },
    })
    .post('/bounce', ({ change, params, body }) => change(paymentChanges.bounce, params.id, body), {
      body: BounceInput,
      detail: {
        operationId: 'bouncePayment',
        summary: 'Record that a cheque bounced',
        description:
          'Records that a cheque was not honoured. One that was cleared is reversed: its charges are open ' +
          'again, and its receipt number is never used again. `charge_amount` charges the tenants for it. ' +
          "Only the landlord's side may.",
        reasons: [
          ...PAYMENT_CHANGE,
          'deposit_settled',
          'not_a_cheque',
          'payment_moved',
          'payment_refunded',
          'too_many_postings',
        ],
      },
    })

/** What the landlord's side decides on a payment that a tenant reported. */
const reportChanges = (deps: Deps) =>
  actorRoutes(deps)
    .guard(ofPayment)
    .post('/confirm', ({ change, params, body }) => change(paymentChanges.confirm, params.id, body), {
      body: ConfirmInput,
      detail: {
        operationId: 'confirmPayment',
        summary: 'Confirm a payment that a tenant reported',
        description:
          'Posts a payment that a tenant reported: it gets a receipt number and settles its charges. A ' +
          'second confirmation is 400, and so is a method and reference that another payment of the ' +
          "landlord has, unless `allow_duplicate` is sent. For the landlord's side only.",
        reasons: [...PAYMENT_CHANGE, 'date_in_future', 'payment_above_outstanding', 'reference_used'],
      },
    })
    .post('/reject', ({ change, params, body }) => change(paymentChanges.reject, params.id, body), {
      body: RejectInput,
      detail: {
        operationId: 'rejectPayment',
        summary: 'Reject a payment that a tenant reported',
        description:
          "Rejects a payment that a tenant reported; nothing is posted. For the landlord's side only.",
        reasons: PAYMENT_CHANGE,
      },
    })

const postedChanges = (deps: Deps) =>
  actorRoutes(deps)
    .guard(ofPayment)
    .post('/reverse', ({ change, params, body }) => change(paymentChanges.reverse, params.id, body), {
      body: ReverseInput,
      detail: {
        operationId: 'reversePayment',
        summary: 'Reverse a posted payment',
        description:
          'Takes a posted payment back by a further posting: its charges are open again. 400 if part of ' +
          "it was refunded, until that refund is reversed. For the landlord's side only.",
        reasons: [...PAYMENT_CHANGE, 'deposit_settled', 'payment_moved', 'payment_refunded'],
      },
    })
    .patch('', ({ change, params, body }) => change(paymentChanges.update, params.id, body), {
      body: PaymentChange,
      detail: {
        operationId: 'updatePayment',
        summary: 'Change the certificate number of withheld tax',
        description:
          'Keeps the number of the TDS certificate, which the tenant hands over after the payment, with a ' +
          'posted payment of which tax was withheld; null clears it. Nothing is posted, and the receipt ' +
          "shows the number. Only the landlord's side may.",
        reasons: [...PAYMENT_CHANGE, 'tds_not_withheld', 'too_many_postings'],
      },
    })
    .put('/allocations', ({ change, params, body }) => change(paymentChanges.allocate, params.id, body), {
      body: AllocationChange,
      detail: {
        operationId: 'allocatePayment',
        summary: 'Settle other charges with a payment',
        description:
          'Makes a posted payment settle these charges instead of those that it settles. What is taken ' +
          'away from a charge is an advance that waits (`waits_for_allocation`) until somebody allocates ' +
          "it; any other rest settles what is due, or is an advance. For the landlord's side only.",
        reasons: [
          ...PAYMENT_CHANGE,
          ...ALLOCATIONS,
          'allocation_leaves_advance',
          'deposit_settled',
          'too_many_postings',
        ],
      },
    })

import { Type, type Static } from '@sinclair/typebox'
import {
  CalendarDate,
  computed,
  defaulted,
  described,
  field,
  identity,
  list,
  maybe,
  nullable,
  optional,
  pageQuery,
  pageResponse,
  paragraphs,
  PositiveId,
  PositiveRupees,
  reference,
  response,
  Rupees,
  stringEnum,
  text,
  Timestamp,
  view,
} from './common.ts'

export const PaymentMethod = field(
  stringEnum('cash', 'upi', 'bank_transfer', 'cheque', 'payment_link'),
  'How money changes hands.',
)
export type PaymentMethod = Static<typeof PaymentMethod>
export const PaymentStatus = field(
  stringEnum('reported', 'rejected', 'pending', 'bounced', 'posted', 'reversed'),
  "A tenant's payment is `reported` until the landlord's side confirms or rejects it, a cheque is " +
    '`pending` until it is cleared or bounces. A `posted` payment settles charges; a `reversed` one no ' +
    'longer does.',
)
export type PaymentStatus = Static<typeof PaymentStatus>

export const PaymentSource = field(
  stringEnum('manual', 'renewal', 'opening'),
  'Who entered it: a person, the renewal of a lease, which takes an advance along, or the opening of its books. No ' +
    'money came in with the latter two.',
)
export type PaymentSource = Static<typeof PaymentSource>

const allocation = {
  charge_id: field(PositiveId, "The charge's number"),
  amount: field(PositiveRupees, 'Indian rupees'),
}
export const AllocationInput = described('The part of a payment that is to settle a charge.', allocation)
export type AllocationInput = Static<typeof AllocationInput>
const AllocationInputs = list(AllocationInput, 100, 'allocations')

export const Allocation = described(
  'The part of a payment that settles a charge, in rupees.',
  view(allocation),
)
export type Allocation = Static<typeof Allocation>

const tds_certificate_number = optional(text(50), 'The number of the TDS certificate')
const withheld = {
  tds_amount: defaulted(Rupees, 0, 'Indian rupees that the tenant withheld as tax (TDS)'),
  tds_certificate_number,
}

export const Payment = described(
  'Money of a tenant, in rupees. Once it is posted, `amount` and `tds_amount` are the sum of `allocations`, ' +
    '`unapplied_amount` (an advance), `refunded_amount` and `moved_amount`; before, `allocations` are those that the ' +
    'payer asked for.',
  {
    ...identity('payment_id'),
    agreement_id: field(Type.Integer(), "The agreement's number"),
    payer_id: field(Type.Integer(), 'The user number of the tenant who paid'),
    amount: field(Type.Number(), 'Indian rupees that were paid'),
    ...view(withheld),
    method: field(PaymentMethod, 'How it was paid'),
    reference: field(nullable(Type.String()), 'The UTR of a transfer, or the number of a cheque'),
    paid_on: field(Type.String(), 'YYYY-MM-DD; of a cheque that is cleared not before its date'),
    cheque_date: field(nullable(Type.String()), 'The date on a cheque, YYYY-MM-DD; null of other methods'),
    cleared_on: field(
      nullable(Type.String()),
      'The day on which the bank cleared a cheque, YYYY-MM-DD; null before that',
    ),
    status: field(PaymentStatus, 'Where the payment stands'),
    allocations: computed(
      Type.Array(Allocation),
      'What it settles; before it is posted, what the payer asked for',
    ),
    unapplied_amount: field(Type.Number(), 'Indian rupees that settle nothing yet: an advance'),
    refunded_amount: field(Type.Number(), 'Indian rupees that were paid back'),
    moved_amount: field(
      Type.Number(),
      'Indian rupees that moved to the renewal of the lease, to a payment there',
    ),
    waits_for_allocation: field(
      Type.Boolean(),
      'Whether `unapplied_amount` waits for somebody to allocate it: a person took away what it settled',
    ),
    source: field(
      PaymentSource,
      'Who entered it; a renewal has the day and reference of the first payment, an opening the day of the opening',
    ),
    receipt_number: field(
      nullable(Type.String()),
      'Such as `RCT-2026-27-000001`; null before it is posted, of a renewal and an opening',
    ),
    reversal_reason: field(nullable(Type.String()), 'Why it was rejected, bounced or reversed; else null'),
    posted_at: field(nullable(Timestamp), 'When it was posted; null before that'),
    created_at: field(Timestamp, 'When it was created'),
  },
)
export type Payment = Static<typeof Payment>
export const PaymentResponse = response(Payment)

const allow_duplicate = defaulted(
  Type.Boolean(),
  false,
  'Accepts a payment whose method and reference another payment has',
)
export const NewPayment = described('A payment to record.', {
  amount: field(Rupees, 'Indian rupees that were paid; 0 only beside `tds_amount`'),
  method: field(PaymentMethod, 'How it was paid'),
  payer_id: optional(
    reference('user'),
    'The user number of the tenant who paid; not needed of a single tenant',
  ),
  ...withheld,
  reference: optional(text(100), 'The UTR of a transfer or the number of a cheque; a cheque needs one'),
  paid_on: optional(
    CalendarDate,
    'YYYY-MM-DD, today (Asia/Kolkata) or earlier, at most a year before the start of the lease; today without one',
  ),
  cheque_date: optional(CalendarDate, 'The date on a cheque, YYYY-MM-DD, at most 24 months ahead'),
  allocations: optional(AllocationInputs, 'What it settles; the rest goes to open charges by due date'),
  allow_duplicate,
})
export type NewPayment = Static<typeof NewPayment>

export const PaymentChange = described('The fields of a posted payment to change.', {
  tds_certificate_number,
})
export type PaymentChange = Static<typeof PaymentChange>
export const AllocationChange = described('What a payment is to settle.', {
  allocations: field(
    AllocationInputs,
    'What it settles. What is taken away from a charge is an advance that waits until somebody allocates it',
  ),
})
export type AllocationChange = Static<typeof AllocationChange>
export const RejectInput = described('Why a reported payment is rejected.', {
  reason: optional(paragraphs(5000), 'Why it is rejected'),
})
export type RejectInput = Static<typeof RejectInput>
export const ConfirmInput = described('How a reported payment is confirmed.', { allow_duplicate })
export type ConfirmInput = Static<typeof ConfirmInput>
export const ClearInput = described('When the bank cleared a cheque.', {
  cleared_on: optional(
    CalendarDate,
    "YYYY-MM-DD, today (Asia/Kolkata) or earlier, not before the cheque's date; today without one",
  ),
})
export type ClearInput = Static<typeof ClearInput>
export const ReverseInput = described('Why a payment or a refund is taken back.', {
  reason: field(paragraphs(5000), 'Why it is reversed'),
})
export type ReverseInput = Static<typeof ReverseInput>
export const BounceInput = described('What follows from a cheque that bounced.', {
  reason: optional(paragraphs(5000), 'Why it bounced'),
  charge_amount: optional(
    PositiveRupees,
    'Indian rupees that the landlord charges for it, as a charge of the type `other`',
  ),
})
export type BounceInput = Static<typeof BounceInput>

export const PaymentQuery = described('Which payments to list.', {
  ...pageQuery(['id', 'paid_on', 'amount', 'status'], '-id'),
  agreement_id: maybe(reference('agreement'), 'Only payments for the agreement with this number'),
  property_unit_id: maybe(reference('unit'), 'Only payments for the unit with this number'),
  payer_id: maybe(reference('user'), 'Only payments of the tenant with this user number'),
  status: maybe(PaymentStatus, 'Only payments in this state'),
  method: maybe(PaymentMethod, 'Only payments by this method'),
  from: maybe(CalendarDate, 'Only payments of this day or later, YYYY-MM-DD'),
  to: maybe(CalendarDate, 'Only payments of this day or before, YYYY-MM-DD'),
})
export type PaymentQuery = Static<typeof PaymentQuery>
export const PaymentPage = pageResponse(Payment)

const RefundMethod = stringEnum('cash', 'upi', 'bank_transfer', 'cheque')
export const NewRefund = described('An advance to pay back.', {
  amount: field(PositiveRupees, 'Indian rupees, at most the advance of the lease'),
  method: field(RefundMethod, 'How it was paid back'),
  reference: optional(text(100), 'The UTR of a transfer or the number of a cheque'),
  refunded_on: optional(CalendarDate, 'YYYY-MM-DD, today (Asia/Kolkata) or earlier; today without one'),
})
export type NewRefund = Static<typeof NewRefund>

export const RefundedPayment = described('The part of a refund that comes from one payment.', {
  payment_id: field(Type.Integer(), "The payment's number"),
  amount: field(Type.Number(), 'Indian rupees'),
})
export type RefundedPayment = Static<typeof RefundedPayment>
export const RefundStatus = field(
  stringEnum('posted', 'reversed'),
  'Of a `reversed` refund the money is an advance again.',
)
export type RefundStatus = Static<typeof RefundStatus>
export const Refund = described(
  'An advance that went back to the tenants, by the payments that it came from.',
  {
    ...identity('refund_id'),
    agreement_id: field(Type.Integer(), "The agreement's number"),
    amount: field(Type.Number(), 'Indian rupees'),
    method: field(PaymentMethod, 'How it was paid back'),
    reference: field(nullable(Type.String()), 'The UTR of a transfer or the number of a cheque'),
    refunded_on: field(Type.String(), 'YYYY-MM-DD'),
    status: field(RefundStatus, 'Whether it stands'),
    payments: computed(Type.Array(RefundedPayment), 'The payments that it came from, the oldest first'),
    reversal_reason: field(nullable(Type.String()), 'Why it was reversed; else null'),
    created_at: field(Timestamp, 'When it was created'),
  },
)
export type Refund = Static<typeof Refund>
export const RefundResponse = response(Refund)

export const RefundQuery = described('Which refunds to list.', {
  ...pageQuery(['id', 'refunded_on', 'amount', 'status'], '-id'),
  status: maybe(RefundStatus, 'Only refunds in this state'),
})
export type RefundQuery = Static<typeof RefundQuery>
export const RefundPage = pageResponse(Refund)

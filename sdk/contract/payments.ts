import { Type, type Static } from '@sinclair/typebox'
import {
  CalendarDate,
  Nullable,
  OptionalNullable,
  PageMetadata,
  PageQuery,
  PositiveId,
  PositiveRupees,
  RecordKey,
  Rupees,
  StringEnum,
  Text,
  Timestamp,
} from './common.ts'

export const PaymentMethod = StringEnum('cash', 'upi', 'bank_transfer', 'cheque', 'payment_link')
export type PaymentMethod = Static<typeof PaymentMethod>
export const PaymentStatus = StringEnum('reported', 'rejected', 'pending', 'bounced', 'posted', 'reversed')
export type PaymentStatus = Static<typeof PaymentStatus>

/** The part of a payment that settles a charge, in rupees. */
export const Allocation = Type.Object({ charge_id: Type.Integer(), amount: Type.Number() })
export type Allocation = Static<typeof Allocation>

/**
 * Money of a tenant, in rupees. Of a posted payment, `amount` and `tds_amount` are the sum of the allocations, of
 * `unapplied_amount` (an advance) and of `refunded_amount`. Before it is posted, `allocations` are those that the
 * payer asked for.
 */
export const Payment = Type.Object({
  id: Type.Integer(),
  payment_id: Type.String(),
  agreement_id: Type.Integer(),
  payer_id: Type.Integer(),
  amount: Type.Number(),
  tds_amount: Type.Number(),
  tds_certificate_number: Nullable(Type.String()),
  method: PaymentMethod,
  reference: Nullable(Type.String()),
  paid_on: Type.String(),
  cheque_date: Nullable(Type.String()),
  cleared_on: Nullable(Type.String()),
  status: PaymentStatus,
  allocations: Type.Array(Allocation),
  unapplied_amount: Type.Number(),
  refunded_amount: Type.Number(),
  receipt_number: Nullable(Type.String()),
  reversal_reason: Nullable(Type.String()),
  posted_at: Nullable(Timestamp),
  created_at: Timestamp,
})
export type Payment = Static<typeof Payment>
export const PaymentResponse = Type.Object({ message: Type.String(), data: Payment })

export const AllocationInput = Type.Object({ charge_id: RecordKey, amount: PositiveRupees })
export type AllocationInput = Static<typeof AllocationInput>
const AllocationInputs = Type.Array(AllocationInput, {
  maxItems: 100,
  description: 'an array of at most 100 allocations',
})

export const NewPayment = Type.Object({
  /** 0 if the tax is all that settles charges. */
  amount: Rupees,
  method: PaymentMethod,
  payer_id: OptionalNullable(PositiveId),
  tds_amount: OptionalNullable(Rupees),
  tds_certificate_number: OptionalNullable(Text(50)),
  reference: OptionalNullable(Text(100)),
  paid_on: OptionalNullable(CalendarDate),
  cheque_date: OptionalNullable(CalendarDate),
  allocations: OptionalNullable(AllocationInputs),
  allow_duplicate: OptionalNullable(Type.Boolean()),
})
export type NewPayment = Static<typeof NewPayment>

export const PaymentChange = Type.Object({ tds_certificate_number: OptionalNullable(Text(50)) })
export type PaymentChange = Static<typeof PaymentChange>
export const AllocationChange = Type.Object({ allocations: AllocationInputs })
export type AllocationChange = Static<typeof AllocationChange>
export const RejectInput = Type.Object({ reason: OptionalNullable(Text(5000, 'paragraphs')) })
export type RejectInput = Static<typeof RejectInput>
export const ConfirmInput = Type.Object({ allow_duplicate: OptionalNullable(Type.Boolean()) })
export type ConfirmInput = Static<typeof ConfirmInput>
export const ClearInput = Type.Object({ cleared_on: OptionalNullable(CalendarDate) })
export type ClearInput = Static<typeof ClearInput>
export const ReverseInput = Type.Object({ reason: Text(5000, 'paragraphs') })
export type ReverseInput = Static<typeof ReverseInput>
export const BounceInput = Type.Object({
  reason: OptionalNullable(Text(5000, 'paragraphs')),
  /** What the landlord charges for the bounced cheque, as a charge of type other. */
  charge_amount: OptionalNullable(PositiveRupees),
})
export type BounceInput = Static<typeof BounceInput>

export const PaymentQuery = Type.Object({
  ...PageQuery(['id', 'paid_on', 'amount', 'status']),
  agreement_id: Type.Optional(RecordKey),
  property_unit_id: Type.Optional(RecordKey),
  payer_id: Type.Optional(PositiveId),
  status: Type.Optional(PaymentStatus),
  method: Type.Optional(PaymentMethod),
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
})
export type PaymentQuery = Static<typeof PaymentQuery>
export const PaymentPage = Type.Object({
  message: Type.String(),
  data: Type.Array(Payment),
  metadata: PageMetadata,
})

export const NewRefund = Type.Object({
  amount: PositiveRupees,
  method: StringEnum('cash', 'upi', 'bank_transfer', 'cheque'),
  reference: OptionalNullable(Text(100)),
  refunded_on: OptionalNullable(CalendarDate),
})
export type NewRefund = Static<typeof NewRefund>
/** An advance that went back to the tenants, by the payments that it came from. */
export const Refund = Type.Object({
  amount: Type.Number(),
  method: PaymentMethod,
  reference: Nullable(Type.String()),
  refunded_on: Type.String(),
  payments: Type.Array(Type.Object({ payment_id: Type.Integer(), amount: Type.Number() })),
})
export type Refund = Static<typeof Refund>
export const RefundResponse = Type.Object({ message: Type.String(), data: Refund })

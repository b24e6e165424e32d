import type { PageQuery } from './common.ts'

/** How money changes hands. */
export type PaymentMethod = 'cash' | 'upi' | 'bank_transfer' | 'cheque' | 'payment_link'

/**
 * A tenant's payment is `reported` until the landlord's side confirms or rejects it, a cheque is `pending` until it
 * is cleared or bounces. A `posted` payment settles charges; a `reversed` one no longer does.
 */
export type PaymentStatus = 'reported' | 'rejected' | 'pending' | 'bounced' | 'posted' | 'reversed'

/** The part of a payment that settles a charge. */
export interface Allocation {
  /** The charge's number. */
  charge_id: number
  /** Indian rupees, above 0, with at most two decimals. */
  amount: number
}

/** The part of a payment that is to settle a charge. */
export interface AllocationInput {
  /** The charge's number. */
  charge_id: number
  /** Indian rupees, above 0, with at most two decimals. */
  amount: number
}

/**
 * Money of a tenant. Of a posted payment, `amount` and `tds_amount` are the sum of the allocations, of
 * `unapplied_amount` and of `refunded_amount`.
 */
export interface Payment {
  /** The payment's number. */
  id: number
  /** The payment's UUID. */
  payment_id: string
  /** The agreement's number in the API. */
  agreement_id: number
  /** The user number of the tenant who paid. */
  payer_id: number
  /** Indian rupees that were paid. */
  amount: number
  /** Indian rupees that the tenant withheld as tax (TDS). */
  tds_amount: number
  /** The number of the TDS certificate. */
  tds_certificate_number: string | null
  /** How it was paid. */
  method: PaymentMethod
  /** The UTR of a transfer, or the number of a cheque. */
  reference: string | null
  /** YYYY-MM-DD; of a cheque that is cleared not before its date. */
  paid_on: string
  /** The date on a cheque, YYYY-MM-DD; null of other methods. */
  cheque_date: string | null
  /** The day on which the bank cleared a cheque, YYYY-MM-DD; null before that. */
  cleared_on: string | null
  /** Where the payment stands. */
  status: PaymentStatus
  /** What it settles; before it is posted, what the payer asked for. */
  allocations: Allocation[]
  /** Indian rupees that settle nothing yet: an advance. */
  unapplied_amount: number
  /** Indian rupees that were paid back. */
  refunded_amount: number
  /** Such as `RCT-2026-27-000001`; null before it is posted. */
  receipt_number: string | null
  /** Why it was rejected, bounced or reversed; else null. */
  reversal_reason: string | null
  /** An ISO 8601 timestamp; null before it is posted. */
  posted_at: string | null
  /** An ISO 8601 timestamp. */
  created_at: string
}

/** A payment to record. */
export interface NewPayment {
  /** Indian rupees that were paid, with at most two decimals; 0 only beside `tds_amount`. */
  amount: number
  /** How it was paid. */
  method: PaymentMethod
  /** The user number of the tenant who paid; not needed of a single tenant. */
  payer_id?: number | null
  /** Indian rupees that the tenant withheld as tax (TDS). Default 0. */
  tds_amount?: number | null
  /** The number of the TDS certificate, at most 50 characters. */
  tds_certificate_number?: string | null
  /** The UTR of a transfer or the number of a cheque, at most 100 characters; a cheque needs one. */
  reference?: string | null
  /** YYYY-MM-DD, today (Asia/Kolkata) or earlier. Default today. */
  paid_on?: string | null
  /** The date on a cheque, YYYY-MM-DD, at most 24 months ahead. */
  cheque_date?: string | null
  /** What it settles, at most 100 charges; the rest goes to open charges by due date. */
  allocations?: AllocationInput[] | null
  /** Records a payment whose method and reference another payment has. Default false. */
  allow_duplicate?: boolean | null
}

/** What is changed of a posted payment: a field that is left out stays. */
export interface PaymentChange {
  /** The number of the TDS certificate, at most 50 characters; null clears it. */
  tds_certificate_number?: string | null
}

/** What a payment is to settle. */
export interface AllocationChange {
  /** At most 100 charges; what is left is an advance. */
  allocations: AllocationInput[]
}

/** How a reported payment is confirmed. */
export interface ConfirmInput {
  /** Confirms a payment whose method and reference another payment has. Default false. */
  allow_duplicate?: boolean | null
}

/** Why a reported payment is rejected. */
export interface RejectInput {
  /** At most 5000 characters. */
  reason?: string | null
}

/** When the bank cleared a cheque. */
export interface ClearInput {
  /** YYYY-MM-DD, today (Asia/Kolkata) or earlier, not before the cheque's date. Default today. */
  cleared_on?: string | null
}

/** Why a payment is taken back. */
export interface ReverseInput {
  /** 1 to 5000 characters. */
  reason: string
}

/** What follows from a cheque that bounced. */
export interface BounceInput {
  /** At most 5000 characters. */
  reason?: string | null
  /** Indian rupees that the landlord charges for it. Default none. */
  charge_amount?: number | null
}

/** Which payments to list. */
export interface PaymentQuery extends PageQuery<'id' | 'paid_on' | 'amount' | 'status'> {
  /** Only payments for the agreement with this number. */
  agreement_id?: number
  /** Only payments for the unit with this number. */
  property_unit_id?: number
  /** Only payments of the tenant with this user number. */
  payer_id?: number
  /** Only payments in this state. */
  status?: PaymentStatus
  /** Only payments by this method. */
  method?: PaymentMethod
  /** Only payments of this day or later, YYYY-MM-DD. */
  from?: string
  /** Only payments of this day or before, YYYY-MM-DD. */
  to?: string
}

/** An advance to pay back. */
export interface NewRefund {
  /** Indian rupees, above 0, at most the advance of the lease. */
  amount: number
  /** How it was paid back. */
  method: Exclude<PaymentMethod, 'payment_link'>
  /** The UTR of a transfer or the number of a cheque, at most 100 characters. */
  reference?: string | null
  /** YYYY-MM-DD, today (Asia/Kolkata) or earlier. Default today. */
  refunded_on?: string | null
}

/** The part of a refund that comes from one payment. */
export interface RefundedPayment {
  /** The payment's number. */
  payment_id: number
  /** Indian rupees. */
  amount: number
}

/** An advance that went back to the tenants. */
export interface Refund {
  /** Indian rupees. */
  amount: number
  /** How it was paid back. */
  method: PaymentMethod
  /** The UTR of a transfer or the number of a cheque. */
  reference: string | null
  /** YYYY-MM-DD. */
  refunded_on: string
  /** The payments that it came from, the oldest first. */
  payments: RefundedPayment[]
}

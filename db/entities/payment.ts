import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import {
  PaymentMethod,
  PaymentSource,
  PaymentStatus,
  RefundStatus,
  type AllocationInput,
} from '@kiraya/sdk/contract'
import { Agreement } from './agreement'
import { amount, numericId, timestamps, uuid } from './columns'
import { User } from './user'

/**
 * Money that a tenant paid, or says to have paid.
 * - `landlord_id` is the agreement's: receipts are numbered for a landlord, and a reference is used once.
 * - `requested_allocations` is what the payer wants it for, until it is posted.
 * - `paid_on` of a cheque is its date, once it is cleared, if that is after its entry.
 * - `moved_amount` of an advance is in a payment of the lease's renewal, whose `source` is that.
 * - `waits_for_allocation`: a person took away what it settled, so its advance settles nothing by itself.
 * - `external_ref` is what the landlord calls it in an import: a repetition finds it again.
 * - `allows_duplicate`: another payment may have the same method and reference.
 */
export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payments',
  indexes: [
    { name: 'payments_agreement', properties: ['agreement_id', 'paid_on'] },
    {
      name: 'payments_advance',
      properties: ['agreement_id'],
      where: 'unapplied_amount > 0',
    },
    {
      name: 'payments_reference_once',
      expression: `create unique index "payments_reference_once" on "payments" ("landlord_id", "method", lower("reference")) where not allows_duplicate and status in ('reported', 'pending', 'posted')`,
    },
    {
      name: 'payments_external_ref',
      expression: `create unique index "payments_external_ref" on "payments" ("landlord_id", "external_ref") where external_ref is not null`,
    },
    {
      name: 'payments_receipt_once',
      expression: `create unique index "payments_receipt_once" on "payments" ("landlord_id", "receipt_number")`,
    },
  ],
  checks: [
    { name: 'payments_amounts', expression: 'amount >= 0 and tds_amount >= 0 and amount + tds_amount > 0' },
    {
      name: 'payments_not_overspent',
      expression:
        'unapplied_amount >= 0 and refunded_amount >= 0 and moved_amount >= 0 and unapplied_amount + refunded_amount + moved_amount <= amount + tds_amount',
    },
  ],
  properties: {
    id: numericId(),
    payment_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    landlord_id: () => p.manyToOne(User).mapToPk().fieldName('landlord_id'),
    payer_id: () => p.manyToOne(User).mapToPk().fieldName('payer_id'),
    amount: amount(),
    tds_amount: amount().default(0),
    tds_certificate_number: p.string().length(50).nullable(),
    method: p.enum(PaymentMethod.enum),
    reference: p.string().length(100).nullable(),
    paid_on: p.date(),
    cheque_date: p.date().nullable(),
    cleared_on: p.date().nullable(),
    status: p.enum(PaymentStatus.enum),
    requested_allocations: p.json<AllocationInput[]>().nullable(),
    unapplied_amount: amount().default(0),
    refunded_amount: amount().default(0),
    moved_amount: amount().default(0),
    waits_for_allocation: p.boolean().default(false),
    source: p.enum(PaymentSource.enum).default('manual'),
    external_ref: p.string().length(100).nullable(),
    receipt_number: p.string().length(30).nullable(),
    reversal_reason: p.text().nullable(),
    allows_duplicate: p.boolean().default(false),
    posted_at: p.datetime(3).nullable(),
    ...timestamps,
  },
})
export type Payment = InferEntity<typeof Payment>

/** An advance that went back to the tenants; its journals have the part of each payment. */
export const Refund = defineEntity({
  name: 'Refund',
  tableName: 'refunds',
  indexes: [{ name: 'refunds_agreement', properties: ['agreement_id'] }],
  properties: {
    id: numericId(),
    refund_id: uuid(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    amount: amount(),
    method: p.enum(PaymentMethod.enum),
    reference: p.string().length(100).nullable(),
    refunded_on: p.date(),
    status: p.enum(RefundStatus.enum).default('posted'),
    reversal_reason: p.text().nullable(),
    ...timestamps,
  },
})
export type Refund = InferEntity<typeof Refund>

/** The last number that a landlord's receipts used in a year from April to March: `RCT-2026-27-000001`. */
export const ReceiptCounter = defineEntity({
  name: 'ReceiptCounter',
  tableName: 'receipt_counters',
  properties: {
    landlord_id: () => p.manyToOne(User).mapToPk().primary().fieldName('landlord_id'),
    fiscal_year: p.string().length(7).primary(),
    last_number: p.integer(),
  },
})

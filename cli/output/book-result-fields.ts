import type { Charge, DepositSettlement, Payment, Refund, RentRevision } from '@kiraya/sdk'
import { listFields } from './result-fields'

// What changes of the books print.

export const chargeResultFields = listFields<Charge>()(
  'id',
  'charge_id',
  'agreement_id',
  'property_unit_id',
  'type',
  'description',
  'period_start',
  'period_end',
  'due_date',
  'amount',
  'amount_paid',
  'amount_credited',
  'amount_outstanding',
  'status',
  'source',
  'base_charge_id',
  'posted_at',
)

export const paymentResultFields = listFields<Payment>()(
  'id',
  'payment_id',
  'agreement_id',
  'payer_id',
  'amount',
  'tds_amount',
  'tds_certificate_number',
  'method',
  'reference',
  'paid_on',
  'cheque_date',
  'cleared_on',
  'status',
  'allocations',
  'unapplied_amount',
  'refunded_amount',
  'receipt_number',
  'reversal_reason',
  'posted_at',
  'created_at',
)

export const refundResultFields = listFields<Refund>()(
  'amount',
  'method',
  'reference',
  'refunded_on',
  'payments',
)

export const settlementResultFields = listFields<DepositSettlement>()(
  'id',
  'settlement_id',
  'agreement_id',
  'status',
  'deductions',
  'held_amount',
  'open_rent',
  'deducted_amount',
  'advance_amount',
  'refund_amount',
  'owed_amount',
  'refund_method',
  'reference',
  'dispute_reason',
  'decided_by_id',
  'decided_at',
  'posted_at',
  'created_at',
)

export const revisionResultFields = listFields<RentRevision>()(
  'id',
  'revision_id',
  'agreement_id',
  'rent_amount',
  'effective_on',
  'status',
  'decided_by_id',
  'decided_at',
  'created_at',
)

import type { ErrorReason } from '@kiraya/sdk/contract'
import { AGREEMENT_CHANGE } from './shared'

const ALLOCATIONS: ErrorReason[] = [
  'allocation_above_charge',
  'allocation_above_payment',
  'allocation_of_unknown_charge',
  'allocation_repeated',
]

const PAYMENT_CHANGE: ErrorReason[] = ['not_unit_side', 'payment_wrong_status']

const STATEMENT: ErrorReason[] = ['to_before_from', 'year_and_dates']

const REVISION_DECISION: ErrorReason[] = [
  'books_not_open',
  'not_tenant',
  'revision_decided',
  'revision_not_found',
  'wrong_status',
]

const SETTLEMENT_DECISION: ErrorReason[] = [
  'books_not_open',
  'not_tenant',
  'settlement_not_found',
  'settlement_replaced',
  'settlement_wrong_status',
]

/** What the operations of charges, payments, deposits, rent revisions and statements may answer. */
export const bookReasons: Record<string, ErrorReason[]> = {
  'POST /agreements/{id}/charges': [
    'books_not_open',
    'date_after_lease',
    'date_before_books',
    'deposit_after_lease',
    'not_unit_side',
    'period_ends_before_start',
    'period_incomplete',
    'too_many_charges',
    'wrong_status',
  ],
  'POST /charges/{id}/credits': [
    'credit_above_charge',
    'deposit_settled',
    'not_unit_side',
    'too_many_charges',
  ],
  'POST /agreements/{id}/payments': [
    ...ALLOCATIONS,
    'books_not_open',
    'cheque_number_missing',
    'date_before_lease',
    'date_in_future',
    'date_too_far',
    'not_a_cheque',
    'not_unit_side',
    'payer_not_self',
    'payer_not_tenant',
    'payment_empty',
    'payment_above_outstanding',
    'reference_used',
    'too_many_payments',
    'too_many_reports',
  ],
  'POST /agreements/{id}/refunds': [
    'books_not_open',
    'date_in_future',
    'not_unit_side',
    'refund_above_advance',
    'refund_before_payment',
    'too_many_payments',
  ],
  'POST /payments/{id}/confirm': [
    ...PAYMENT_CHANGE,
    'date_in_future',
    'payment_above_outstanding',
    'reference_used',
  ],
  'PATCH /payments/{id}': [...PAYMENT_CHANGE, 'tds_not_withheld', 'too_many_payments'],
  'POST /payments/{id}/reject': PAYMENT_CHANGE,
  'POST /payments/{id}/clear': [
    ...PAYMENT_CHANGE,
    'cleared_before_cheque',
    'date_in_future',
    'payment_above_outstanding',
  ],
  'POST /payments/{id}/bounce': [
    ...PAYMENT_CHANGE,
    'deposit_settled',
    'not_a_cheque',
    'payment_refunded',
    'too_many_charges',
  ],
  'POST /payments/{id}/reverse': [...PAYMENT_CHANGE, 'deposit_settled', 'payment_refunded'],
  'PUT /payments/{id}/allocations': [
    ...PAYMENT_CHANGE,
    ...ALLOCATIONS,
    'allocation_leaves_advance',
    'deposit_settled',
    'too_many_payments',
  ],
  'POST /agreements/{id}/deposit/settlement': [
    ...AGREEMENT_CHANGE,
    'books_not_open',
    'deposit_not_held',
    'settlement_wrong_status',
    'too_many_proposals',
  ],
  'POST /agreements/{id}/deposit/settlement/accept': SETTLEMENT_DECISION,
  'POST /agreements/{id}/deposit/settlement/dispute': SETTLEMENT_DECISION,
  'POST /agreements/{id}/deposit/settlement/post': [
    'books_not_open',
    'not_unit_side',
    'refund_method_missing',
    'settlement_not_found',
    'settlement_outdated',
    'settlement_wrong_status',
  ],
  'POST /agreements/{id}/rent-revisions': [
    ...AGREEMENT_CHANGE,
    'books_not_open',
    'escalation_too_high',
    'revision_exists',
    'revision_outside_lease',
    'too_many_proposals',
  ],
  'POST /agreements/{id}/rent-revisions/{revisionId}/accept': REVISION_DECISION,
  'POST /agreements/{id}/rent-revisions/{revisionId}/decline': [
    ...REVISION_DECISION,
    'idempotency_key_invalid',
    'idempotency_key_reused',
    'request_in_progress',
  ],
  'POST /agreements/{id}/rent-revisions/{revisionId}/withdraw': [
    ...AGREEMENT_CHANGE,
    'books_not_open',
    'revision_decided',
    'revision_not_found',
  ],
  'GET /books/summary': ['to_before_from'],
  'GET /books/annual': ['annual_too_long'],
  'GET /agreements/{id}/statement': STATEMENT,
  'GET /agreements/{id}/statement/pdf': [...STATEMENT, 'statement_too_long'],
  'GET /agreements/{id}/rent-proof': ['payer_not_self', 'payer_not_tenant'],
  'GET /agreements/{id}/deposit/settlement/pdf': ['settlement_not_found'],
  'GET /payments/{id}/receipt': ['receipt_not_found'],
}

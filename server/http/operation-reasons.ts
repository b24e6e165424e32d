import { codeByReason, type ErrorReason } from '@kiraya/sdk/contract'
import { httpStatusByCode } from '../faults'

/** Operations whose response may be long: they wait for their user's turn. */
export const LONG_RESPONSES = new RegExp(
  [
    /^GET \/(properties(\/\{id\}(\/units)?)?|agreements|tenants|charges|payments|auth\/me\/export)$/,
    /^GET \/(agreements\/\{id\}\/(deposit\/settlement\/pdf|rent-revisions|rent-proof|schedule|statement(\/pdf)?|tds)|payments\/\{id\}\/receipt)$/,
    /^GET \/books\//,
    /^(POST \/properties|PATCH \/properties\/\{id\})$/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** The reasons of all operations, named `METHOD /path/{id}`, that match a pattern. */
const SHARED_REASONS: [operations: RegExp, reasons: ErrorReason[]][] = [
  [/./, ['host_invalid', 'invalid_fields', 'value_not_storable', 'internal_error']],
  [/ \/(?!health\/live)/, ['database_unreachable']],
  [/^(POST|PUT|PATCH|DELETE) /, ['body_too_slow', 'body_too_large', 'standby_offline']],
  [
    /^(POST|PATCH) \/(properties|agreements)(\/\{id\})?(\/units(\/\{unitId\})?|\/sign|\/revise)?$/,
    ['too_many_long_bodies'],
  ],
  [LONG_RESPONSES, ['too_many_long_responses']],
  [
    /^(POST|PUT|PATCH|DELETE) \/(?!webhooks\/)/,
    ['content_type_not_json', 'body_not_json', 'body_not_readable', 'body_too_deep'],
  ],
  [
    / \/(?!auth$|auth\/(verify|send-otp|login)$|health|webhooks|metrics|operations|sandbox)/,
    ['sign_in_required'],
  ],
  [
    /^POST .*\/(properties|units|tenants|agreements|sign|revise|ekyc|charges|credits|refunds)$/,
    ['idempotency_key_invalid', 'idempotency_key_reused', 'request_in_progress'],
  ],
  [
    /^POST .*\/payments(\/\{id\}\/\w+)?$/,
    ['idempotency_key_invalid', 'idempotency_key_reused', 'request_in_progress'],
  ],
  [
    /^POST \/(agreements|properties)\/.*\/(settlement|accept|decline|dispute|post|renew|rent-revisions|terminate|complete|cancel|resign)$/,
    ['idempotency_key_invalid', 'idempotency_key_reused', 'request_in_progress'],
  ],
  [/ \/properties\/\{id\}/, ['property_not_found']],
  [/\{unitId\}/, ['unit_not_found']],
  [/ \/agreements\/\{id\}/, ['agreement_not_found']],
  [/ \/charges\/\{id\}/, ['charge_not_found']],
  [/ \/payments\/\{id\}/, ['payment_not_found']],
  [/ \/profile\//, ['user_not_found']],
  [/ \/(metrics|operations\/)/, ['page_not_found', 'ops_token_required']],
  [/ \/sandbox\//, ['sandbox_token_required']],
]

const OTP: ErrorReason[] = ['phone_number_unreachable', 'provider_unreachable', 'too_many_otps']
const WRONG_OTP: ErrorReason[] = ['wrong_otp', 'too_many_wrong_otps']
const SIGNING: ErrorReason[] = ['provider_unreachable', 'provider_not_configured']
const CHANGE: ErrorReason[] = ['wrong_status', 'not_unit_side']
const TERMS: ErrorReason[] = [
  'document_not_https',
  'document_not_public',
  'escalation_incomplete',
  'escalation_too_high',
  'landlord_as_tenant',
  'late_fee_incomplete',
  'manager_as_tenant',
  'signing_order_of_others',
  'tenants_not_nameable',
  'too_many_open_agreements',
  'unit_not_found',
]

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

/** What an operation alone may answer. */
export const OWN_REASONS: Record<string, ErrorReason[]> = {
  'POST /auth': OTP,
  'POST /auth/send-otp': OTP,
  'POST /auth/verify': WRONG_OTP,
  'POST /auth/login': ['wrong_login', 'too_many_failed_logins', 'passwords_busy'],
  'DELETE /auth/me': [
    ...WRONG_OTP,
    'agreements_open',
    'deposit_held',
    'documents_in_progress',
    'erasure_contended',
  ],

  'PUT /profile/complete': [
    ...WRONG_OTP,
    'name_is_verified',
    'password_changed_meanwhile',
    'password_proof_missing',
    'passwords_busy',
    'too_many_wrong_passwords',
    'wrong_password',
  ],
  'POST /profile/ekyc': [
    'already_verified',
    'kyc_given_up',
    'kyc_in_progress',
    'profile_incomplete',
    'provider_unreachable',
  ],
  'POST /profile/ekyc/complete': [
    'provider_unreachable',
    'verification_failed',
    'verification_incomplete',
    'verification_provider_changed',
    'verification_unknown',
  ],
  'GET /dashboard': ['onboarding_unfinished'],

  'POST /properties': ['manager_not_nameable', 'pin_code_unknown'],
  'PATCH /properties/{id}': ['address_in_use', 'not_property_creator', 'pin_code_unknown'],
  'DELETE /properties/{id}': ['not_property_creator', 'units_in_use'],
  'POST /properties/{id}/units': ['manager_not_nameable', 'property_uuid_required'],
  'PATCH /properties/{id}/units/{unitId}': ['manager_not_nameable', 'not_unit_landlord', 'tenant_as_manager'],
  'DELETE /properties/{id}/units/{unitId}': ['not_unit_landlord', 'units_in_use'],
  'POST /properties/{id}/units/{unitId}/resign': ['not_unit_manager'],
  'POST /tenants': ['phone_number_busy', 'too_many_tenants'],

  'POST /agreements': TERMS,
  'PATCH /agreements/{id}': [...CHANGE, ...TERMS, 'unit_of_other_landlord'],
  'DELETE /agreements/{id}': CHANGE,
  'POST /agreements/{id}/revise': [...CHANGE, ...TERMS, 'unit_of_other_landlord'],
  'POST /agreements/{id}/terminate': [...CHANGE, 'termination_before_start', 'termination_in_future'],
  'POST /agreements/{id}/complete': [...CHANGE, 'money_held', 'payments_undecided'],
  'POST /agreements/{id}/sign': [
    ...SIGNING,
    'address_changed',
    'already_signed',
    'document_refused',
    'not_a_party',
    'not_own_signing',
    'not_your_turn',
    'signer_not_found',
    'signing_in_progress',
    'tenants_declined',
    'tenants_erased',
    'too_many_signing_requests',
    'unit_overlap',
    'wrong_status',
  ],
  'POST /agreements/{id}/decline': ['already_signed', 'not_a_party', 'wrong_status'],
  'POST /agreements/{id}/signatures/{signatureId}/cancel': [
    ...SIGNING,
    'not_unit_side',
    'signature_not_found',
    'signature_not_open',
  ],
  'GET /agreements/{id}/document': [...SIGNING, 'documents_in_progress', 'signed_document_not_found'],
  'GET /agreements/{id}/certificate': [
    ...SIGNING,
    'certificate_in_progress',
    'certificate_not_found',
    'documents_in_progress',
  ],

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
  'POST /charges/{id}/credits': ['credit_above_charge', 'deposit_settled', 'not_unit_side'],
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
    'date_before_lease',
    'date_in_future',
    'not_unit_side',
    'refund_above_advance',
    'refund_before_payment',
  ],
  'POST /payments/{id}/confirm': [
    ...PAYMENT_CHANGE,
    'date_in_future',
    'payment_above_outstanding',
    'reference_used',
  ],
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
  ],

  'POST /agreements/{id}/deposit/settlement': [
    ...CHANGE,
    'books_not_open',
    'deposit_not_held',
    'refund_method_missing',
    'settlement_wrong_status',
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
    ...CHANGE,
    'books_not_open',
    'escalation_too_high',
    'revision_exists',
    'revision_outside_lease',
  ],
  'POST /agreements/{id}/rent-revisions/{revisionId}/accept': REVISION_DECISION,
  'POST /agreements/{id}/rent-revisions/{revisionId}/decline': [
    ...REVISION_DECISION,
    'idempotency_key_invalid',
    'idempotency_key_reused',
    'request_in_progress',
  ],
  'POST /agreements/{id}/renew': [...CHANGE, ...TERMS, 'already_renewed', 'unit_of_other_landlord'],
  'GET /books/summary': ['to_before_from'],

  'GET /agreements/{id}/statement': STATEMENT,
  'GET /agreements/{id}/statement/pdf': [...STATEMENT, 'statement_too_long'],
  'GET /agreements/{id}/rent-proof': ['payer_not_self', 'payer_not_tenant'],
  'GET /agreements/{id}/deposit/settlement/pdf': ['settlement_not_found'],
  'GET /payments/{id}/receipt': ['receipt_not_found'],

  'POST /webhooks/esign': [...SIGNING, 'provider_request_unknown', 'webhook_signature_invalid'],
  'POST /webhooks/ekyc': ['body_not_json', 'provider_unreachable', 'webhook_id_missing'],
  'GET /health/ready': ['migrations_missing', 'server_stopping'],
  'POST /operations/invitations': [
    'account_exists',
    'phone_number_unreachable',
    'provider_unreachable',
    'too_many_invitations',
  ],
  'DELETE /operations/invitations/{id}': ['invitation_not_found'],
  'GET /metrics': ['metrics_incomplete'],
  'POST /operations/webhooks/{id}/replay': [...SIGNING, 'provider_request_unknown', 'webhook_not_found'],

  'POST /sandbox/control/clock': ['sandbox_clock_change_ambiguous', 'sandbox_clock_out_of_range'],
  'POST /sandbox/control/signatures/{id}': ['sandbox_request_closed', 'sandbox_request_not_found'],
  'POST /sandbox/control/checks/{id}': ['sandbox_check_finished', 'sandbox_check_not_found'],
  'POST /sandbox/control/faults': [
    'sandbox_behaviour_unsupported',
    'sandbox_call_unsupported',
    'sandbox_provider_not_simulated',
  ],
  'DELETE /sandbox/control/faults/{id}': ['sandbox_rule_not_found'],
}

/** Lists the reasons of an operation's errors with a status; `operation` is like `GET /properties/{id}`. */
export function getReasons(operation: string, status: number): ErrorReason[] {
  const shared = SHARED_REASONS.filter(([operations]) => operations.test(operation))
  const reasons = [...(OWN_REASONS[operation] ?? []), ...shared.flatMap(([, reasons]) => reasons)]
  return [...new Set(reasons)].filter(reason => httpStatusByCode[codeByReason[reason]] === status)
}

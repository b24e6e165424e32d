import * as contract from '@kiraya/sdk/contract'
import type { NamedReason, ParamsOf } from '../../../server/messages'
import { toStatusRule } from '../../../server/messages/signing'

/** Every reason whose sentence depends on something, with an example: a missing one does not compile. */
export const examples: { [R in NamedReason as ParamsOf<R> extends undefined ? never : R]: ParamsOf<R> } = {
  agreements_open: { agreements: ['AGR-2026-000001 (ACTIVE)'] },
  allocation_above_charge: { limit: 2500 },
  allocation_above_payment: { limit: 30_000 },
  allocation_leaves_advance: { left: 2500 },
  already_signed: { who: 'you' },
  books_not_open: { status: 'DRAFT' },
  body_too_large: { max_bytes: 1_048_576 },
  cleared_before_cheque: { date: '2026-12-10' },
  credit_above_charge: { limit: 2500 },
  date_after_lease: { date: '2028-10-31' },
  date_before_books: { date: '2026-12-01' },
  date_before_lease: { date: '2026-12-01' },
  date_in_future: { today: '2026-11-22' },
  certificate_not_stored: { agreements: ['AGR-2026-000001 (TERMINATED)'] },
  date_too_far: { date: '2028-11-22' },
  deposit_held: { agreements: ['AGR-2026-000001 (TERMINATED)'] },
  escalation_too_high: { date: '2027-06-01' },
  document_refused: { rule: toStatusRule(404) },
  landlord_as_tenant: { id: 17 },
  manager_as_tenant: { id: 17 },
  manager_not_nameable: { id: 17, parties: 'named' },
  migrations_missing: { names: ['0009-listings'] },
  not_a_cheque: { field: 'method' },
  not_a_party: { to: 'sign' },
  not_unit_landlord: { to: 'delete' },
  not_your_turn: { awaited_id: 17 },
  onboarding_unfinished: { status: 'NEEDS_PROFILE_COMPLETION' },
  payer_not_self: { id: 17 },
  payer_not_tenant: { ids: [17, 18] },
  payment_wrong_status: { status: 'posted', to_be: 'confirmed' },
  period_ends_before_start: { start: '2026-12-01' },
  pin_code_unknown: { pin_code: 999_999 },
  provider_not_configured: { name: 'setu' },
  provider_unreachable: { provider: 'eKYC' },
  reference_used: { payment_id: 17, is_reported: true },
  refund_above_advance: { limit: 2500 },
  refund_before_payment: { date: '2026-12-01' },
  sandbox_behaviour_unsupported: { provider: 'esign', behaviours: ['error', 'late'] },
  sandbox_call_unsupported: { provider: 'esign', behaviour: 'late', calls: ['webhook'] },
  sandbox_request_closed: { by: 'signed' },
  signature_not_open: { status: 'signed' },
  lease_is_fixed: { status: 'ACTIVE' },
  lease_without_books: { status: 'DRAFT' },
  opening_required: { date: '2025-12-01' },
  payment_in_opening: { date: '2026-10-31' },
  opening_before_start: { start: '2026-12-15' },
  settled_before_start: { date: '2025-12-14' },
  signing_order_of_others: { ids: [17, 18] },
  tenant_as_manager: { id: 17, agreement: 'AGR-2026-000001' },
  tenants_declined: { ids: [17, 18] },
  tenants_erased: { ids: [17, 18] },
  tenants_not_nameable: { ids: [17, 18], parties: 'named' },
  termination_before_start: { start: '2026-11-01' },
  termination_in_future: { today: '2026-11-22' },
  too_many_reports: { limit: 20 },
  units_in_use: { of: 'unit' },
  annual_too_long: { max: 2000 },
  statement_too_long: { max: 2000 },
  storage_full: { gib: 1 },
  to_before_from: { from: '2027-01-02' },
  money_held: { deposit: 100_000, advance: 2500 },
  payment_above_outstanding: { limit: 2500 },
  payments_undecided: { payments: [12, 13] },
  settlement_awaits_answer: { date: '2027-02-25' },
  settlement_replaced: { refund_amount: 97_500 },
  settlement_outdated: { held_amount: 100_000, open_rent: 2500, refund_amount: 97_500 },
  already_renewed: { agreement: 'AGR-2026-000001' },
  revision_decided: { status: 'declined' },
  revision_exists: { date: '2027-01-01' },
  revision_outside_lease: { from: '2026-12-01', to: '2027-10-31' },
  settlement_wrong_status: { status: 'posted', to_be: 'accepted' },
  cost_not_chargeable: { because: 'no_lease' },
  payment_moved: { is_taken_over: true },
  reopening_late: { days: 14 },
  maintenance_request_wrong_status: { status: 'open', to: 'closed' },
  too_many_attachments: { max: 10 },
  wrong_status: { status: 'ACTIVE', to_be: 'signed' },
}

type Further = { [R in keyof typeof examples]?: (typeof examples)[R][] }

/** More of those whose sentences have a choice. */
export const furtherExamples: Further = {
  already_signed: [{ who: 'signer' }],
  manager_not_nameable: [{ id: 17, parties: 'any' }],
  not_a_cheque: [{ field: 'cheque_date' }],
  not_a_party: [{ to: 'decline' }],
  not_unit_landlord: [{ to: 'appoint' }],
  provider_unreachable: [{ provider: 'e-signing' }, { provider: 'messaging' }, { provider: 'other' }],
  reference_used: [
    { payment_id: 17, is_reported: false },
    { payment_id: null, is_reported: false },
  ],
  cost_not_chargeable: [{ because: 'books_closed' }, { because: 'ended' }, { because: 'lease_over' }],
  payment_moved: [{ is_taken_over: false }],
  maintenance_request_wrong_status: [{ status: 'closed' }],
  settlement_wrong_status: [
    { status: 'proposed', to_be: 'posted' },
    { status: 'disputed', to_be: 'disputed' },
    { status: 'accepted', to_be: 'proposed' },
  ],
  tenants_not_nameable: [{ ids: [17], parties: 'any' }],
  units_in_use: [{ of: 'property' }],
  wrong_status: [
    { status: 'PENDING', to_be: 'changed' },
    { status: 'PENDING', to_be: 'deleted' },
    { status: 'ACTIVE', to_be: 'changed' },
    { status: 'COMPLETED', to_be: 'charged' },
    { status: 'ACTIVE', to_be: 'completed' },
    { status: 'ACTIVE', to_be: 'declined' },
    { status: 'DRAFT', to_be: 'renewed' },
    { status: 'ACTIVE', to_be: 'revised' },
    { status: 'PENDING', to_be: 'settled' },
    { status: 'PENDING', to_be: 'terminated' },
  ],
}

type Described = { description: string }

/** The schemas of the contract that describe a value, by their descriptions. */
export const described = new Map(
  Object.values(contract)
    .flatMap(listDescribed)
    .map(schema => [schema.description, schema]),
)

function listDescribed(schema: unknown): Described[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'description' in schema && typeof schema.description === 'string' ? [schema as Described] : []
  return [...own, ...Object.values(schema).flatMap(listDescribed)]
}

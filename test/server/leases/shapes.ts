import { expect } from 'bun:test'
import { TIMESTAMP, UUID } from '../http/forms'

/** Of a lease that was not recorded. */
const notRecorded = {
  recorded_on: null,
  registration_number: null,
  stamp_number: null,
  voided_on: null,
  objections: [],
}

/** `names.test.ts` holds what they say. */
const named = {
  unit: expect.any(Object),
  landlord: expect.any(Object),
  manager: null,
  tenants: expect.any(Array),
}

/** An agreement exactly as it is answered. */
export const agreementShape = (more: Record<string, unknown> = {}) => ({
  id: expect.any(Number),
  agreement_id: UUID,
  agreement_number: expect.stringMatching(/^AGR-\d{4}-\d{6}$/),
  document_url: 'https://example.com/lease.pdf',
  document: null,
  document_sha256: null,
  document_version: null,
  clauses: null,
  property_unit_id: expect.any(Number),
  landlord_id: expect.any(Number),
  tenant_ids: expect.any(Array),
  agreement_start_date: '2026-12-01',
  agreement_end_date: '2027-10-31',
  tenure_in_months: 11,
  auto_renew: false,
  rent_amount: 25000,
  deposit_amount: 100000,
  rent_due_day: 5,
  notice_period_days: 30,
  status: 'DRAFT',
  amenities: null,
  pets_allowed: false,
  non_veg_allowed: false,
  smoking_allowed: false,
  bachelor_allowed: false,
  additional_policies: null,
  improvements: null,
  signed_date: null,
  ...notRecorded,
  ...named,
  reinstatement_asked_by: null,
  termination_date: null,
  termination_reason: null,
  payment_terms: null,
  late_fee: null,
  billing_cycle: 'calendar_month',
  rent_in: 'advance',
  rent_rounding: 0.01,
  late_fee_kind: 'flat',
  late_fee_percent: null,
  late_fee_grace_days: 0,
  late_fee_cap: null,
  escalation_percent: null,
  escalation_every_months: null,
  recurring_charges: null,
  signing_order: null,
  opening: null,
  internal_notes: null,
  external_ref: null,
  revises_agreement_id: null,
  renews_agreement_id: null,
  deposit_moves: null,
  is_active: true,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  ...more,
})
/** The deposit of the tests is four months' rent; `warnings.test.ts` holds what is said of it. */
export const withoutWarnings = ({ warnings: _, ...body }: any) => body
export const answered = (data: unknown) => ({ success: true, message: expect.any(String), data })

/** Every field that a draft need not have, with a value other than its default. */
export const optionalTerms = {
  agreement_number: 'K-17',
  auto_renew: true,
  amenities: ['lift', 'null', 'a  b', '{"b"}', '\\'],
  pets_allowed: true,
  non_veg_allowed: true,
  smoking_allowed: true,
  bachelor_allowed: true,
  additional_policies: 'No\nloud\tmusic',
  improvements: 'Paint',
  payment_terms: 'UPI',
  deposit_amount: 50000.5,
  clauses: ['One clause', 'Another\nin two lines'],
  late_fee: 250.5,
  billing_cycle: 'anniversary',
  rent_in: 'arrears',
  rent_rounding: 10,
  late_fee_kind: 'percent_pa',
  late_fee_percent: 18,
  late_fee_grace_days: 5,
  late_fee_cap: 1250.5,
  escalation_percent: 5,
  escalation_every_months: 11,
  recurring_charges: [{ type: 'maintenance', description: 'Lift and water', amount: 2500.5 }],
}

/** What they are when they are not given, or null. */
export const defaultTerms = Object.fromEntries(
  Object.keys(optionalTerms)
    .filter(field => field !== 'agreement_number')
    .map(field => [field, (agreementShape({ deposit_amount: null }) as Record<string, unknown>)[field]]),
)

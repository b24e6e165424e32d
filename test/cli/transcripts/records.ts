import type {
  Agreement,
  PropertyWithUnits,
  SandboxState,
  Signature,
  Tenant,
  TimelineEvent,
  Unit,
  User,
} from '../../../sdk'
import type { Invitation, JobsReport, WebhookDelivery } from '../../../sdk'

/** Two digits of a record's id make its UUID. */
export const toUuid = (id: number) => `6ba7b8${String(id).padStart(2, '0')}-9dad-41d1-80b4-00c04fd430c8`
const stamps = { is_active: true, created_at: '2026-11-01T04:30:00Z', updated_at: '2026-11-02T20:00:00Z' }

export const user: User = {
  id: 7,
  user_id: toUuid(7),
  phone: '9876543210',
  first_name: 'Asha',
  last_name: 'Rao',
  email: 'asha@example.com',
  role: 'landlord',
  has_completed_profile: true,
  has_verified_profile: true,
}

const createUnit = (id: number, unit_name: string, changes: Partial<Unit> = {}): Unit => ({
  id,
  property_unit_id: toUuid(id),
  property_id: 1,
  landlord_id: 7,
  managed_by_id: 7,
  unit_name,
  room_type: '2bhk',
  furnishing_type: 'semi_furnished',
  furniture_included: null,
  area_sqft: 980.5,
  floor_number: -1,
  is_available: true,
  unit_notes: null,
  unit_amenities: ['Balcony', 'Geyser'],
  ...stamps,
  ...changes,
})
export const units: Unit[] = [
  createUnit(11, 'A-101'),
  createUnit(12, 'B/2', { is_available: false, room_type: null, furnishing_type: null }),
  createUnit(13, 'Of another', { landlord_id: 8 }),
]

const createProperty = (
  id: number,
  alias_name: string,
  changes: Partial<PropertyWithUnits>,
): PropertyWithUnits => ({
  id,
  property_id: toUuid(id),
  society_building: 'Prestige Residency',
  survey_number: '101/4',
  road_name: '80 Feet Road',
  locality: 'Koramangala',
  landmark: null,
  pin_code: 560034,
  district: 'Bengaluru Urban',
  city: 'Bengaluru',
  state: 'Karnataka',
  country: 'India',
  alias_name,
  property_type: 'apartment',
  common_amenities: ['Lift', 'Gym'],
  property_approved: false,
  property_approved_at: null,
  property_approved_by: null,
  landlord_id: 7,
  ...stamps,
  property_units: units,
  ...changes,
})
export const properties: PropertyWithUnits[] = [
  createProperty(1, 'White House', {}),
  createProperty(2, 'Lake', { city: 'Chennai', pin_code: 600004, locality: null, property_units: [] }),
]

const createTenant = (id: number, phone: string | null, first_name: string | null): Tenant => ({
  id,
  user_id: toUuid(id),
  phone,
  first_name,
  last_name: first_name && 'Iyer',
})
export const tenants: Tenant[] = [
  createTenant(21, '9123456789', 'Tara'),
  createTenant(22, null, null),
  createTenant(23, '9123456780', null),
]

const createAgreement = (id: number, changes: Partial<Agreement>): Agreement => ({
  id,
  agreement_id: toUuid(id),
  agreement_number: `AGR-2026-0000${id}`,
  document_url: 'https://example.com/lease.pdf',
  property_unit_id: 11,
  landlord_id: 7,
  tenant_ids: [21],
  agreement_start_date: '2026-12-01',
  agreement_end_date: '2027-10-31',
  tenure_in_months: 11,
  auto_renew: false,
  rent_amount: 125_000,
  deposit_amount: 1_00_000.5,
  rent_due_day: 5,
  notice_period_days: 30,
  status: 'ACTIVE',
  amenities: ['Lift', 'Gym'],
  pets_allowed: true,
  non_veg_allowed: false,
  smoking_allowed: false,
  bachelor_allowed: true,
  additional_policies: null,
  improvements: null,
  signed_date: '2026-11-20T20:00:00Z',
  termination_date: null,
  termination_reason: null,
  payment_terms: 'By UPI',
  late_fee: 500,
  signing_order: null,
  revises_agreement_id: null,
  renews_agreement_id: null,
  billing_cycle: 'calendar_month',
  rent_in: 'advance',
  rent_rounding: 5,
  late_fee_kind: 'flat',
  late_fee_percent: null,
  late_fee_grace_days: 5,
  late_fee_cap: null,
  escalation_percent: null,
  escalation_every_months: null,
  recurring_charges: null,
  ...stamps,
  ...changes,
})
export const agreements: Agreement[] = [
  createAgreement(31, {}),
  createAgreement(32, { status: 'DRAFT', tenant_ids: [21, 22, 99], property_unit_id: 99, signed_date: null }),
  createAgreement(33, { status: 'PENDING', deposit_amount: null, rent_amount: 900.5 }),
  createAgreement(34, { status: 'TERMINATED', termination_date: '2026-11-21', termination_reason: 'Moved' }),
  createAgreement(35, { status: 'COMPLETED' }),
]

const createSignature = (id: number, signer_id: number, status: Signature['status']): Signature => ({
  id,
  signature_id: toUuid(id),
  signer_id,
  signer_role: signer_id === 7 ? 'landlord' : 'tenant',
  status,
  expires_at: '2026-11-30T18:45:00Z',
  decline_reason: null,
  ...(status === 'signed' && { signed_at: '2026-11-20T20:00:00Z' }),
})
export const signatures: Signature[] = [
  createSignature(41, 7, 'signed'),
  createSignature(42, 21, 'pending'),
  createSignature(43, 99, 'declined'),
  createSignature(44, 22, 'expired'),
]

type Told = [type: TimelineEvent['type'], actor_id: number | null, details?: Record<string, unknown>]
const told: Told[] = [
  ['created', 7],
  ['changed', 7, { fields: ['rent_amount', 'pets_allowed'] }],
  ['changed', 99],
  ['changed', null],
  ['sent', 7, { signer_id: 7 }],
  ['sent', 7, { signer_id: 21 }],
  ['viewed', 21, { signer_id: 21 }],
  ['reminded', null, { signer_id: 21 }],
  ['reissued', 7, { signer_id: 21 }],
  ['cancelled', 7, { signer_id: 21 }],
  ['expired', null, { signer_id: 21 }],
  ['declined', 21, { signer_id: 21, reason: 'Too far\u001b[31m' }],
  ['signed', 7],
  ['activated', null],
  ['document_stored', null],
  ['recorded', null],
  ['renewed', null],
  ['ended', null],
  ['revised', 7],
  ['terminated', 7, { reason: 'Moved' }],
  ['terminated', 7],
  ['completed', 99],
  ['deleted', 7],
]
export const events: TimelineEvent[] = told.map(([type, actor_id, details = {}], index) => ({
  position: index + 1,
  type,
  actor_id,
  actor_name: null,
  details,
  occurred_at: `2026-11-22T18:${10 + index}:00Z`,
  hash: `hash-${index}`,
}))
events[0]!.actor_name = 'Asha R.'

export const webhook: WebhookDelivery = {
  id: 17,
  provider: 'esign',
  request_id: 'request-1',
  document_id: toUuid(41),
  outcome: 'done',
  attempts: 2,
  last_error: null,
  created_at: '2026-11-22T06:00:00Z',
  processed_at: '2026-11-22T06:00:01Z',
  next_attempt_at: null,
}

export const jobs: JobsReport = {
  jobs: [
    { name: 'remind', state: 'failed', runs: 3, newest: '2026-11-22T06:00:00Z' },
    { name: 'expire', state: 'completed', runs: 40, newest: null },
  ],
  failed: [
    { id: toUuid(51), name: 'remind', error: 'The provider is down', failed_at: '2026-11-22T06:00:00Z' },
  ],
  waiting: {
    open_signatures: 3,
    stuck_signatures: 1,
    webhooks: 0,
    cancellations: 2,
    documents: 4,
    reminders: 5,
  },
}

export const invitation: Invitation = {
  id: 61,
  phone_number: '9123456789',
  first_name: 'Ravi',
  last_name: 'Rao',
  email: 'ravi@example.com',
  status: 'open',
  sent_at: '2026-11-22T06:00:00Z',
  expires_at: '2026-12-22T06:00:00Z',
  created_at: '2026-11-22T06:00:00Z',
}

export const sandbox: SandboxState = {
  clock: { now: '2026-11-22T20:15:00Z', offset_ms: 5_400_000 },
  faults: [
    {
      id: toUuid(71),
      provider: 'esign',
      on: 'create',
      behaviour: 'error',
      times: 3,
      delay_ms: null,
      status: 503,
      retry_after_s: 5,
      match: null,
    },
  ],
  held_webhooks: 2,
  signatures: [
    {
      id: toUuid(72),
      request_id: 'request-1',
      document_id: toUuid(41),
      phone: '9123456789',
      name: 'Tara Iyer',
      status: 'pending',
      error: null,
      url: 'http://localhost/sandbox/sign/72',
      valid_until: '2026-11-30T06:00:00Z',
    },
  ],
  checks: [{ id: 'check-1', status: 'CREATED', url: 'http://localhost/sandbox/verify/check-1' }],
}

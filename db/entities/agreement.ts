import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import {
  AgreementStatus,
  BillingCycle,
  Language,
  LateFeeKind,
  LeaseTemplate,
  RentIn,
  type Opening,
} from '@kiraya/sdk/contract'
import { createdAt, numericId, rupees, softDeletion, TextArray, timestamps, uuid } from './columns'
import { PropertyUnit } from './property-unit'
import { User } from './user'

/** Charged with each instalment of the rent. */
export type RecurringCharge = {
  type: 'maintenance' | 'parking' | 'electricity' | 'water' | 'other'
  /** What a person wrote; null if the type says what it is for. */
  description: string | null
  amount: number
}

/**
 * - `landlord_id` is the unit's landlord; `manager_id` its manager at the first signature request.
 * - `revision` counts the draft's changes (an optimistic lock): a party never signs an outdated document.
 * - `signing_order` holds user ids in the order in which they have to sign.
 * - `document_url` is the address of the lease; else `document_sha256` is that of its stored file, which is made of
 *   `document_template`, by its `document_version`, once the lease is sent.
 * - `revises_id` is the agreement that was withdrawn for this one.
 * - `renews_id` is the agreement whose next term this one is.
 * - `recorded_on` is the day on which it was recorded as signed on paper; null if it was signed electronically.
 * - `voided_on` is the day on which what was recorded wrongly was taken back: it is in no report.
 * - `external_ref` is what the landlord calls it in an import: a repetition finds it again.
 * - `reinstatement_asked_by` is the side that asks the other one to undo a termination; null once it is undone.
 * - `late_fee_pauses` are the days, first and last, between a termination and its undoing: they cost no late fee.
 * - `timeline_hash` is the hash of the last entry; `timeline_length` is the number of entries.
 * - `end_notice_days` is how many days before the end the last notice of it was due; null before the first.
 * - `evidence_due_at` is when to store the signed PDFs and the certificate; null if they are stored.
 */
export const Agreement = defineEntity({
  name: 'Agreement',
  tableName: 'agreements',
  filters: softDeletion,
  indexes: [
    { name: 'agreements_landlord', properties: ['landlord_id', 'id'] },
    { name: 'agreements_manager', properties: ['manager_id', 'id'] },
    {
      name: 'agreements_external_ref',
      expression: `create unique index "agreements_external_ref" on "agreements" ("landlord_id", "external_ref") where is_active and external_ref is not null`,
    },
    { name: 'agreements_unit', properties: ['property_unit_id', 'status'] },
    {
      name: 'agreements_document',
      properties: ['landlord_id', 'document_sha256'],
      where: 'document_sha256 is not null',
    },
    { name: 'agreements_pending', properties: ['id'], where: "status = 'PENDING'" },
    {
      name: 'agreements_evidence',
      properties: ['evidence_due_at'],
      where: 'evidence_due_at is not null',
    },
  ],
  checks: [
    { name: 'agreements_rent_due_day_of_month', expression: 'rent_due_day >= 1 and rent_due_day <= 31' },
    { name: 'agreements_tenure', expression: 'tenure_in_months >= 1 and tenure_in_months <= 600' },
    { name: 'agreements_amounts', expression: 'rent_amount > 0 and deposit_amount >= 0 and late_fee >= 0' },
    {
      name: 'agreements_no_overlap',
      expression: `exclude using gist (property_unit_id with =, daterange(agreement_start_date, agreement_end_date, '[]'::text) with &&) where (is_active and (status = any (array['PENDING'::text, 'ACTIVE'::text])))`,
    },
    { name: 'agreements_ends_after_start', expression: 'agreement_end_date > agreement_start_date' },
  ],
  properties: {
    id: numericId(),
    agreement_id: uuid(),
    agreement_number: p.string().length(100),
    document_url: p.text().nullable(),
    document_sha256: p.string().length(64).nullable(),
    document_template: p.enum(LeaseTemplate.enum).nullable(),
    document_language: p.enum(Language.enum).nullable(),
    document_version: p.integer().nullable(),
    property_unit_id: () => p.manyToOne(PropertyUnit).mapToPk().fieldName('property_unit_id'),
    landlord_id: () => p.manyToOne(User).mapToPk().fieldName('landlord_id'),
    manager_id: () => p.manyToOne(User).mapToPk().nullable().fieldName('manager_id'),
    agreement_start_date: p.date(),
    agreement_end_date: p.date(),
    tenure_in_months: p.integer(),
    auto_renew: p.boolean().default(false),
    rent_amount: rupees(),
    deposit_amount: rupees().nullable(),
    rent_due_day: p.integer(),
    notice_period_days: p.integer(),
    status: p.enum(AgreementStatus.enum).default('DRAFT'),
    amenities: p.type(TextArray).nullable(),
    pets_allowed: p.boolean().default(false),
    non_veg_allowed: p.boolean().default(false),
    smoking_allowed: p.boolean().default(false),
    bachelor_allowed: p.boolean().default(false),
    additional_policies: p.text().nullable(),
    improvements: p.text().nullable(),
    signed_date: p.date().nullable(),
    recorded_on: p.date().nullable(),
    voided_on: p.date().nullable(),
    registration_number: p.string().length(100).nullable(),
    stamp_number: p.string().length(100).nullable(),
    termination_date: p.date().nullable(),
    termination_reason: p.text().nullable(),
    reinstatement_asked_by: p.enum(['landlord', 'tenants'] as const).nullable(),
    late_fee_pauses: p.json<{ from: string; to: string }[]>().nullable(),
    payment_terms: p.text().nullable(),
    late_fee: rupees().nullable(),
    billing_cycle: p.enum(BillingCycle.enum).default('calendar_month'),
    rent_in: p.enum(RentIn.enum).default('advance'),
    rent_rounding: p.decimal('number').precision(4).scale(2).$type<0.01 | 1 | 10>().default(0.01),
    late_fee_kind: p.enum(LateFeeKind.enum).default('flat'),
    late_fee_percent: p.decimal('number').precision(5).scale(2).nullable(),
    late_fee_grace_days: p.integer().default(0),
    late_fee_cap: rupees().nullable(),
    escalation_percent: p.decimal('number').precision(5).scale(2).nullable(),
    escalation_every_months: p.integer().nullable(),
    recurring_charges: p.json<RecurringCharge[]>().nullable(),
    signing_order: p.json<number[]>().nullable(),
    clauses: p.type(TextArray).nullable(),
    opening: p.json<Opening>().nullable(),
    internal_notes: p.text().nullable(),
    external_ref: p.string().length(100).nullable(),
    revises_id: () => p.manyToOne(Agreement).mapToPk().nullable().fieldName('revises_id'),
    renews_id: () => p.manyToOne(Agreement).mapToPk().nullable().fieldName('renews_id'),
    revision: p.integer().default(0),
    timeline_length: p.integer().default(0),
    timeline_hash: p.string().length(64).nullable(),
    end_notice_days: p.integer().nullable(),
    evidence_due_at: p.datetime(3).nullable(),
    ...timestamps,
    is_active: p.boolean().default(true),
  },
})
export type Agreement = InferEntity<typeof Agreement>

/** `accepted_at` is when the tenant accepted a lease that was recorded: until then it is no consent of theirs. `objection` is why they object to it. */
export const AgreementTenant = defineEntity({
  name: 'AgreementTenant',
  tableName: 'agreement_tenants',
  uniques: [{ name: 'agreement_tenants_once', properties: ['agreement_id', 'tenant_id'] }],
  indexes: [{ name: 'agreement_tenants_tenant', properties: ['tenant_id', 'agreement_id'] }],
  properties: {
    id: numericId(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    tenant_id: () => p.manyToOne(User).mapToPk().fieldName('tenant_id'),
    accepted_at: p.datetime(3).nullable(),
    objected_at: p.datetime(3).nullable(),
    objection: p.text().nullable(),
  },
})

/**
 * An entry of an agreement's timeline. Each hash covers the one before it, so a change or removal shows.
 * `snapshot` is what the entry fixes of other records, as JSON; `details.snapshot_sha256` covers it. An erasure
 * removes it, and the hashes still hold.
 */
export const TimelineEntry = defineEntity({
  name: 'TimelineEntry',
  tableName: 'timeline_entries',
  uniques: [{ name: 'timeline_entries_position', properties: ['agreement_id', 'position'] }],
  properties: {
    id: numericId(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    position: p.integer(),
    type: p.string().length(30),
    actor_id: () => p.manyToOne(User).mapToPk().nullable().fieldName('actor_id').deleteRule('no action'),
    details: p.json<Record<string, unknown>>(),
    snapshot: p.text().nullable(),
    occurred_at: p.datetime(3),
    hash: p.string().length(64),
  },
})

/** The signed PDF of a provider's request, as downloaded after its last signer has signed. */
export const SignedDocument = defineEntity({
  name: 'SignedDocument',
  tableName: 'signed_documents',
  uniques: [{ name: 'signed_documents_request', properties: ['provider', 'provider_request_id'] }],
  indexes: [{ name: 'signed_documents_agreement', properties: ['agreement_id', 'id'] }],
  properties: {
    id: numericId(),
    agreement_id: () => p.manyToOne(Agreement).mapToPk().fieldName('agreement_id'),
    provider: p.string().length(50),
    provider_request_id: p.string().length(255),
    sha256: p.string().length(64),
    size: p.integer(),
    content: p.blob().lazy(),
    ...createdAt,
  },
})

/** The certificate of an agreement that was signed by all. Once a party is erased, no other record names that party. */
export const AgreementCertificate = defineEntity({
  name: 'AgreementCertificate',
  tableName: 'agreement_certificates',
  properties: {
    agreement_id: () => p.manyToOne(Agreement).mapToPk().primary().fieldName('agreement_id'),
    sha256: p.string().length(64),
    content: p.blob().lazy(),
    ...createdAt,
  },
})

/** The last number that a landlord's agreements used in a year: `AGR-YYYY-NNNNNN`. */
export const AgreementCounter = defineEntity({
  name: 'AgreementCounter',
  tableName: 'agreement_counters',
  properties: {
    landlord_id: () => p.manyToOne(User).mapToPk().primary().fieldName('landlord_id'),
    year: p.integer().primary(),
    last_number: p.integer(),
  },
})

/** The name that a landlord gave to a tenant: for this landlord's lists, and what this landlord has them sign. */
export const TenantContact = defineEntity({
  name: 'TenantContact',
  tableName: 'tenant_contacts',
  indexes: [{ name: 'tenant_contacts_tenant', properties: ['tenant_id'] }],
  properties: {
    landlord_id: () => p.manyToOne(User).mapToPk().primary().fieldName('landlord_id'),
    tenant_id: () => p.manyToOne(User).mapToPk().primary().fieldName('tenant_id'),
    first_name: p.string().length(255).nullable(),
    last_name: p.string().length(255).nullable(),
  },
})

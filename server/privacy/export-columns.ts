import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { Property, Unit, type PersonalData } from '@kiraya/sdk/contract'
import { toIsoTimestamp } from '../../db/database'
import { userColumns } from '../auth/queries'
import type { ColumnsOf } from '../domain/columns'
import { toColumns } from '../domain/fields'
import { maskedPan } from '../domain/pan'

// The column behind each field of the export: a field without one does not compile.

/** An item of a list of the export. */
export type Exported<List extends keyof PersonalData> = PersonalData[List] extends (infer Item)[]
  ? Item
  : never
export type ExportedAgreement = Exported<'agreements'>
export type ExportedSignature = ExportedAgreement['signatures'][number]
export type ExportedDocument = ExportedAgreement['documents'][number]
export type ExportedEvent = ExportedAgreement['timeline'][number]

function timestamp(column: string) {
  return toIsoTimestamp(sql.ref(column))
}

export const accountColumns: ColumnsOf<PersonalData['user']> = {
  ...userColumns,
  pan: maskedPan,
  has_password: sql<boolean>`u.password is not null`,
  last_login_at: timestamp('u.last_login_at'),
  created_at: timestamp('u.created_at'),
  updated_at: timestamp('u.updated_at'),
}

export const otpColumns: ColumnsOf<Exported<'one_time_passwords'>> = {
  asked_at: timestamp('o.created_at'),
  expires_at: timestamp('o.expire_at'),
  wrong_tries: 'o.attempts',
}

export const sessionColumns: ColumnsOf<Exported<'sessions'>> = {
  signed_in_at: timestamp('a.created_at'),
  token_expires_at: timestamp('a.token_expires_at'),
  is_active: 'a.is_active',
}

export const knownNetworkColumns: ColumnsOf<Exported<'known_networks'>> = {
  last_seen_at: timestamp('k.last_seen_at'),
}

export const rateLimitColumns: ColumnsOf<Exported<'counters'>> = {
  key: 'r.key',
  count: 'r.count',
  resets_at: timestamp('r.resets_at'),
}

export const idempotencyKeyColumns: ColumnsOf<Exported<'repeatable_requests'>> = {
  key: 'i.key',
  created_at: timestamp('i.created_at'),
  answer: sql`i.answer -> 'of'`,
}

export const kycRequestColumns: ColumnsOf<Exported<'identity_checks'>> = {
  kyc_request_id: 'k.kyc_request_id',
  provider: 'k.provider',
  provider_request_id: 'k.provider_request_id',
  verification_url: 'k.verification_url',
  status: 'k.status',
  error_code: 'k.error_code',
  error_message: 'k.error_message',
  name: 'k.name',
  masked_aadhaar: 'k.masked_aadhaar',
  expires_at: timestamp('k.expires_at'),
  created_at: timestamp('k.created_at'),
  updated_at: timestamp('k.updated_at'),
}

/** A listing that was removed is not active, even if others are still in the building. */
export const exportedProperty = [
  ...toColumns('properties as p', Type.Omit(Property, ['is_active']), {
    alias_name: sql.ref<string>('p.alias_name'),
    landlord_id: sql.ref<number>('p.landlord_id'),
  }),
  sql<boolean>`p.is_active and p.is_listed`.as('is_active'),
]

/** The landlord's setting, whatever agreements a unit has. */
export const exportedUnit = toColumns('property_units as u', Unit, {
  is_available: sql.ref<boolean>('u.is_available'),
})

export const signatureColumns: ColumnsOf<ExportedSignature> = {
  id: 's.id',
  signature_id: 's.signature_id',
  signer_id: 's.signer_id',
  signer_role: sql<ExportedSignature['signer_role']>`lower(s.signer_role)`,
  status: sql<ExportedSignature['status']>`lower(s.status)`,
  signed_at: timestamp('s.signed_at'),
  expires_at: timestamp('s.expires_at'),
  decline_reason: 's.decline_reason',
  provider: 's.provider',
  provider_request_id: 's.provider_request_id',
  provider_signature_id: 's.provider_signature_id',
  signing_url: 's.signing_url',
  viewed_at: timestamp('s.viewed_at'),
  reminders: 's.reminders',
  next_reminder_at: timestamp('s.next_reminder_at'),
}

export const documentColumns: ColumnsOf<ExportedDocument> = {
  sha256: 'd.sha256',
  size: 'd.size',
  stored_at: timestamp('d.created_at'),
}

export const eventColumns: ColumnsOf<ExportedEvent> = {
  position: 'v.position',
  type: 'v.type',
  actor_id: 'v.actor_id',
  details: 'v.details',
  occurred_at: timestamp('v.occurred_at'),
  hash: 'v.hash',
}

export const exportedRevisionColumns: ColumnsOf<ExportedAgreement['rent_revisions'][number]> = {
  revision_id: 'revision.revision_id',
  rent_amount: 'revision.rent_amount',
  effective_on: 'revision.effective_on',
  source: 'revision.source',
  status: 'revision.status',
  decided_by_id: 'revision.decided_by_id',
  decided_at: timestamp('revision.decided_at'),
  created_at: timestamp('revision.created_at'),
}

export const exportedSettlementColumns: ColumnsOf<ExportedAgreement['deposit_settlements'][number]> = {
  settlement_id: 'settlement.settlement_id',
  deductions: 'settlement.deductions',
  held_amount: 'settlement.held_amount',
  open_rent: 'settlement.open_rent',
  advance_amount: 'settlement.advance_amount',
  refund_amount: 'settlement.refund_amount',
  refund_method: 'settlement.refund_method',
  reference: 'settlement.reference',
  status: 'settlement.status',
  dispute_reason: 'settlement.dispute_reason',
  decided_by_id: 'settlement.decided_by_id',
  decided_at: timestamp('settlement.decided_at'),
  posted_at: timestamp('settlement.posted_at'),
  created_at: timestamp('settlement.created_at'),
}

export const exportedJournalColumns: ColumnsOf<Omit<ExportedAgreement['journals'][number], 'lines'>> = {
  id: 'journal.id',
  position: 'journal.position',
  kind: 'journal.kind',
  effective_on: 'journal.effective_on',
  posted_at: timestamp('journal.posted_at'),
  actor_id: 'journal.actor_id',
  charge_id: 'journal.charge_id',
  payment_id: 'journal.payment_id',
  reverses_id: 'journal.reverses_id',
  reason: 'journal.reason',
  reference: 'journal.reference',
  hash: 'journal.hash',
}

export const namedPersonColumns: ColumnsOf<Exported<'named_people'>> = {
  id: 'person.id',
  phone: 'person.phone',
  first_name: 'c.first_name',
  last_name: 'c.last_name',
}

export const givenNameColumns: ColumnsOf<Exported<'names_given_by_others'>> = {
  first_name: 'c.first_name',
  last_name: 'c.last_name',
}

export const invitationColumns: ColumnsOf<Exported<'invitations'>> = {
  first_name: 'i.first_name',
  last_name: 'i.last_name',
  email: 'i.email',
  sent_at: timestamp('i.sent_at'),
  expires_at: timestamp('i.expires_at'),
  created_at: timestamp('i.created_at'),
}

import type { PersonalData } from '@kiraya/sdk/contract'
import type { Tables } from '../../db/database'
import type {
  Exported,
  ExportedAgreement,
  ExportedDocument,
  ExportedEvent,
  ExportedSignature,
} from './export-columns'

// Holds that the export covers every table and column: one that is neither exported nor left out does not
// compile.

/** The item of the export that shows the rows of each table. */
type ExportedRows = {
  users: PersonalData['user']
  otp_sessions: Exported<'one_time_passwords'>
  auth_sessions: Exported<'sessions'>
  known_networks: Exported<'known_networks'>
  rate_limits: Exported<'counters'>
  idempotency_keys: Exported<'repeatable_requests'>
  kyc_requests: Exported<'identity_checks'>
  properties: Exported<'properties'>
  property_units: Exported<'property_units'>
  agreements: ExportedAgreement
  agreement_signatures: ExportedSignature
  signed_documents: ExportedDocument
  agreement_events: ExportedEvent
  activities: Exported<'activities'>
  tenant_contacts: Exported<'named_people'>
  webhook_deliveries: NotExported
  invitations: Exported<'invitations'>
  agreement_tenants: NotExported
  agreement_certificates: NotExported
  agreement_counters: NotExported
  signing_cancellations: NotExported
  sandbox_records: NotExported
  ledgers: NotExported
  charges: ExportedAgreement['charges'][number]
  payments: ExportedAgreement['payments'][number]
  payment_allocations: NotExported
  journals: ExportedAgreement['journals'][number]
  journal_lines: ExportedAgreement['journals'][number]['lines'][number]
  receipt_counters: NotExported
  rent_revisions: ExportedAgreement['rent_revisions'][number]
  deposit_settlements: ExportedAgreement['deposit_settlements'][number]
}
type NotExported = Record<never, never>

type LeftOutColumns = {
  [Table in keyof Tables]: Record<Exclude<keyof Tables[Table], keyof ExportedRows[Table]>, string>
}

const SECRET = 'signs the user in'
const KEY = 'links the row to the user or agreement that the export lists it under'
const INTERNAL = 'only Kiraya uses it'
const JOB = 'only a background job uses it'
const RENAMED = 'exported under another name'
const CONSTANT = 'the same for every row'
const SIMULATION = 'the sandbox simulates the providers'
const DOWNLOAD = 'downloaded with the agreement'

/** The columns that are not exported under their own name, and why. */
export const leftOutColumns = {
  users: { password: SECRET, pan_last_four: RENAMED, kyc_verified: RENAMED, is_active: CONSTANT },
  otp_sessions: {
    id: INTERNAL,
    phone_number: KEY,
    otp: SECRET,
    attempts: RENAMED,
    attempts_by_network: INTERNAL,
    expire_at: RENAMED,
    created_at: RENAMED,
    updated_at: INTERNAL,
    is_active: CONSTANT,
  },
  auth_sessions: {
    id: INTERNAL,
    sid: SECRET,
    user_id: KEY,
    auth_token: SECRET,
    expires_by: INTERNAL,
    created_at: RENAMED,
    updated_at: INTERNAL,
  },
  known_networks: { user_id: KEY, network_hash: INTERNAL },
  rate_limits: { created_at: INTERNAL },
  idempotency_keys: { user_id: KEY, digest: INTERNAL },
  kyc_requests: { id: INTERNAL, user_id: KEY, next_check_at: JOB },
  properties: { is_listed: RENAMED },
  property_units: {},
  agreements: {
    manager_id: INTERNAL,
    revises_id: RENAMED,
    renews_id: RENAMED,
    revision: INTERNAL,
    timeline_length: INTERNAL,
    timeline_hash: INTERNAL,
    evidence_due_at: JOB,
  },
  agreement_signatures: {
    agreement_id: KEY,
    last_error: JOB,
    next_check_at: JOB,
    created_at: INTERNAL,
    updated_at: INTERNAL,
  },
  signed_documents: {
    id: INTERNAL,
    agreement_id: KEY,
    provider: INTERNAL,
    provider_request_id: INTERNAL,
    content: DOWNLOAD,
    created_at: RENAMED,
  },
  agreement_events: { id: INTERNAL, agreement_id: KEY, snapshot: DOWNLOAD },
  activities: { user_id: KEY },
  tenant_contacts: { landlord_id: KEY, tenant_id: RENAMED },
  webhook_deliveries: {
    id: INTERNAL,
    provider: INTERNAL,
    request_id: KEY,
    digest: INTERNAL,
    document_id: KEY,
    payload: INTERNAL,
    outcome: JOB,
    created_at: INTERNAL,
    attempts: JOB,
    next_attempt_at: JOB,
    last_error: JOB,
    processed_at: JOB,
  },
  invitations: { id: INTERNAL, phone_number: KEY, updated_at: INTERNAL },
  agreement_tenants: { id: INTERNAL, agreement_id: KEY, tenant_id: RENAMED },
  agreement_certificates: { agreement_id: KEY, sha256: DOWNLOAD, content: DOWNLOAD, created_at: DOWNLOAD },
  agreement_counters: { landlord_id: KEY, year: INTERNAL, last_number: INTERNAL },
  signing_cancellations: {
    provider: JOB,
    provider_request_id: JOB,
    agreement_id: KEY,
    due_at: JOB,
    created_at: JOB,
  },
  ledgers: {
    agreement_id: KEY,
    starts_on: INTERNAL,
    length: INTERNAL,
    hash: INTERNAL,
    next_posting_on: JOB,
    deposit_held: INTERNAL,
  },
  charges: { item: INTERNAL, late_fee_on: JOB },
  payments: {
    landlord_id: KEY,
    requested_allocations: RENAMED,
    allows_duplicate: INTERNAL,
    updated_at: INTERNAL,
  },
  payment_allocations: { journal_id: INTERNAL, payment_id: KEY, charge_id: RENAMED, amount: RENAMED },
  journals: { agreement_id: KEY },
  journal_lines: { journal_id: KEY, line: INTERNAL },
  receipt_counters: { landlord_id: KEY, fiscal_year: INTERNAL, last_number: INTERNAL },
  rent_revisions: { id: INTERNAL, agreement_id: KEY },
  deposit_settlements: {
    id: INTERNAL,
    agreement_id: KEY,
    is_replacement: INTERNAL,
    updated_at: INTERNAL,
  },
  sandbox_records: { id: SIMULATION, kind: SIMULATION, data: SIMULATION, created_at: SIMULATION },
} as const satisfies LeftOutColumns

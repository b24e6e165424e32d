import { sql, type Expression, type RawBuilder } from 'kysely'
import type { Tables } from '../../db/database'
import {
  isManagedUnit,
  isOwn,
  isRateLimitKeyOfHash,
  selectReadableAgreementIds,
  selectRequestIds,
  selectUnitRequestIds,
} from './ownership'

/** A person in a query. */
export type Person = {
  id: Expression<number>
  phone: Expression<string>
  phoneHash: Expression<string>
}
/** Whether a row of the table, `t`, is the person's. */
type IsOwn = (person: Person) => RawBuilder<boolean>
/** What an erasure does with the person's rows. */
type Fate<Column> = 'unchanged' | 'deleted' | 'by hand' | { cleared: readonly Column[] }

export type PersonalTable<Column = string> = {
  isOwn: IsOwn
  /** Groups the rows for reading, `id` by default. */
  key?: Column
  /** The columns that an export omits: secrets, documents, and what names others. */
  omitted: readonly Column[] | 'all'
  /** The columns that are empty in an export of another than the row's landlord. */
  landlordOnly?: readonly Column[]
  atErasure: Fate<Column>
}
type TableRules = { [T in keyof Tables]: PersonalTable<keyof Tables[T]> | 'impersonal' }

const isColumn =
  (column: string): IsOwn =>
  ({ id }) =>
    sql`${sql.ref(`t.${column}`)} = ${id}`
const isPhone: IsOwn = ({ phone }) => sql`t.phone_number = ${phone}`
const isOfAgreement: IsOwn = ({ id }) => sql`t.agreement_id = any (array(${selectReadableAgreementIds(id)}))`
const isOfJournal: IsOwn = ({ id }) => sql`t.journal_id = any (array(
  select journals.id from journals where journals.agreement_id = any (array(${selectReadableAgreementIds(id)}))
))`

const isOfRequest: IsOwn = ({ id }) => sql`t.maintenance_request_id = any (array(${selectRequestIds(id)}))`
const isOfUnitRequest: IsOwn = ({ id }) =>
  sql`t.maintenance_request_id = any (array(${selectUnitRequestIds(id)}))`

const counters = { isOwn: isColumn('landlord_id'), key: 'landlord_id', omitted: [] } as const
const agreementRows = { isOwn: isOfAgreement, omitted: [], atErasure: 'unchanged' } as const

/** Of each table: what of it is a person's, what an export omits, and what an erasure does with it. */
export const tables = {
  users: { isOwn: isColumn('id'), omitted: ['password', 'pan'], atErasure: 'by hand' },
  otp_sessions: { isOwn: isPhone, omitted: ['otp', 'attempts_by_network'], atErasure: 'deleted' },
  auth_sessions: { isOwn: isColumn('user_id'), omitted: ['sid', 'auth_token'], atErasure: 'deleted' },
  // They stay until their window ends: an erasure gives no new tries.
  rate_limits: {
    isOwn: ({ phoneHash }) => isRateLimitKeyOfHash('t.key', phoneHash),
    key: 'key',
    omitted: [],
    atErasure: 'unchanged',
  },
  idempotency_keys: { isOwn: isColumn('user_id'), key: 'key', omitted: ['digest'], atErasure: 'deleted' },
  // Only the outcome of a check stays; an open one has failed.
  kyc_requests: {
    isOwn: isColumn('user_id'),
    omitted: ['next_check_at'],
    atErasure: {
      cleared: [
        'provider_request_id',
        'verification_url',
        'error_code',
        'error_message',
        'name',
        'masked_aadhaar',
      ],
    },
  },
  properties: { isOwn: isColumn('landlord_id'), omitted: [], atErasure: 'by hand' },
  // A deleted unit that was only managed is its landlord's alone.
  property_units: {
    isOwn: ({ id }) => sql`(${isOwn('t', id)} or ${isManagedUnit('t', id)} and t.is_active)`,
    omitted: [],
    atErasure: 'by hand',
  },
  agreements: {
    isOwn: ({ id }) => sql`t.id = any (array(${selectReadableAgreementIds(id)}))`,
    omitted: ['revision', 'timeline_length', 'timeline_hash', 'end_notice_days'],
    landlordOnly: ['internal_notes', 'external_ref'],
    atErasure: 'by hand',
  },
  agreement_tenants: { ...agreementRows, atErasure: 'by hand' },
  agreement_counters: { ...counters, atErasure: 'deleted' },
  // Names that others gave the person come without those who gave them.
  tenant_contacts: {
    isOwn: ({ id }) => sql`(t.landlord_id = ${id} or t.tenant_id = ${id})`,
    key: 'tenant_id',
    omitted: ['landlord_id'],
    atErasure: 'deleted',
  },
  timeline_entries: { isOwn: isOfAgreement, omitted: ['snapshot'], atErasure: 'by hand' },
  signed_documents: { ...agreementRows, omitted: ['provider', 'provider_request_id', 'content'] },
  agreement_certificates: { ...agreementRows, key: 'agreement_id', omitted: ['content'] },
  agreement_signatures: {
    isOwn: isColumn('signer_id'),
    omitted: ['document_key', 'last_error', 'next_check_at'],
    atErasure: { cleared: ['signing_url', 'document_key', 'next_reminder_at'] },
  },
  signing_cancellations: 'impersonal',
  ledgers: { ...agreementRows, key: 'agreement_id' },
  charges: agreementRows,
  payments: agreementRows,
  refunds: agreementRows,
  payment_allocations: { ...agreementRows, isOwn: isOfJournal, key: 'journal_id' },
  journals: agreementRows,
  journal_lines: { ...agreementRows, isOwn: isOfJournal, key: 'journal_id' },
  receipt_counters: { ...counters, atErasure: 'unchanged' },
  rent_revisions: agreementRows,
  deposit_settlements: agreementRows,
  maintenance_requests: {
    isOwn: ({ id }) => sql`t.id = any (array(${selectRequestIds(id)}))`,
    omitted: [],
    atErasure: 'by hand',
  },
  // Tenants do not read the internal comments of the landlord's side.
  maintenance_entries: {
    isOwn: person => sql`(
      t.created_by_id = ${person.id} or ${isOfUnitRequest(person)} or not t.is_internal and ${isOfRequest(person)}
    )`,
    omitted: [],
    atErasure: 'by hand',
  },
  maintenance_attachments: { isOwn: isOfRequest, omitted: [], atErasure: 'by hand' },
  // They are deleted with their attachments.
  maintenance_files: 'impersonal',
  messages_out: {
    isOwn: isColumn('user_id'),
    omitted: ['landlord_id', 'dedupe_key', 'due_at'],
    atErasure: 'deleted',
  },
  // Those of signed leases stay as these do.
  stored_files: {
    isOwn: isColumn('landlord_id'),
    key: 'sha256',
    omitted: ['content'],
    atErasure: 'by hand',
  },
  activities: { isOwn: isColumn('user_id'), omitted: [], atErasure: 'by hand' },
  received_webhooks: 'impersonal',
  invitations: { isOwn: isPhone, omitted: [], atErasure: 'deleted' },
  // The sandbox stores its messages and checks. Its documents contain no phone numbers.
  sandbox_records: {
    isOwn: ({ phone }) => sql`(t.kind <> 'content' and strpos(t.data::text, ${phone}) > 0)`,
    omitted: 'all',
    atErasure: 'deleted',
  },
} satisfies TableRules

/** Lists the tables that have rows of people. */
export function listPersonalTables() {
  const rules = Object.entries(tables as TableRules) as [keyof Tables, PersonalTable | 'impersonal'][]
  return rules.flatMap(([name, table]) => (table === 'impersonal' ? [] : [{ name, ...table }]))
}

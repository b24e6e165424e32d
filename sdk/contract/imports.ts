import { Type, type Static, type TProperties } from '@sinclair/typebox'
import { NewAgreement, NewOpening, RecordInput, Warning } from './agreements.ts'
import {
  CalendarDate,
  defaulted,
  described,
  field,
  maybe,
  nullable,
  optional,
  paragraphs,
  PhoneNumber,
  response,
  Rupees,
  stringEnum,
  text,
} from './common.ts'
import { PaymentMethod } from './payments.ts'
import { NewProperty } from './properties.ts'
import { NewUnit } from './units.ts'

/** `name` completes "an array of 1 to 500 …". */
const rows = <P extends TProperties>(row: ReturnType<typeof Type.Object<P>>, name: string) =>
  Type.Array(row, { minItems: 1, maxItems: 500, description: `an array of 1 to 500 ${name}` })

const dry_run = defaulted(Type.Boolean(), false, 'Only checks the rows and says what would come of them')

export const LeaseTenant = described('A tenant of a row, by phone number.', {
  phone_number: field(PhoneNumber, '10 digits, the first of them 6 to 9'),
  first_name: optional(text(255), 'Without one the name given before stays'),
  last_name: optional(text(255), 'Without one the name given before stays'),
})
export type LeaseTenant = Static<typeof LeaseTenant>

const { alias_name: _, ...property } = Type.Omit(NewProperty, ['property_units']).properties
export const LeaseProperty = described(
  "The property of a row: that of the caller's own with this name and PIN code, which stays as it is, or a new one.",
  { alias_name: field(text(255), "The landlord's own name for it"), ...property },
)
export type LeaseProperty = Static<typeof LeaseProperty>

export const LeaseUnit = Type.Omit(NewUnit, ['managed_by_id'], {
  text: 'The unit of a row: that of the property with this name, which stays as it is, or a new one.',
})
export type LeaseUnit = Static<typeof LeaseUnit>

export const LeaseTerms = Type.Omit(
  NewAgreement,
  [
    'property_unit_id',
    'tenant_ids',
    'document',
    'document_url',
    'signing_order',
    'opening',
    'internal_notes',
  ],
  { text: 'The terms of a row, as those of a draft.' },
)
export type LeaseTerms = Static<typeof LeaseTerms>

export const LeaseRow = described('A lease that people have.', {
  external_ref: field(
    text(100),
    'What the landlord calls it, or its UUID: a repetition finds the lease again by it',
  ),
  property: LeaseProperty,
  unit: LeaseUnit,
  manager_phone: optional(PhoneNumber, 'The manager of a new unit; without one the landlord manages it'),
  tenants: field(
    Type.Array(LeaseTenant, { minItems: 1, maxItems: 100, description: 'an array of 1 to 100 tenants' }),
    'The first one pays the advance of an opening',
  ),
  terms: LeaseTerms,
  opening: optional(NewOpening, 'Needed if the lease began more than 12 months ago'),
  paper: optional(
    Type.Omit(RecordInput, ['opening']),
    'Its signature on paper, which makes it ACTIVE; without one it stays a DRAFT',
  ),
  internal_notes: optional(paragraphs(5000), "Notes that the landlord's side alone reads"),
})
export type LeaseRow = Static<typeof LeaseRow>

export const LeaseImport = described('Leases to import, all of them or none.', {
  rows: field(rows(LeaseRow, 'leases'), 'A row for each lease'),
  dry_run,
  notify: defaulted(Type.Boolean(), true, 'Whether the tenants of leases that become ACTIVE are told'),
})
export type LeaseImport = Static<typeof LeaseImport>

const outcome = field(
  stringEnum('created', 'kept', 'changed'),
  'Whether the row made a record, found it as it is, or changed it',
)
const counts = {
  created: field(Type.Integer(), 'How many rows made a record'),
  kept: field(Type.Integer(), 'How many found one that needed no change'),
  changed: field(Type.Integer(), 'How many changed one'),
  dry_run: field(Type.Boolean(), 'True: nothing was written'),
}
const row = field(Type.Integer(), 'Its position in the request, from 0')
const created = (text: string) => field(nullable(Type.Integer()), `${text}; null of a new one in a dry run`)

export const ImportedLease = described('What came of a row.', {
  row,
  external_ref: field(Type.String(), 'As it was given'),
  outcome,
  property_id: created("The property's number"),
  property_unit_id: created("The unit's number"),
  agreement_id: created("The agreement's number"),
  agreement_number: field(
    nullable(Type.String()),
    'The number that people read; null of a new one in a dry run',
  ),
  warnings: maybe(Type.Array(Warning), 'Absent if there are none'),
})
export type ImportedLease = Static<typeof ImportedLease>
export const LeaseImportResult = described('What came of an import of leases.', {
  ...counts,
  rows: field(Type.Array(ImportedLease), 'In the order of the request'),
})
export type LeaseImportResult = Static<typeof LeaseImportResult>
export const LeaseImportResponse = response(LeaseImportResult)

export const PaymentRow = described('A payment that a tenant made.', {
  external_ref: optional(
    text(100),
    'What the landlord calls it; without one the lease, date, amount, method and reference, and how many such rows ' +
      'stand before it',
  ),
  lease: field(
    text(100),
    'The lease: its `external_ref`, its number that people read, its number or its UUID',
  ),
  paid_on: field(CalendarDate, 'YYYY-MM-DD, today (Asia/Kolkata) or earlier, after the opening of the lease'),
  amount: field(Rupees, 'Indian rupees that were paid; 0 only beside `tds_amount`'),
  method: field(PaymentMethod, 'How it was paid; a cheque counts as cleared'),
  reference: optional(text(100), 'The UTR of a transfer or the number of a cheque; a cheque needs one'),
  tds_amount: defaulted(Rupees, 0, 'Indian rupees that the tenant withheld as tax (TDS)'),
  payer_phone: optional(PhoneNumber, 'The tenant who paid; not needed of a single tenant'),
})
export type PaymentRow = Static<typeof PaymentRow>

export const PaymentImport = described('Payments to import, all of them or none.', {
  rows: field(rows(PaymentRow, 'payments'), 'A row for each payment'),
  dry_run,
})
export type PaymentImport = Static<typeof PaymentImport>

export const ImportedPayment = described('What came of a row.', {
  row,
  external_ref: field(Type.String(), 'As it was given, or as it follows from the row'),
  outcome,
  payment_id: created("The payment's number"),
  receipt_number: field(
    nullable(Type.String()),
    'Such as `RCT-2026-27-000001`; null of a new one in a dry run',
  ),
})
export type ImportedPayment = Static<typeof ImportedPayment>
export const PaymentImportResult = described('What came of an import of payments.', {
  ...counts,
  rows: field(Type.Array(ImportedPayment), 'In the order of the request'),
})
export type PaymentImportResult = Static<typeof PaymentImportResult>
export const PaymentImportResponse = response(PaymentImportResult)

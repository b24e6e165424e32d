import { Type, type Static } from '@sinclair/typebox'
import {
  CalendarDate,
  described,
  DocumentLanguageQuery,
  field,
  FiscalYear,
  maybe,
  nullable,
  paper_accepted_on,
  reference,
  response,
  stringEnum,
  YearFilter,
} from './common.ts'

export const StatementDays = described(
  'The days of a statement: a year, or a first and a last day. Without them it is the whole account.',
  {
    from: maybe(CalendarDate, 'The first day, YYYY-MM-DD'),
    to: maybe(CalendarDate, 'The last day, YYYY-MM-DD'),
    year: maybe(FiscalYear, 'From April to March, such as `2026-27`, instead of days'),
  },
)
export type StatementDays = Static<typeof StatementDays>
export const StatementQuery = described('The days of a statement, and whether to check its postings.', {
  ...StatementDays.properties,
  verify: maybe(Type.Boolean(), 'Whether to check all postings of the lease, which `is_intact` then tells'),
})
export type StatementQuery = Static<typeof StatementQuery>

export const StatementDocumentQuery = described(
  'The days of a statement, and the language of its document.',
  { ...StatementDays.properties, ...DocumentLanguageQuery.properties },
)
export type StatementDocumentQuery = Static<typeof StatementDocumentQuery>

export const StatementLineKind = field(
  stringEnum('charge', 'credit', 'payment', 'refund', 'settlement', 'transfer', 'opening', 'reversal'),
  'What an entry of an account is: a `transfer` takes an advance to the renewal, an `opening` one over from before the ' +
    'books, a `reversal` takes another entry back.',
)
export type StatementLineKind = Static<typeof StatementLineKind>

export const StatementLine = described(
  'One posting: a debit raises what the tenants owe, a credit lowers it. Amounts are rupees.',
  {
    date: field(Type.String(), 'YYYY-MM-DD'),
    kind: field(StatementLineKind, 'What it is'),
    description: field(Type.String(), 'What it is for, in the language of `Accept-Language`'),
    charge_id: field(nullable(Type.Integer()), "The charge's number, if it is about one"),
    payment_id: field(nullable(Type.Integer()), "The payment's number, if it is about one"),
    debit: field(Type.Number(), 'Indian rupees that became due'),
    credit: field(Type.Number(), 'Indian rupees that were paid or credited'),
    balance: field(Type.Number(), 'Indian rupees that the tenants owe after it; below zero an advance'),
  },
)
export type StatementLine = Static<typeof StatementLine>

export const StatementDeposit = described('The deposit of a lease, in rupees.', {
  agreed: field(Type.Number(), 'What the lease says'),
  paid: field(Type.Number(), 'What the tenants paid of it'),
  held: field(Type.Number(), 'What the landlord holds'),
})
export type StatementDeposit = Static<typeof StatementDeposit>
const StatementSettlement = described('How the deposit was settled.', {
  posted_on: field(Type.String(), 'The day of the settlement, YYYY-MM-DD'),
  paper_accepted_on,
  unanswered: field(Type.Boolean(), 'Whether no tenant had answered it'),
})
export const Statement = described(
  "The tenants' account under a lease, in rupees. A balance is what they owe: what is outstanding less their " +
    'advance, so it is below zero while the advance is larger.',
  {
    agreement_id: field(Type.Integer(), "The agreement's number"),
    agreement_number: field(Type.String(), 'The number by which its parties know the agreement'),
    from: field(Type.String(), 'The first day, YYYY-MM-DD'),
    to: field(Type.String(), 'The last day, YYYY-MM-DD'),
    opening_balance: field(Type.Number(), 'What the tenants owed before the first day'),
    lines: field(Type.Array(StatementLine), 'The entries in their order'),
    total_debit: field(Type.Number(), 'What became due'),
    total_credit: field(Type.Number(), 'What was paid or credited'),
    closing_balance: field(Type.Number(), 'What the tenants owe at the end'),
    deposit: field(StatementDeposit, 'The deposit at the end'),
    settlement: maybe(StatementSettlement, 'Its settlement, once it is posted'),
    is_intact: maybe(
      Type.Boolean(),
      'With `verify`: false if a posting was changed or removed, or payments differ',
    ),
  },
)
export type Statement = Static<typeof Statement>
export const StatementResponse = response(Statement)

export const RentProofQuery = described('Whose rent of which year a proof is of.', {
  year: YearFilter,
  payer_id: maybe(
    reference('user'),
    "The tenant's user number; the landlord's side needs it if there are several tenants",
  ),
})
export type RentProofQuery = Static<typeof RentProofQuery>
export const RentProofDocumentQuery = described('Whose rent of which year a proof is of, and its language.', {
  ...RentProofQuery.properties,
  ...DocumentLanguageQuery.properties,
})
export type RentProofDocumentQuery = Static<typeof RentProofDocumentQuery>

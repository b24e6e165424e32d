import { Type, type Static } from '@sinclair/typebox'
import { AgreementStatus } from './agreements.ts'
import {
  CalendarDate,
  described,
  DocumentLanguageQuery,
  field,
  maybe,
  Month,
  nullable,
  response,
  stringEnum,
  YearFilter,
} from './common.ts'
import { NamedPerson } from './named.ts'
import { StatementLineKind } from './statements.ts'

export const BookSummaryQuery = described('The days on which charges fall due.', {
  from: maybe(CalendarDate, 'The first day on which charges fall due; that of the present month without one'),
  to: maybe(CalendarDate, 'The last day on which charges fall due; that of the present month without one'),
})
export type BookSummaryQuery = Static<typeof BookSummaryQuery>

const sums = {
  charged: field(Type.Number(), 'What fell due'),
  credited: field(Type.Number(), 'What need not be paid of it'),
  paid: field(Type.Number(), 'What payments and deposits settled of it'),
  outstanding: field(Type.Number(), 'What is still owed of it'),
  received: field(
    Type.Number(),
    'Payments of the time, with the tax that was withheld, without advances of a lease before',
  ),
}
export const BookMonth = described(
  '`charged` is what fell due in the month: the sum of what was credited, paid and is outstanding of it ' +
    'today.',
  { month: field(Type.String(), 'YYYY-MM'), ...sums },
)
export type BookMonth = Static<typeof BookMonth>

export const BookBalances = described('What the ledgers hold now, in rupees.', {
  outstanding: field(Type.Number(), 'What tenants owe'),
  overdue: field(Type.Number(), 'The part of it that is past its due date'),
  advances: field(Type.Number(), 'What tenants paid in advance'),
  deposits_held: field(Type.Number(), 'Deposits that have to be settled some day'),
})
export type BookBalances = Static<typeof BookBalances>
export const BookSummary = described(
  "The books of all leases of the landlord's side, in rupees: by month, and their sums.",
  {
    from: field(Type.String(), 'The first day, YYYY-MM-DD'),
    to: field(Type.String(), 'The last day, YYYY-MM-DD'),
    months: field(Type.Array(BookMonth), 'Months without anything are left out'),
    ...sums,
    balances: field(BookBalances, 'What the ledgers hold now'),
  },
)
export type BookSummary = Static<typeof BookSummary>
export const BookSummaryResponse = response(BookSummary)

export const RentRollQuery = described('The month of a rent roll.', {
  month: maybe(Month, 'YYYY-MM; the present month without one'),
})
export type RentRollQuery = Static<typeof RentRollQuery>

const unit = {
  property_unit_id: field(Type.Integer(), "The unit's number"),
  property_name: field(Type.String(), 'The alias of its property'),
  unit_name: field(Type.String(), "The unit's name"),
}
export const RentRollRow = described(
  'A lease of a unit in the month, without its deposit; a vacant unit has none.',
  {
    ...unit,
    agreement_id: field(nullable(Type.Integer()), "The agreement's number; null for a vacant unit"),
    agreement_number: field(nullable(Type.String()), 'Such as `AGR-2026-000001`; null for a vacant unit'),
    tenants: field(Type.Array(NamedPerson), 'Empty for a vacant unit'),
    rent: field(nullable(Type.Number()), 'The rent of a whole month, in force on its last day'),
    charged: field(Type.Number(), 'What fell due, less what was credited'),
    paid: field(Type.Number(), 'What was paid of it'),
    outstanding: field(Type.Number(), 'What is still owed of it'),
  },
)
export type RentRollRow = Static<typeof RentRollRow>
export const RentRoll = described('The units with their rents of a month, and the sums in rupees.', {
  month: field(Type.String(), 'YYYY-MM'),
  rows: field(Type.Array(RentRollRow), 'A unit with two leases in the month has two rows'),
  rent: field(Type.Number(), 'The sum of the rents'),
  charged: field(Type.Number(), 'The sum of what fell due'),
  paid: field(Type.Number(), 'The sum of what was paid of it'),
  outstanding: field(Type.Number(), 'The sum of what is still owed of it'),
})
export type RentRoll = Static<typeof RentRoll>
export const RentRollResponse = response(RentRoll)

const ages = {
  days_0_30: field(Type.Number(), 'Due today, or up to 30 days ago'),
  days_31_60: field(Type.Number(), '31 to 60 days ago'),
  days_61_90: field(Type.Number(), '61 to 90 days ago'),
  days_over_90: field(Type.Number(), 'More than 90 days ago'),
  total: field(Type.Number(), 'All of it'),
}
export const ArrearsRow = described(
  'What is outstanding of a lease, by the days since it fell due; what is due today counts too.',
  {
    agreement_id: field(Type.Integer(), "The agreement's number"),
    agreement_number: field(Type.String(), 'Such as `AGR-2026-000001`'),
    ...unit,
    tenants: field(Type.Array(NamedPerson), 'They owe it together'),
    ...ages,
  },
)
export type ArrearsRow = Static<typeof ArrearsRow>
export const Arrears = described('What is outstanding and due, the largest sums first, in rupees.', {
  as_of: field(Type.String(), 'YYYY-MM-DD'),
  rows: field(Type.Array(ArrearsRow), 'By lease'),
  ...ages,
})
export type Arrears = Static<typeof Arrears>
export const ArrearsResponse = response(Arrears)

export const ExpiringLeasesQuery = described('How far ahead leases are listed.', {
  days: maybe(Type.Integer({ minimum: 1, maximum: 366, default: 60 }), 'Leases that end within so many days'),
})
export type ExpiringLeasesQuery = Static<typeof ExpiringLeasesQuery>

export const ExpiringLease = described('An ACTIVE lease whose last day is near.', {
  agreement_id: field(Type.Integer(), "The agreement's number"),
  agreement_number: field(Type.String(), 'Such as `AGR-2026-000001`'),
  ...unit,
  tenants: field(Type.Array(NamedPerson), 'All of them'),
  agreement_end_date: field(Type.String(), 'The last day, YYYY-MM-DD'),
  auto_renew: field(Type.Boolean(), 'Whether another tenure follows by itself'),
  renewal_id: field(nullable(Type.Integer()), 'The agreement for the next term, if one is drawn up'),
  renewal_status: field(nullable(AgreementStatus), 'Where that agreement stands'),
  rent: field(Type.Number(), 'The rent of a whole month, in force today'),
})
export type ExpiringLease = Static<typeof ExpiringLease>
export const ExpiringLeases = described('The ACTIVE leases that end soon, the soonest first.', {
  as_of: field(Type.String(), 'Today, YYYY-MM-DD'),
  to: field(Type.String(), 'The last day that is looked at, YYYY-MM-DD'),
  rows: field(Type.Array(ExpiringLease), 'By lease'),
})
export type ExpiringLeases = Static<typeof ExpiringLeases>
export const ExpiringLeasesResponse = response(ExpiringLeases)

export const AnnualBooksQuery = described('The year of a report.', { year: YearFilter })
export type AnnualBooksQuery = Static<typeof AnnualBooksQuery>
export const AnnualBooksFormQuery = Type.Object({
  ...AnnualBooksQuery.properties,
  format: maybe(stringEnum('json', 'pdf'), '`pdf` is the same as a document; JSON without it'),
  ...DocumentLanguageQuery.properties,
})

export const yearlySums = {
  rent_due: field(Type.Number(), 'Rent that fell due in the year until today, less what was credited'),
  rent_received: field(
    Type.Number(),
    'Rent that was settled in the year, by payments with the tax that was withheld, and by deposits',
  ),
  received: field(Type.Number(), 'Money that came in: payments that stand, by the day of the payment'),
  tds: field(Type.Number(), 'The tax that tenants withheld, in the year of the rent'),
  for_others: field(Type.Number(), 'Charges beside rents and deposits that were settled in the year'),
  advances: field(Type.Number(), 'By how much advances grew; below 0 if those of earlier years were used'),
  refunded: field(Type.Number(), 'Advances that went back'),
  for_deposits: field(Type.Number(), 'Deposits that were received'),
  from_deposit: field(Type.Number(), 'What settlements of deposits settled'),
  deposits_held: field(
    Type.Number(),
    "The deposits that were held on the year's last day, or today in a year that is not over",
  ),
  moved: field(
    Type.Number(),
    'Deposits and advances that moved from a lease to its renewal; no sum of payments counts them',
  ),
}
export const AnnualBooksRow = described('What a unit brought in.', { ...unit, ...yearlySums })
export type AnnualBooksRow = Static<typeof AnnualBooksRow>

export const BookChange = described(
  'A posting after the end of a year that changes what its books say. Amounts are rupees, below 0 if they lower it.',
  {
    changed_on: field(Type.String(), 'The day of the posting, YYYY-MM-DD'),
    counts_on: field(Type.String(), 'The day on which it counts, such as that of the payment, YYYY-MM-DD'),
    kind: field(StatementLineKind, 'What it is'),
    ...unit,
    agreement_id: field(Type.Integer(), "The agreement's number"),
    agreement_number: field(Type.String(), 'Such as `AGR-2026-000001`'),
    charge_id: field(nullable(Type.Integer()), "The charge's number, if it is about one"),
    payment_id: field(nullable(Type.Integer()), "The payment's number, if it is about one"),
    receipt_number: field(nullable(Type.String()), "The number of the payment's receipt, if it has one"),
    amount: field(Type.Number(), 'Rent that became due, or money that came in, in the year'),
    tds_amount: field(Type.Number(), 'Tax of the year that was withheld'),
  },
)
export type BookChange = Static<typeof BookChange>
export const AnnualBooks = described(
  'What the units brought in, as it is known today, and the sums in rupees. What was taken back counts on the day of ' +
    'what it takes back, a refund on its own day.',
  {
    year: field(Type.String(), 'From April to March, such as `2026-27`'),
    as_of: field(Type.String(), 'Today, YYYY-MM-DD'),
    rows: field(Type.Array(AnnualBooksRow), 'Units without anything are left out'),
    ...yearlySums,
    changes: field(Type.Array(BookChange), 'What people changed since the year ended, the oldest first'),
  },
)
export type AnnualBooks = Static<typeof AnnualBooks>
export const AnnualBooksResponse = response(AnnualBooks)

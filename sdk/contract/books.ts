import { Type, type Static } from '@sinclair/typebox'
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
  received: field(Type.Number(), 'Payments of the time, with the tax that was withheld'),
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
export const RollTenant = described('A tenant of a report.', {
  id: field(Type.Integer(), "The user's number"),
  name: field(nullable(Type.String()), 'Null once their account is erased'),
})
export type RollTenant = Static<typeof RollTenant>

export const RentRollRow = described(
  'A lease of a unit in the month, without its deposit; a vacant unit has none.',
  {
    ...unit,
    agreement_id: field(nullable(Type.Integer()), "The agreement's number; null for a vacant unit"),
    agreement_number: field(nullable(Type.String()), 'Such as `AGR-2026-000001`; null for a vacant unit'),
    tenants: field(Type.Array(RollTenant), 'Empty for a vacant unit'),
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
    tenants: field(Type.Array(RollTenant), 'They owe it together'),
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

export const AnnualBooksQuery = described('The year of a report.', { year: YearFilter })
export type AnnualBooksQuery = Static<typeof AnnualBooksQuery>
export const AnnualBooksFormQuery = Type.Object({
  ...AnnualBooksQuery.properties,
  format: maybe(stringEnum('json', 'pdf'), '`pdf` is the same as a document; JSON without it'),
  ...DocumentLanguageQuery.properties,
})

export const yearlySums = {
  received: field(
    Type.Number(),
    'Payments of the year, without the tax that was withheld, less those that were taken back in it',
  ),
  tds: field(Type.Number(), 'The tax that tenants withheld, less what was taken back'),
  from_deposit: field(Type.Number(), 'What settlements of deposits settled'),
  for_rent: field(Type.Number(), 'What of the three settled rent'),
  for_deposits: field(Type.Number(), 'What of them settled deposits'),
  for_others: field(Type.Number(), 'What of them settled other charges'),
  refunded: field(Type.Number(), 'Advances that went back'),
  advances: field(Type.Number(), 'By how much advances grew; below 0 if those of earlier years were used'),
  deposits_held: field(
    Type.Number(),
    "The deposits that were held on the year's last day, or today in a year that is not over",
  ),
}
export const AnnualBooksRow = described('What a unit brought in.', { ...unit, ...yearlySums })
export type AnnualBooksRow = Static<typeof AnnualBooksRow>
export const AnnualBooks = described(
  'What the units brought in by the days of the postings, and the sums in rupees: `received`, `tds` and ' +
    '`from_deposit` are together the other sums but `deposits_held`.',
  {
    year: field(Type.String(), 'From April to March, such as `2026-27`'),
    rows: field(Type.Array(AnnualBooksRow), 'Units without anything are left out'),
    ...yearlySums,
  },
)
export type AnnualBooks = Static<typeof AnnualBooks>
export const AnnualBooksResponse = response(AnnualBooks)

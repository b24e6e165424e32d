import { Type, type Static } from '@sinclair/typebox'
import { CalendarDate, FiscalYear, Month, Nullable, StringEnum } from './common.ts'

/** The days on which charges fall due; the present month unless they are given. */
export const BookSummaryQuery = Type.Object({
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
})
export type BookSummaryQuery = Static<typeof BookSummaryQuery>

const charged = {
  charged: Type.Number(),
  credited: Type.Number(),
  paid: Type.Number(),
  outstanding: Type.Number(),
}
/** `charged` is what fell due in the month: the sum of what was credited, paid and is outstanding of it today. */
export const BookMonth = Type.Object({
  month: Type.String(),
  ...charged,
  /** Payments of the month, with the tax that was withheld. */
  received: Type.Number(),
})
export type BookMonth = Static<typeof BookMonth>

/**
 * The books of all leases of the landlord's side, in rupees. The period has `months` and their sums; `balances` are
 * those of the ledgers now: what is outstanding in all, the part of it that is past its due date, the advances of
 * tenants, and the deposits that are held.
 */
export const BookSummary = Type.Object({
  from: Type.String(),
  to: Type.String(),
  months: Type.Array(BookMonth),
  ...charged,
  received: Type.Number(),
  balances: Type.Object({
    outstanding: Type.Number(),
    overdue: Type.Number(),
    advances: Type.Number(),
    deposits_held: Type.Number(),
  }),
})
export type BookSummary = Static<typeof BookSummary>
export const BookSummaryResponse = Type.Object({ message: Type.String(), data: BookSummary })

export const RentRollQuery = Type.Object({ month: Type.Optional(Month) })
export type RentRollQuery = Static<typeof RentRollQuery>

const unit = {
  property_unit_id: Type.Integer(),
  property_name: Type.String(),
  unit_name: Type.String(),
}
export const RollTenant = Type.Object({ id: Type.Integer(), name: Nullable(Type.String()) })
export type RollTenant = Static<typeof RollTenant>

/** A lease of a unit in the month, without its deposit; a vacant unit has none. `charged` is less what was credited. */
export const RentRollRow = Type.Object({
  ...unit,
  agreement_id: Nullable(Type.Integer()),
  agreement_number: Nullable(Type.String()),
  tenants: Type.Array(RollTenant),
  /** The rent of a whole month, in force on its last day. */
  rent: Nullable(Type.Number()),
  charged: Type.Number(),
  paid: Type.Number(),
  outstanding: Type.Number(),
})
export type RentRollRow = Static<typeof RentRollRow>
export const RentRoll = Type.Object({
  month: Type.String(),
  rows: Type.Array(RentRollRow),
  rent: Type.Number(),
  charged: Type.Number(),
  paid: Type.Number(),
  outstanding: Type.Number(),
})
export type RentRoll = Static<typeof RentRoll>
export const RentRollResponse = Type.Object({ message: Type.String(), data: RentRoll })

const ages = {
  days_0_30: Type.Number(),
  days_31_60: Type.Number(),
  days_61_90: Type.Number(),
  days_over_90: Type.Number(),
  total: Type.Number(),
}
/** What is outstanding of a lease, by the days since it fell due; what is due today counts too. */
export const ArrearsRow = Type.Object({
  agreement_id: Type.Integer(),
  agreement_number: Type.String(),
  ...unit,
  tenants: Type.Array(RollTenant),
  ...ages,
})
export type ArrearsRow = Static<typeof ArrearsRow>
export const Arrears = Type.Object({ as_of: Type.String(), rows: Type.Array(ArrearsRow), ...ages })
export type Arrears = Static<typeof Arrears>
export const ArrearsResponse = Type.Object({ message: Type.String(), data: Arrears })

export const AnnualBooksQuery = Type.Object({ year: Type.Optional(FiscalYear) })
export type AnnualBooksQuery = Static<typeof AnnualBooksQuery>
/** `pdf` is the same as a document; the default is JSON. */
export const AnnualBooksFormQuery = Type.Object({
  ...AnnualBooksQuery.properties,
  format: Type.Optional(StringEnum('json', 'pdf')),
})

/**
 * `received` and `tds` are the payments of the year: what of them settled rent, deposits and other charges, what was
 * refunded and what is an advance. `deposits_held` is that of the year's last day, or of today in a year that is not
 * over.
 */
const received = {
  received: Type.Number(),
  tds: Type.Number(),
  for_rent: Type.Number(),
  for_deposits: Type.Number(),
  for_others: Type.Number(),
  refunded: Type.Number(),
  advances: Type.Number(),
  deposits_held: Type.Number(),
}
export const AnnualBooksRow = Type.Object({ ...unit, ...received })
export type AnnualBooksRow = Static<typeof AnnualBooksRow>
export const AnnualBooks = Type.Object({
  year: Type.String(),
  rows: Type.Array(AnnualBooksRow),
  ...received,
})
export type AnnualBooks = Static<typeof AnnualBooks>
export const AnnualBooksResponse = Type.Object({ message: Type.String(), data: AnnualBooks })

/** The days on which charges fall due; the present month unless they are given. */
export interface BookSummaryQuery {
  /** YYYY-MM-DD. */
  from?: string
  /** YYYY-MM-DD. */
  to?: string
}

/** What fell due, in Indian rupees: the sum of what was credited, paid and is outstanding of it today. */
export interface BookSums {
  /** What fell due. */
  charged: number
  /** What need not be paid of it. */
  credited: number
  /** What payments and deposits settled of it. */
  paid: number
  /** What is still owed of it. */
  outstanding: number
  /** Payments of the time, with the tax that was withheld. */
  received: number
}

/** The sums of a month. */
export interface BookMonth extends BookSums {
  /** YYYY-MM. */
  month: string
}

/** The books of all leases of the landlord's side. */
export interface BookSummary extends BookSums {
  /** YYYY-MM-DD. */
  from: string
  /** YYYY-MM-DD. */
  to: string
  /** Months without anything are left out. */
  months: BookMonth[]
  /** What the ledgers hold now, in Indian rupees. */
  balances: BookBalances
}

/** What the ledgers hold now, in Indian rupees. */
export interface BookBalances {
  /** What tenants owe. */
  outstanding: number
  /** The part of it that is past its due date. */
  overdue: number
  /** What tenants paid in advance. */
  advances: number
  /** Deposits that have to be settled some day. */
  deposits_held: number
}

/** The month of a rent roll; the present one unless it is given. */
export interface RentRollQuery {
  /** YYYY-MM. */
  month?: string
}

/** A unit of a report. */
export interface BookUnit {
  /** The unit's number. */
  property_unit_id: number
  /** The alias of its property. */
  property_name: string
  /** The unit's name. */
  unit_name: string
}

/** A tenant of a report. */
export interface RollTenant {
  /** The user's number. */
  id: number
  /** Null once their account is erased. */
  name: string | null
}

/** A lease of a unit in a month, or a vacant unit; amounts are Indian rupees, without deposits. */
export interface RentRollRow extends BookUnit {
  /** The agreement's number in the API; null for a vacant unit. */
  agreement_id: number | null
  /** Such as `AGR-2026-000001`. */
  agreement_number: string | null
  /** Empty for a vacant unit. */
  tenants: RollTenant[]
  /** The rent of a whole month, in force on its last day. */
  rent: number | null
  /** What fell due, less what was credited. */
  charged: number
  /** What was paid of it. */
  paid: number
  /** What is still owed of it. */
  outstanding: number
}

/** The units with their rents of a month, and the sums in Indian rupees. */
export interface RentRoll {
  /** YYYY-MM. */
  month: string
  /** A unit with two leases in the month has two rows. */
  rows: RentRollRow[]
  /** The sum of the rents. */
  rent: number
  /** The sum of what fell due. */
  charged: number
  /** The sum of what was paid of it. */
  paid: number
  /** The sum of what is still owed of it. */
  outstanding: number
}

/** What is outstanding and due, in Indian rupees, by the days since it fell due. */
export interface Ages {
  /** Due today, or up to 30 days ago. */
  days_0_30: number
  /** 31 to 60 days ago. */
  days_31_60: number
  /** 61 to 90 days ago. */
  days_61_90: number
  /** More than 90 days ago. */
  days_over_90: number
  /** All of it. */
  total: number
}

/** A lease with something outstanding that is due. */
export interface ArrearsRow extends Ages, BookUnit {
  /** The agreement's number in the API. */
  agreement_id: number
  /** Such as `AGR-2026-000001`. */
  agreement_number: string
  /** They owe it together. */
  tenants: RollTenant[]
}

/** What is outstanding and due, the largest sums first. */
export interface Arrears extends Ages {
  /** YYYY-MM-DD. */
  as_of: string
  /** By lease. */
  rows: ArrearsRow[]
}

/** The year of a report; the present one unless it is given. */
export interface AnnualBooksQuery {
  /** From April to March, such as `2026-27`. */
  year?: string
}

/** What was received in a year, in Indian rupees. */
export interface YearlySums {
  /** Payments of the year, without the tax that was withheld. */
  received: number
  /** The tax that tenants withheld. */
  tds: number
  /** What of both settled rent. */
  for_rent: number
  /** What of both settled deposits. */
  for_deposits: number
  /** What of both settled other charges. */
  for_others: number
  /** What of it went back. */
  refunded: number
  /** What of it is an advance. */
  advances: number
  /** The deposits that were held on the year's last day, or today in a year that is not over. */
  deposits_held: number
}

/** What a unit brought in. */
export interface AnnualBooksRow extends BookUnit, YearlySums {}

/** What the units brought in, and the sums. */
export interface AnnualBooks extends YearlySums {
  /** From April to March, such as `2026-27`. */
  year: string
  /** Units without anything are left out. */
  rows: AnnualBooksRow[]
}

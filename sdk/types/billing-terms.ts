/** Whether a period is a month of the calendar, or a month counted from the day on which the lease begins. */
export type BillingCycle = 'calendar_month' | 'anniversary'

/** Whether the rent of a period is due in it, or after it. */
export type RentIn = 'advance' | 'arrears'

/** Once for a late charge, for each day that it is late, or a percentage a year of what is late. */
export type LateFeeKind = 'flat' | 'per_day' | 'percent_pa'

/** Computed rents are rounded, half up, to a multiple of so many rupees. */
export type RentRounding = 0.01 | 1 | 10

/** What a recurring charge is for. Parking is posted as a charge of the type `other`. */
export type RecurringChargeType = 'maintenance' | 'parking' | 'electricity' | 'water' | 'other'

/** A charge with each instalment of the rent, as it is agreed. */
export interface NewRecurringCharge {
  /** What it is for. Parking is posted as a charge of the type `other`. */
  type: RecurringChargeType
  /** At most 255 characters, such as `Society maintenance`; by default the type in words. */
  description?: string | null
  /** Indian rupees a month, with at most two decimals. */
  amount: number
}

/** Charged with each instalment of the rent, and pro-rated as it is. */
export interface RecurringCharge {
  /** What it is for. Parking is posted as a charge of the type `other`. */
  type: RecurringChargeType
  /** What the charges say, such as `Society maintenance`. */
  description: string
  /** Indian rupees a month, with at most two decimals. */
  amount: number
}

/** How a lease is billed. What is not given has its default. */
export interface BillingTermsInput {
  /** The periods of the rent. Default `calendar_month`. */
  billing_cycle?: BillingCycle | null
  /** When the rent of a period is due. Default `advance`. */
  rent_in?: RentIn | null
  /** Rupees to a multiple of which rents are rounded. Default 0.01. */
  rent_rounding?: RentRounding | null
  /** What `late_fee` means. Default `flat`. */
  late_fee_kind?: LateFeeKind | null
  /** Percent a year, above 0 and at most 100, for `percent_pa`. */
  late_fee_percent?: number | null
  /** Days after the due date without a fee, from 0 to 365. Default 0. */
  late_fee_grace_days?: number | null
  /** Indian rupees that the fee for a charge does not pass. Default none. */
  late_fee_cap?: number | null
  /** Percent, above 0 and at most 100, by which the rent rises. Default none. */
  escalation_percent?: number | null
  /** Months, from 1 to 600, after which the rent rises again; goes with `escalation_percent`. */
  escalation_every_months?: number | null
  /** At most 10 charges with each instalment of the rent. Default none. */
  recurring_charges?: NewRecurringCharge[] | null
}

/** How a lease is billed. */
export interface BillingTerms {
  /** The periods of the rent. */
  billing_cycle: BillingCycle
  /** When the rent of a period is due. */
  rent_in: RentIn
  /** Rupees to a multiple of which rents are rounded: 0.01, 1 or 10. */
  rent_rounding: number
  /** What `late_fee` means. */
  late_fee_kind: LateFeeKind
  /** Percent a year; null unless the kind is `percent_pa`. */
  late_fee_percent: number | null
  /** Days after the due date without a fee. */
  late_fee_grace_days: number
  /** Indian rupees that the fee for a charge does not pass; null without a limit. */
  late_fee_cap: number | null
  /** Percent by which the rent rises; null if it does not. */
  escalation_percent: number | null
  /** Months after which the rent rises again; null if it does not. */
  escalation_every_months: number | null
  /** Charged with each instalment of the rent; null without any. */
  recurring_charges: RecurringCharge[] | null
}

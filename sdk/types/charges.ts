import type { PageQuery } from './common.ts'

/** What is owed. */
export type ChargeType =
  | 'rent'
  | 'deposit'
  | 'maintenance'
  | 'electricity'
  | 'water'
  | 'late_fee'
  | 'damage'
  | 'other'
  | 'opening_balance'

/**
 * An `upcoming` charge falls due later, a `due` one today, an `overdue` one fell due before. One with nothing
 * outstanding is `paid`, or `credited` if nothing was paid.
 */
export type ChargeStatus = 'upcoming' | 'due' | 'overdue' | 'paid' | 'credited'

/** The lease's schedule, a person, a late fee, or a balance from before the books. */
export type ChargeSource = 'schedule' | 'manual' | 'late_fee' | 'opening'

/** Why a part of a charge need not be paid. */
export type CreditReason = 'proration' | 'waiver' | 'correction' | 'write_off'

/** What is owed. `amount` is the sum of what was paid, what was credited and what is outstanding. */
export interface Charge {
  /** The charge's number. */
  id: number
  /** The charge's UUID. */
  charge_id: string
  /** The agreement's number in the API. */
  agreement_id: number
  /** The unit's number. */
  property_unit_id: number
  /** What it is for. */
  type: ChargeType
  /** Such as `Rent`. */
  description: string
  /** The first day that it is for, YYYY-MM-DD; null without a period. */
  period_start: string | null
  /** The last day that it is for, YYYY-MM-DD; null without a period. */
  period_end: string | null
  /** YYYY-MM-DD. */
  due_date: string
  /** Indian rupees. */
  amount: number
  /** Indian rupees that payments have settled. */
  amount_paid: number
  /** Indian rupees that need not be paid. */
  amount_credited: number
  /** Indian rupees that are still owed. */
  amount_outstanding: number
  /** Follows from the amounts and from today (Asia/Kolkata). */
  status: ChargeStatus
  /** Where it comes from. */
  source: ChargeSource
  /** The number of the charge that a late fee is for, or to which a revised rent adds; else null. */
  base_charge_id: number | null
  /** An ISO 8601 timestamp. */
  posted_at: string
}

/** A charge that the schedule does not have. */
export interface NewCharge {
  /** What it is for. Late fees are posted by the server alone. */
  type: Exclude<ChargeType, 'late_fee'>
  /** Indian rupees, above 0, with at most two decimals. */
  amount: number
  /** YYYY-MM-DD, from the first day of the books to twelve months after the lease. */
  due_date: string
  /** At most 255 characters; by default the type in words. */
  description?: string | null
  /** The first day that it is for, YYYY-MM-DD; goes with `period_end`. */
  period_start?: string | null
  /** The last day that it is for, YYYY-MM-DD; goes with `period_start`. */
  period_end?: string | null
}

/** A part of a charge that need not be paid. */
export interface NewCredit {
  /** Indian rupees, above 0, at most what is not credited yet. */
  amount: number
  /** Why it need not be paid. */
  reason: CreditReason
}

/** Which charges to list. */
export interface ChargeQuery extends PageQuery<'id' | 'due_date' | 'amount' | 'type'> {
  /** Only charges of the agreement with this number. */
  agreement_id?: number
  /** Only charges for the unit with this number. */
  property_unit_id?: number
  /** Only charges of this type. */
  type?: ChargeType
  /** Only charges in this state. */
  status?: ChargeStatus
  /** Only charges due today or before, with something outstanding, of an ACTIVE or TERMINATED agreement, or only the others. */
  pending?: boolean
  /** Only charges that fall due on this day or later, YYYY-MM-DD. */
  from?: string
  /** Only charges that fall due on this day or before, YYYY-MM-DD. */
  to?: string
}

/** An instalment of a lease: posted as a charge, or projected. */
export interface Instalment {
  /** What it is for. */
  type: ChargeType
  /** Such as `Rent`. */
  description: string
  /** The first day that it is for, YYYY-MM-DD; null of a deposit. */
  period_start: string | null
  /** The last day that it is for, YYYY-MM-DD; null of a deposit. */
  period_end: string | null
  /** YYYY-MM-DD. */
  due_date: string
  /** Indian rupees. */
  amount: number
  /** The number of the charge that was posted for it; null if it is projected. */
  charge_id: number | null
}

/** What a lease costs over its whole tenure. */
export interface Schedule {
  /** In the order in which they fall due. */
  instalments: Instalment[]
  /** Indian rupees of all rents. */
  total_rent: number
}

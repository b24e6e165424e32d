import { Type, type Static } from '@sinclair/typebox'
import {
  decimal,
  defaulted,
  described,
  field,
  list,
  nullable,
  optional,
  PositiveRupees,
  Rupees,
  stringEnum,
  text,
  view,
} from './common.ts'

export const BillingCycle = field(
  stringEnum('calendar_month', 'anniversary'),
  'Whether a period is a month of the calendar, or a month counted from the day on which the lease ' +
    'begins.',
)
export type BillingCycle = Static<typeof BillingCycle>
export const RentIn = field(
  stringEnum('advance', 'arrears'),
  'Whether the rent of a period is due in it, or after it.',
)
export type RentIn = Static<typeof RentIn>
export const LateFeeKind = field(
  stringEnum('flat', 'per_day', 'percent_pa'),
  'Once for a late rent, for each day that a rent is late, or a percentage a year of all instalments that are late. ' +
    'The days of grace cost nothing.',
)
export type LateFeeKind = Static<typeof LateFeeKind>
export const RentRounding = field(
  Type.Union([Type.Literal(0.01), Type.Literal(1), Type.Literal(10)], { description: 'one of 0.01, 1, 10' }),
  'Computed rents are rounded, half up, to a multiple of this many rupees.',
)
export type RentRounding = Static<typeof RentRounding>

export const RecurringChargeType = field(
  stringEnum('maintenance', 'parking', 'electricity', 'water', 'other'),
  'What a recurring charge is for. Parking is posted as a charge of the type `other`.',
)
export type RecurringChargeType = Static<typeof RecurringChargeType>

const recurringFields = {
  type: field(RecurringChargeType, 'What it is for. Parking is posted as a charge of the type `other`'),
  description: optional(text(255), 'Such as `Society maintenance`; by default the type in words'),
  amount: field(PositiveRupees, 'Indian rupees a month'),
}
export const NewRecurringCharge = described(
  'Charged with each instalment of the rent, and pro-rated as it is.',
  recurringFields,
)
export type NewRecurringCharge = Static<typeof NewRecurringCharge>
export const RecurringCharge = described(
  'Charged with each instalment of the rent, and pro-rated as it is.',
  {
    ...view(recurringFields),
    description: field(nullable(Type.String()), 'Such as `Society maintenance`; null: the type in words'),
  },
)
export type RecurringCharge = Static<typeof RecurringCharge>
const RecurringCharges = list(NewRecurringCharge, 10, 'charges')
const Percent = decimal({ exclusiveMinimum: 0, maximum: 100 })
const GraceDays = Type.Integer({ minimum: 0, maximum: 365 })
const Months = Type.Integer({ minimum: 1, maximum: 600 })

/** How a lease is billed. */
export const billingFields = {
  billing_cycle: defaulted(BillingCycle, 'calendar_month', 'The periods of the rent'),
  rent_in: defaulted(RentIn, 'advance', 'When the rent of a period is due'),
  rent_rounding: defaulted(RentRounding, 0.01, 'Rupees to a multiple of which rents are rounded'),
  late_fee_kind: defaulted(LateFeeKind, 'flat', 'What `late_fee` means'),
  late_fee_percent: optional(Percent, 'Percent a year, for `percent_pa`'),
  late_fee_grace_days: defaulted(
    GraceDays,
    0,
    'Days after the due date without a fee; after them the fee counts each further day',
  ),
  late_fee_cap: optional(Rupees, 'Indian rupees that the fee for a charge does not exceed'),
  escalation_percent: optional(
    Percent,
    'Percent by which the rent rises; goes with `escalation_every_months`',
  ),
  escalation_every_months: optional(Months, 'Months after which the rent rises again'),
  recurring_charges: optional(RecurringCharges, 'Charged with each instalment of the rent'),
}

export const billingView = {
  ...view(billingFields),
  rent_rounding: field(Type.Number(), 'Rupees to a multiple of which rents are rounded: 0.01, 1 or 10'),
  recurring_charges: field(
    nullable(Type.Array(RecurringCharge)),
    'Charged with each instalment of the rent; null without any',
  ),
}

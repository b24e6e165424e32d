import { Type, type Static } from '@sinclair/typebox'
import { Decimal, Nullable, OptionalNullable, PositiveRupees, Rupees, StringEnum, Text } from './common.ts'

export const BillingCycle = StringEnum('calendar_month', 'anniversary')
export type BillingCycle = Static<typeof BillingCycle>
export const RentIn = StringEnum('advance', 'arrears')
export type RentIn = Static<typeof RentIn>
export const LateFeeKind = StringEnum('flat', 'per_day', 'percent_pa')
export type LateFeeKind = Static<typeof LateFeeKind>
/** Computed rents are rounded, half up, to a multiple of this many rupees. */
export const RentRounding = Type.Unsafe<0.01 | 1 | 10>(
  Type.Union([Type.Literal(0.01), Type.Literal(1), Type.Literal(10)], {
    description: 'one of 0.01, 1, 10',
  }),
)
export type RentRounding = Static<typeof RentRounding>

export const RecurringChargeType = StringEnum('maintenance', 'parking', 'electricity', 'water', 'other')
export type RecurringChargeType = Static<typeof RecurringChargeType>
/** Charged with each instalment of the rent, and pro-rated as it is. */
export const NewRecurringCharge = Type.Object({
  type: RecurringChargeType,
  description: OptionalNullable(Text(255)),
  amount: PositiveRupees,
})
export type NewRecurringCharge = Static<typeof NewRecurringCharge>
const RecurringCharges = Type.Array(NewRecurringCharge, {
  maxItems: 10,
  description: 'an array of at most 10 charges',
})
const Percent = Decimal({ exclusiveMinimum: 0, maximum: 100 })

/** How a lease is billed. What is not given has its default. */
export const billingTermsInput = {
  billing_cycle: OptionalNullable(BillingCycle),
  rent_in: OptionalNullable(RentIn),
  rent_rounding: OptionalNullable(RentRounding),
  late_fee_kind: OptionalNullable(LateFeeKind),
  late_fee_percent: OptionalNullable(Percent),
  late_fee_grace_days: OptionalNullable(Type.Integer({ minimum: 0, maximum: 365 })),
  late_fee_cap: OptionalNullable(Rupees),
  escalation_percent: OptionalNullable(Percent),
  escalation_every_months: OptionalNullable(Type.Integer({ minimum: 1, maximum: 600 })),
  recurring_charges: OptionalNullable(RecurringCharges),
}

export const billingTermsView = {
  billing_cycle: BillingCycle,
  rent_in: RentIn,
  rent_rounding: Type.Number(),
  late_fee_kind: LateFeeKind,
  late_fee_percent: Nullable(Type.Number()),
  late_fee_grace_days: Type.Integer(),
  late_fee_cap: Nullable(Type.Number()),
  escalation_percent: Nullable(Type.Number()),
  escalation_every_months: Nullable(Type.Integer()),
  recurring_charges: Nullable(
    Type.Array(
      Type.Object({
        type: RecurringChargeType,
        description: Type.String(),
        amount: Type.Number(),
      }),
    ),
  ),
}

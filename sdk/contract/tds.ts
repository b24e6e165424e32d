import { Type, type Static } from '@sinclair/typebox'
import { FiscalYear, Nullable } from './common.ts'

export const TdsQuery = Type.Object({
  year: Type.Optional(FiscalYear),
  /** Whether the tenant knows the landlord's PAN; without it the rate is higher. Default: whether the landlord's profile has a PAN. */
  landlord_pan: Type.Optional(Type.Boolean()),
})
export type TdsQuery = Static<typeof TdsQuery>

/**
 * The tax that a tenant is to deduct from the rent of a fiscal year, in rupees, and the rent to deduct it from: a
 * suggestion. Without rent above the threshold `amount` is 0 and the terms of the tax are null. `recorded` is what the
 * payments of the year deducted.
 */
export const Tds = Type.Object({
  agreement_id: Type.Integer(),
  year: Type.String(),
  amount: Type.Number(),
  recorded: Type.Number(),
  /** Whether the rate is that with the landlord's PAN. */
  landlord_pan: Type.Boolean(),
  rate_percent: Nullable(Type.Number()),
  /** True if the tax was capped at the last month's rent, as it is without a PAN. */
  is_limited: Type.Boolean(),
  total_rent: Type.Number(),
  monthly_threshold: Nullable(Type.Number()),
  deduct_from: Nullable(
    Type.Object({ period_start: Type.String(), due_date: Type.String(), amount: Type.Number() }),
  ),
  section: Nullable(Type.String()),
  statement_form: Nullable(Type.String()),
  certificate_form: Nullable(Type.String()),
})
export type Tds = Static<typeof Tds>
export const TdsResponse = Type.Object({ message: Type.String(), data: Tds })

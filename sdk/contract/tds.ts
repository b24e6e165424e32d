import { Type, type Static } from '@sinclair/typebox'
import { warnedResponse } from './agreements.ts'
import { described, field, maybe, nullable, YearFilter } from './common.ts'

export const TdsQuery = described('The year of a suggestion.', {
  year: YearFilter,
  landlord_pan: maybe(
    Type.Boolean(),
    "Whether the tenant knows the landlord's PAN, else the rate is higher; without it, whether the landlord's " +
      'profile has one',
  ),
})
export type TdsQuery = Static<typeof TdsQuery>

export const TaxedRent = described('The rent of a month, from which the tax is deducted.', {
  period_start: field(Type.String(), 'Its first day, YYYY-MM-DD'),
  due_date: field(Type.String(), 'YYYY-MM-DD'),
  amount: field(Type.Number(), 'Indian rupees'),
})
export type TaxedRent = Static<typeof TaxedRent>
export const Tds = described(
  'The tax that a tenant is to deduct from the rent of a fiscal year, in rupees, and the rent to deduct it from: ' +
    'a suggestion. Without rent above the threshold `amount` is 0 and the terms of the tax are null.',
  {
    agreement_id: field(Type.Integer(), "The agreement's number"),
    year: field(Type.String(), 'From April to March, such as `2026-27`'),
    amount: field(Type.Number(), 'The tax, the nearest whole rupee'),
    recorded: field(
      Type.Number(),
      'What was deducted by the payments whose rent is mostly of the year, rent that was paid ahead of time apart, or ' +
        'that were made in the year and settle no other rent',
    ),
    landlord_pan: field(Type.Boolean(), "Whether the rate is that with the landlord's PAN"),
    rate_percent: field(nullable(Type.Number()), 'Null if nothing is due'),
    is_limited: field(
      Type.Boolean(),
      "True if the tax was capped at the last month's rent, as it is without a PAN",
    ),
    total_rent: field(Type.Number(), '0 if nothing is due'),
    monthly_threshold: field(nullable(Type.Number()), 'The rent a month above which tax is due'),
    deduct_from: field(nullable(TaxedRent), 'The last rent of the year or of the tenancy'),
    section: field(nullable(Type.String()), "The section of the Income-tax Act, by the year's last day"),
    statement_form: field(nullable(Type.String()), "The number of the tenant's statement"),
    certificate_form: field(nullable(Type.String()), 'The number of the certificate for the landlord'),
  },
)
export type Tds = Static<typeof Tds>
export const TdsResponse = warnedResponse(Tds)

import type { NewAgreement } from '@kiraya/sdk'
import type { FieldFlags } from '../input/flags'

/** How a lease is billed. */
export const billingFields = {
  billing_cycle: { kind: 'choice', choices: ['calendar_month', 'anniversary'] },
  rent_in: { kind: 'choice', choices: ['advance', 'arrears'] },
  rent_rounding: { kind: 'number', description: 'rupees: 0.01, 1 or 10' },
  late_fee_kind: { kind: 'choice', choices: ['flat', 'per_day', 'percent_pa'] },
  late_fee_percent: { kind: 'number', description: 'percent a year' },
  late_fee_grace_days: { kind: 'integer', alias: 'grace-days', description: 'days without a late fee' },
  late_fee_cap: { kind: 'number', description: 'rupees at most' },
  escalation_percent: { kind: 'number', alias: 'escalation', description: 'percent by which the rent rises' },
  escalation_every_months: {
    kind: 'integer',
    alias: 'escalation-months',
    description: 'months between two rises',
  },
  recurring_charges: {
    kind: 'items',
    alias: 'recurring-charge',
    description: 'with each rent, as "maintenance:2500:Society maintenance"',
  },
} satisfies Partial<FieldFlags<NewAgreement>>

import { freshPhone } from '../../support/users'

/** Settled until 31 October 2026: in December 2026, November and December are charged. */
export function toLeaseRow(external_ref: string, { terms, unit, ...more }: Record<string, any> = {}) {
  return {
    external_ref,
    property: { alias_name: 'Lakshmi Nilaya', pin_code: 560076, property_type: 'apartment' },
    unit: { unit_name: external_ref, ...unit },
    tenants: [{ phone_number: freshPhone(), first_name: 'Anil' }],
    terms: {
      agreement_start_date: '2026-03-10',
      tenure_in_months: 11,
      rent_amount: 20_000,
      deposit_amount: 40_000,
      rent_due_day: 5,
      notice_period_days: 30,
      ...terms,
    },
    opening: { settled_until: '2026-10-31', owed: 1500, deposit_held: 30_000 },
    paper: { signed_on: '2026-03-01' },
    ...more,
  }
}

/** The rules that rows break, each as `property rule`. */
export const listBroken = ({ status, error }: { status: number; error?: any }) => [
  status,
  ...(error?.details ?? []).map(({ property, rule }: any) => `${property} ${rule}`),
]

export const listOutcomes = ({ data }: { data: any }) => data.rows.map(({ outcome }: any) => outcome)

import type { BillingTerms } from '../../../../server/leases/schedule'
import { getTenureEndDate } from '../../../../server/domain/dates'

/** The terms of ₹25,000 from 15 December 2026 for 11 months, due on the 5th. */
export function createTerms(change: Partial<BillingTerms> = {}): BillingTerms {
  return {
    agreement_start_date: '2026-12-15',
    agreement_end_date: '2027-11-14',
    rent_due_day: 5,
    billing_cycle: 'calendar_month',
    rent_in: 'advance',
    rent_rounding: 0.01,
    recurring_charges: null,
    ...change,
  }
}

/** The terms of a tenure in months. */
export function createTenure(
  agreement_start_date: string,
  months: number,
  change: Partial<BillingTerms> = {},
) {
  const agreement_end_date = getTenureEndDate(agreement_start_date, months)
  return createTerms({ agreement_start_date, agreement_end_date, ...change })
}

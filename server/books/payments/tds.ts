import { findInForce, TAX_FORMS, TDS_ON_RENT } from '../../domain/rent-law'
import { parseFiscalYear } from '../../domain/fiscal-year'
import { divideHalfUp, sumPaise, toPaise } from '../../domain/money'

/** A month's rent; the amount is paise. */
export type MonthlyRent = { period_start: string; due_date: string; amount: number }

export type TdsInput<RentOfMonth extends MonthlyRent> = {
  /** Those of other years are left aside. */
  rents: RentOfMonth[]
  /** Is the landlord's PAN known? */
  hasPan: boolean
  /** Such as 2026-27. */
  year: string
  /** The last day of the tenancy. */
  tenancyEnd: string
}

/**
 * Suggests the tax that a tenant deducts from a fiscal year's rent, or undefined if no month's rent is above the
 * threshold. A rent is of the year in which its period begins. Amounts are paise.
 */
export function suggestTds<RentOfMonth extends MonthlyRent>(input: TdsInput<RentOfMonth>) {
  const rents = listRentsOfYear(input)
  const deduct_from = rents.findLast(({ amount }) => amount > 0)
  const law = deduct_from && findInForce(TDS_ON_RENT, deduct_from.due_date)
  if (!deduct_from || !law) return undefined
  const threshold = toPaise(law.monthly_threshold)
  if (!rents.some(({ amount }) => amount > threshold)) return undefined

  const total_rent = sumPaise(rents.map(({ amount }) => amount))
  const rate_percent = input.hasPan ? law.rate_percent : law.rate_without_pan_percent
  const tax = divideHalfUp(BigInt(total_rent) * BigInt(rate_percent), 100)
  const amount = input.hasPan ? tax : Math.min(tax, deduct_from.amount)
  const { tds_statement, tds_certificate } = findInForce(TAX_FORMS, deduct_from.due_date)!
  return {
    amount,
    rate_percent,
    is_limited: amount < tax,
    deduct_from,
    total_rent,
    threshold,
    section: law.section,
    statement_form: tds_statement,
    certificate_form: tds_certificate,
  }
}

function listRentsOfYear<RentOfMonth extends MonthlyRent>(input: TdsInput<RentOfMonth>) {
  const { rents, year, tenancyEnd } = input
  const range = parseFiscalYear(year)
  if (!range) return []
  const until = tenancyEnd < range.to ? tenancyEnd : range.to
  return rents
    .filter(({ period_start }) => period_start >= range.from && period_start <= until)
    .toSorted((a, b) => Date.parse(a.period_start) - Date.parse(b.period_start))
}

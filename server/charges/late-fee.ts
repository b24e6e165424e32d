import { CUSTOMARY_LATE_FEE_PERCENT } from '../books/law'
import { addDays, toDayOfMonth } from '../domain/dates'
import { divideHalfUp, MAX_AMOUNT, toPaise } from '../domain/money'
import { splitIntoSpans, sumAmountDays, type Span } from '../domain/spans'

const DAYS_OF_YEAR = 365

/** Amounts are rupees. */
export type LateFeeTerms = {
  late_fee_kind: 'flat' | 'per_day' | 'percent_pa'
  late_fee: number | null
  late_fee_percent: number | null
  late_fee_grace_days: number
  late_fee_cap: number | null
}

/** What is outstanding of a charge, in paise, from the end of a day on. */
export type Balance = { from: string; outstanding: number }

export type LateFee = {
  /** Paise. */
  amount: number
  posted_on: string
}

/**
 * Computes the one late fee of a charge, or undefined while none is to be posted. `balances` are those by the days
 * of payment, the first one from the due date or before. A day late costs by the balance with which it began, so
 * that a charge settled ten days after its due date is ten days late.
 */
export function computeLateFee(
  terms: LateFeeTerms,
  { due_date }: { due_date: string },
  balances: Balance[],
  today: string,
): LateFee | undefined {
  const lastSafeDay = addDays(due_date, terms.late_fee_grace_days)
  if (!getBalance(balances, lastSafeDay)) return undefined
  const lateOn = addDays(lastSafeDay, 1)
  const posted_on = terms.late_fee_kind === 'flat' ? lateOn : getLastDay(balances, lateOn)
  if (posted_on > today) return undefined
  const amount = applyCap(terms, computeUncappedFee(terms, listLateSpans(balances, due_date, posted_on)))
  return amount > 0 ? { amount, posted_on } : undefined
}

/** Returns the day on which the charge is settled, or the end of the month in which it became late. */
function getLastDay(balances: Balance[], lateOn: string) {
  const endOfMonth = toDayOfMonth(lateOn, 31)
  const settled = balances.find(({ from, outstanding }) => from >= lateOn && outstanding === 0)
  return settled && settled.from < endOfMonth ? settled.from : endOfMonth
}

function getBalance(balances: Balance[], day: string) {
  return balances.findLast(({ from }) => from <= day)?.outstanding ?? 0
}

function listLateSpans(balances: Balance[], dueDate: string, last: string) {
  // The balance at the end of a day is the one with which the next day begins.
  const amounts = balances.map(({ from, outstanding }) => ({ from: addDays(from, 1), amount: outstanding }))
  return splitIntoSpans(amounts, addDays(dueDate, 1), last).filter(({ amount }) => amount > 0)
}

function computeUncappedFee(terms: LateFeeTerms, spans: Span[]) {
  const fee = toPaise(terms.late_fee ?? 0)
  switch (terms.late_fee_kind) {
    case 'flat':
      return fee
    case 'per_day':
      return fee * spans.reduce((sum, { days }) => sum + days, 0)
    case 'percent_pa':
      return divideHalfUp(
        sumAmountDays(spans) * BigInt(toBasisPoints(terms.late_fee_percent ?? 0)),
        DAYS_OF_YEAR * 10_000,
      )
  }
}

function applyCap({ late_fee_cap }: LateFeeTerms, amount: number) {
  return Math.min(amount, late_fee_cap === null ? MAX_AMOUNT : toPaise(late_fee_cap))
}

function toBasisPoints(percent: number) {
  return Math.round(percent * 100)
}

/**
 * Says whether a late fee is above what is customary on a rent in paise. A flat fee counts as that of a whole
 * month. The cap is left aside: it bounds the sum, not the rate.
 */
export function exceedsCustomaryLateFee(terms: LateFeeTerms, rent: number) {
  const fee = toPaise(terms.late_fee ?? 0)
  const customary = (rent * CUSTOMARY_LATE_FEE_PERCENT) / 100
  switch (terms.late_fee_kind) {
    case 'flat':
      return fee * 12 > customary
    case 'per_day':
      return fee * DAYS_OF_YEAR > customary
    case 'percent_pa':
      return (terms.late_fee_percent ?? 0) > CUSTOMARY_LATE_FEE_PERCENT
  }
}

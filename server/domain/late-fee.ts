import type { Agreement, Charge } from '../../db/entities'
import { CUSTOMARY_LATE_FEE_PERCENT } from './rent-law'
import { addDays, toDayOfMonth } from './dates'
import { divideHalfUp, MAX_AMOUNT, toPaise } from './money'
import { splitIntoSpans, sumAmountDays, type Span } from './spans'

const DAYS_OF_YEAR = 365
const NEVER_LATE = new Set(['late_fee', 'deposit', 'opening_balance'])

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

/** Whether the terms of a lease have a late fee. */
export function hasLateFee({ late_fee_kind, late_fee_percent, late_fee }: Agreement) {
  return Boolean(late_fee_kind === 'percent_pa' ? late_fee_percent : late_fee)
}

type Dated = Pick<Charge, 'due_date'>

/** Whether a charge may have a late fee. What was due before the lease was signed was not late. */
export function canBeLate(agreement: Agreement, { type, due_date }: Pick<Charge, 'type' | 'due_date'>) {
  const wasDueBefore = agreement.signed_date && due_date < agreement.signed_date
  return hasLateFee(agreement) && !wasDueBefore && !NEVER_LATE.has(type)
}

/** Returns the last day on which a charge can be paid without a fee. */
export function getLastSafeDay(terms: Pick<LateFeeTerms, 'late_fee_grace_days'>, { due_date }: Dated) {
  return addDays(due_date, terms.late_fee_grace_days)
}

/** Returns the day on which the late fee of a charge is posted that is not settled before. */
export function getLateFeeDay(
  terms: Pick<LateFeeTerms, 'late_fee_kind' | 'late_fee_grace_days'>,
  charge: Dated,
) {
  const firstLateDay = addDays(getLastSafeDay(terms, charge), 1)
  return terms.late_fee_kind === 'flat' ? firstLateDay : toDayOfMonth(firstLateDay, 31)
}

/**
 * Projects the one late fee of a charge, or undefined if it has none: the day on which it is posted may be to come.
 * `balances` are those by the days of payment, the first one from the due date or before. A day late costs by the
 * balance with which it began, so that a charge settled ten days after its due date is ten days late.
 */
export function projectLateFee(
  terms: LateFeeTerms,
  { due_date }: Dated,
  balances: Balance[],
): LateFee | undefined {
  if (!getBalance(balances, getLastSafeDay(terms, { due_date }))) return undefined
  const posted_on = getPostingDay(terms, { due_date }, balances)
  const amount = applyCap(terms, computeUncappedFee(terms, listLateSpans(balances, due_date, posted_on)))
  return amount > 0 ? { amount, posted_on } : undefined
}

/** Fees by the day or by percentage are posted when the charge is settled, if that is before the month's end. */
function getPostingDay(terms: LateFeeTerms, charge: Dated, balances: Balance[]) {
  const lastDay = getLateFeeDay(terms, charge)
  const lastSafeDay = getLastSafeDay(terms, charge)
  const settled = balances.find(({ from, outstanding }) => from > lastSafeDay && outstanding === 0)
  return settled && settled.from < lastDay ? settled.from : lastDay
}

function getBalance(balances: Balance[], day: string) {
  return balances.findLast(({ from }) => from <= day)?.outstanding ?? 0
}

function listLateSpans(balances: Balance[], dueDate: string, last: string) {
  // The balance at the end of a day is the one with which the next day begins.
  const amounts = balances.map(({ from, outstanding }) => ({
    effective_on: addDays(from, 1),
    amount: outstanding,
  }))
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

import type { LateFeeKind } from '@kiraya/sdk/contract'
import type { Agreement, Charge } from '../../../db/entities'
import { addDays, toDayOfMonth } from '../../domain/dates'
import { divideHalfUp, MAX_AMOUNT, toPaise } from '../../domain/money'
import { splitIntoSpans, sumAmountDays, type Span } from '../../domain/spans'

const DAYS_OF_YEAR = 365
const NEVER_LATE = new Set(['late_fee', 'deposit', 'opening_balance'])

/** Amounts are rupees. */
export type LateFeeTerms = {
  late_fee_kind: LateFeeKind
  late_fee?: number | null
  late_fee_percent?: number | null
  late_fee_grace_days: number
  late_fee_cap?: number | null
}

/** What is outstanding of a charge, in paise, from the end of a day on. */
export type Balance = { from: string; outstanding: number }

/** The amount is paise. */
export type LateFee = { amount: number; posted_on: string }

type Dated = Pick<Charge, 'due_date'>

/** Whether the terms of a lease have a late fee. */
export function hasLateFee({ late_fee_kind, late_fee_percent, late_fee }: LateFeeTerms) {
  return Boolean(late_fee_kind === 'percent_pa' ? late_fee_percent : late_fee)
}

/** Whether a charge may have a late fee. What was due before the lease was signed was not late. */
export function canBeLate(agreement: Agreement, { type, due_date }: Pick<Charge, 'type' | 'due_date'>) {
  const wasDueBefore = agreement.signed_date && due_date < agreement.signed_date
  return hasLateFee(agreement) && !wasDueBefore && !NEVER_LATE.has(type)
}

/** Returns the last day on which a charge can be paid without a fee. */
export function getLastSafeDay({ late_fee_grace_days }: LateFeeTerms, { due_date }: Dated) {
  return addDays(due_date, late_fee_grace_days)
}

/** Returns the day on which the late fee of a charge is posted that is not settled before. */
export function getLateFeeDay(terms: LateFeeTerms, charge: Dated) {
  const firstLateDay = addDays(getLastSafeDay(terms, charge), 1)
  return terms.late_fee_kind === 'flat' ? firstLateDay : toDayOfMonth(firstLateDay, 31)
}

/**
 * Projects the one late fee of a charge, or undefined if it has none: the day on which it is posted may be to come.
 * `balances` are those by the days of payment, the first one from the due date or before. A day late costs by the
 * balance with which it began, so that a charge settled ten days after its due date is ten days late.
 */
export function projectLateFee(terms: LateFeeTerms, charge: Dated, balances: Balance[]): LateFee | undefined {
  const lastSafeDay = getLastSafeDay(terms, charge)
  if (!balances.findLast(({ from }) => from <= lastSafeDay)?.outstanding) return undefined
  // Fees by the day or by percentage are posted when the charge is settled, if that is before the month's end.
  const settled = balances.find(({ from, outstanding }) => from > lastSafeDay && outstanding === 0)
  const lastDay = getLateFeeDay(terms, charge)
  const posted_on = settled && settled.from < lastDay ? settled.from : lastDay
  const fee = computeFee(terms, listLateSpans(balances, charge.due_date, posted_on))
  const amount = Math.min(fee, toPaise(terms.late_fee_cap ?? Infinity), MAX_AMOUNT)
  return amount > 0 ? { amount, posted_on } : undefined
}

/** The balance at the end of a day is the one with which the next day begins. */
function listLateSpans(balances: Balance[], dueDate: string, last: string) {
  const amounts = balances.map(({ from, outstanding }) => ({
    effective_on: addDays(from, 1),
    amount: outstanding,
  }))
  return splitIntoSpans(amounts, addDays(dueDate, 1), last).filter(({ amount }) => amount > 0)
}

function computeFee({ late_fee_kind, late_fee, late_fee_percent }: LateFeeTerms, spans: Span[]) {
  const fee = toPaise(late_fee ?? 0)
  const basisPoints = Math.round((late_fee_percent ?? 0) * 100)
  switch (late_fee_kind) {
    case 'flat':
      return fee
    case 'per_day':
      return fee * spans.reduce((sum, { days }) => sum + days, 0)
    case 'percent_pa':
      return divideHalfUp(sumAmountDays(spans) * BigInt(basisPoints), DAYS_OF_YEAR * 10_000)
  }
}

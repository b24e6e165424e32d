import type { LateFeeKind } from '@kiraya/sdk/contract'
import type { Agreement, Charge } from '../../../db/entities'
import { addDays, compareDays, countDays, toMonthEnd } from '../../domain/dates'
import { divideHalfUp, MAX_AMOUNT, toPaise } from '../../domain/money'
import { splitIntoSpans, sumAmountDays, type Span } from '../../domain/spans'
import { RENT_ITEM } from '../../leases/schedule'

const DAYS_OF_YEAR = 365
/** A charge costs no more than a year of late days. */
const MAX_LATE_DAYS = 365

/** Amounts are rupees. */
export type LateFeeTerms = { late_fee_kind: LateFeeKind } & Pick<
  Agreement,
  'late_fee' | 'late_fee_percent' | 'late_fee_grace_days' | 'late_fee_cap' | 'late_fee_pauses'
>

/** What is outstanding of a charge, in paise, from the end of a day on. */
export type Balance = { from: string; outstanding: number }

type Dated = Pick<Charge, 'due_date'>
type Feeable = Dated & Pick<Charge, 'type' | 'source'> & { item?: number }

/** Whether the terms of a lease have a late fee. */
export function hasLateFee({ late_fee_kind, late_fee_percent, late_fee }: LateFeeTerms) {
  return Boolean(late_fee_kind === 'percent_pa' ? late_fee_percent : late_fee)
}

/**
 * Whether a charge may have late fees: a percentage is for every instalment, other fees are for each rent once,
 * however it is revised. What was due before the lease was signed, or recorded, was not late.
 */
export function canBeLate(agreement: Agreement, { type, source, due_date, item = RENT_ITEM }: Feeable) {
  if (!hasLateFee(agreement) || source !== 'schedule' || type === 'deposit') return false
  const known_on = agreement.recorded_on ?? agreement.signed_date
  if (known_on && due_date < known_on) return false
  return agreement.late_fee_kind === 'percent_pa' || (type === 'rent' && item === RENT_ITEM)
}

/** Returns the last day on which a charge can be paid without a fee; the days of a pause do not count. */
export function getLastSafeDay({ late_fee_grace_days, late_fee_pauses }: LateFeeTerms, { due_date }: Dated) {
  let last = addDays(due_date, late_fee_grace_days)
  for (const { from, to } of late_fee_pauses ?? []) {
    const first = from > due_date ? from : addDays(due_date, 1)
    if (first <= to && first <= addDays(last, 1)) last = addDays(last, countDays(first, to))
  }
  return last
}

/** Returns the first day on which a late fee of a charge is posted that is not settled before. */
export function getFirstPostingDay(terms: LateFeeTerms, charge: Dated) {
  const firstLateDay = addDays(getLastSafeDay(terms, charge), 1)
  return terms.late_fee_kind === 'flat' ? firstLateDay : toMonthEnd(firstLateDay)
}

/**
 * Lists the days on which late fees of a charge are posted: a flat fee once, others at the end of each month until the
 * charge is settled or costs no more. `balances` are those by the days of payment, the first one from the due date or
 * before.
 */
export function listPostingDays(terms: LateFeeTerms, charge: Dated, balances: Balance[]) {
  if (!isLate(terms, charge, balances)) return []
  const firstDay = getFirstPostingDay(terms, charge)
  if (terms.late_fee_kind === 'flat') return [firstDay]
  const lastSafeDay = getLastSafeDay(terms, charge)
  const settled = balances.find(({ from, outstanding }) => from > lastSafeDay && outstanding === 0)
  const lastMonthEnd = toMonthEnd(addDays(lastSafeDay, MAX_LATE_DAYS))
  const last = settled && settled.from < lastMonthEnd ? settled.from : lastMonthEnd
  const days: string[] = []
  for (let day = firstDay; day < last; day = toMonthEnd(addDays(day, 1))) days.push(day)
  return [...days, last]
}

/**
 * Computes the late fees of a charge for all its days until one of them, in paise. The days after the last safe one
 * cost, each by the balance with which it began: a charge settled five days after its last safe day costs five days.
 */
export function computeLateFees(terms: LateFeeTerms, charge: Dated, balances: Balance[], until: string) {
  const lastSafeDay = getLastSafeDay(terms, charge)
  if (!isLate(terms, charge, balances) || until <= lastSafeDay) return 0
  const [last] = [until, addDays(lastSafeDay, MAX_LATE_DAYS)].toSorted(compareDays)
  const fees = sumFees(terms, listLateSpans(terms, balances, lastSafeDay, last!))
  return Math.min(fees, toPaise(terms.late_fee_cap ?? Infinity), MAX_AMOUNT)
}

function isLate(terms: LateFeeTerms, charge: Dated, balances: Balance[]) {
  const lastSafeDay = getLastSafeDay(terms, charge)
  return Boolean(balances.findLast(({ from }) => from <= lastSafeDay)?.outstanding)
}

/** The balance at the end of a day is the one with which the next day begins. The days of a pause cost nothing. */
function listLateSpans(terms: LateFeeTerms, balances: Balance[], lastSafeDay: string, last: string) {
  const amounts = balances.map(({ from, outstanding }) => ({
    effective_on: addDays(from, 1),
    amount: outstanding,
  }))
  let first = addDays(lastSafeDay, 1)
  const pauses = [...(terms.late_fee_pauses ?? []), { from: addDays(last, 1), to: last }]
  const spans = pauses.flatMap(({ from, to }) => {
    const parts = splitIntoSpans(amounts, first, from <= last ? addDays(from, -1) : last)
    if (to >= first) first = addDays(to, 1)
    return parts
  })
  return spans.filter(({ amount }) => amount > 0)
}

function sumFees({ late_fee_kind, late_fee, late_fee_percent }: LateFeeTerms, spans: Span[]) {
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

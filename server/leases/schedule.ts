import type { RentRounding } from '@kiraya/sdk/contract'
import type { Agreement, RecurringCharge } from '../../db/entities'
import { addDays, addMonths, countDays, toDayOfMonth, toMonthEnd } from '../domain/dates'
import { divideHalfUp, roundTo, toPaise } from '../domain/money'
import { splitIntoSpans, sumAmountDays, type Span } from '../domain/spans'
import { getDayAfter } from './opening'
import { listRents, type Rent, type RentTerms, type Revision } from './rents'
import { getLastChargedDay, type Term } from './term'

/** `agreement_end_date` is the last day that is charged. */
export type BillingTerms = Pick<
  Agreement,
  | 'agreement_start_date'
  | 'agreement_end_date'
  | 'rent_due_day'
  | 'billing_cycle'
  | 'rent_in'
  | 'rent_rounding'
  | 'recurring_charges'
>

/** `monthDays` are the days of its whole month, by which a period that has fewer is pro-rated. */
type Period = { period_start: string; period_end: string; due_date: string; monthDays: number }

export type Instalment = {
  type: Exclude<RecurringCharge['type'], 'parking'> | 'rent'
  /** `RENT_ITEM`, or the position of the recurring charge, from 1. */
  item: number
  /** As a person wrote it; null means the words of the type. */
  description: string | null
  period_start: string
  period_end: string
  due_date: string
  /** Paise. */
  amount: number
}

/** The item of a rent. What a revision adds to one that is posted counts from -1 downwards. */
export const RENT_ITEM = 0

/** What a lease charges. Its opening is of a lease that ran before its books. */
export type LeaseTerms = BillingTerms & RentTerms & Term & Partial<Pick<Agreement, 'opening'>>

type InstalmentKey = { type: string; item: number; period_start?: string | null }

/** Returns what tells the instalments of a lease apart. */
export function toInstalmentKey(key: InstalmentKey) {
  return [key.type, key.item, key.period_start].join()
}

/**
 * Lists the instalments of a lease in the order in which they fall due, from the day on which its books begin. An
 * opening cuts its period in two.
 */
export function listLeaseInstalments(lease: LeaseTerms, revisions: Revision[], booksStart: string | null) {
  const terms = { ...lease, agreement_end_date: getLastChargedDay(lease) }
  const instalments = listInstalments(terms, listRents(terms, revisions), getDayAfter(lease.opening))
  return instalments.filter(({ period_end }) => !booksStart || period_end >= booksStart)
}

/** Lists the same without those that are posted. */
export function listUnposted(
  lease: LeaseTerms,
  revisions: Revision[],
  booksStart: string | null,
  posted: InstalmentKey[],
) {
  const keys = new Set(posted.map(toInstalmentKey))
  return listLeaseInstalments(lease, revisions, booksStart).filter(each => !keys.has(toInstalmentKey(each)))
}

/** Lists the instalments of a whole tenure in the order in which they fall due; one of nothing is omitted. */
export function* listInstalments(
  terms: BillingTerms,
  rents: Rent[],
  cutOn: string | null = null,
): Generator<Instalment, undefined> {
  for (const period of listPeriods(terms, cutOn)) {
    const { monthDays: _, ...dates } = period
    const { period_start, period_end } = period
    const amount = computeAmount(period, splitIntoSpans(rents, period_start, period_end), terms.rent_rounding)
    if (amount > 0) yield { type: 'rent', item: RENT_ITEM, description: null, ...dates, amount }
    const days = countDays(period_start, period_end)
    for (const [index, charge] of (terms.recurring_charges ?? []).entries()) {
      const part = computeAmount(period, [{ amount: toPaise(charge.amount), days }])
      const type = charge.type === 'parking' ? 'other' : charge.type
      if (part > 0) yield { type, item: index + 1, description: charge.description, ...dates, amount: part }
    }
  }
}

function* listPeriods(terms: BillingTerms, cutOn: string | null): Generator<Period> {
  let start = terms.agreement_start_date
  for (let index = 0; start <= terms.agreement_end_date; index++) {
    const month = getMonth(terms, start, index)
    const end = month.end < terms.agreement_end_date ? month.end : terms.agreement_end_date
    const next = addDays(end, 1)
    const monthDays = countDays(month.start, month.end)
    for (const [period_start, period_end] of cutPeriod(start, end, cutOn)) {
      const due_date = getDueDate(terms, terms.rent_in === 'advance' ? period_start : next)
      yield { period_start, period_end, due_date, monthDays }
    }
    start = next
  }
}

/** Cuts a period in two if a day within it begins the books. */
function cutPeriod(start: string, end: string, cutOn: string | null): [string, string][] {
  if (!cutOn || cutOn <= start || cutOn > end) return [[start, end]]
  return [
    [start, addDays(cutOn, -1)],
    [cutOn, end],
  ]
}

/** Returns the whole month of the period that begins on `start`. */
function getMonth({ billing_cycle, agreement_start_date }: BillingTerms, start: string, index: number) {
  if (billing_cycle === 'calendar_month') return { start: toDayOfMonth(start, 1), end: toMonthEnd(start) }
  const end = addDays(addMonths(agreement_start_date, index + 1), -1)
  return { start: addMonths(agreement_start_date, index), end }
}

/** Returns the day on which a period that begins on `start` is due in advance. */
function getDueDate({ rent_due_day }: BillingTerms, start: string) {
  const dueDate = toDayOfMonth(start, rent_due_day)
  return dueDate > start ? dueDate : start
}

/**
 * Computes what the days of a period cost, in paise. One amount for a whole month is due as agreed; anything else is
 * computed by days, rounded half up to the paisa and then to `rounding`.
 */
function computeAmount({ monthDays }: Period, spans: Span[], rounding: RentRounding = 0.01) {
  const [agreed] = spans
  if (agreed && countDaysAt(spans, agreed.amount) === monthDays) return agreed.amount
  return roundTo(divideHalfUp(sumAmountDays(spans), monthDays), rounding)
}

function countDaysAt(spans: Span[], amount: number) {
  return spans.filter(span => span.amount === amount).reduce((sum, { days }) => sum + days, 0)
}

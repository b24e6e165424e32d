import type { RentRounding } from '@kiraya/sdk/contract'
import type { RecurringCharge } from '../../../db/entities'
import { addDays, addMonths, countDays, toDayOfMonth } from '../../domain/dates'
import { divideHalfUp, roundTo, toPaise } from '../../domain/money'
import { sortByDay, splitIntoSpans, sumAmountDays, type Span } from '../../domain/spans'
import type { Rent } from '../../domain/rents'

export type BillingTerms = {
  agreement_start_date: string
  agreement_end_date: string
  rent_due_day: number
  billing_cycle: 'calendar_month' | 'anniversary'
  rent_in: 'advance' | 'arrears'
  rent_rounding: RentRounding
  recurring_charges: RecurringCharge[] | null
}

type Period = {
  start: string
  end: string
  days: number
  /** The days of its whole month, by which a period that has fewer is pro-rated. */
  monthDays: number
  due_date: string
}

export type ProjectedInstalment = {
  type: Exclude<RecurringCharge['type'], 'parking'> | 'rent'
  /** `RENT_ITEM`, or the position of the recurring charge, from 1. */
  item: number
  description: string
  period_start: string
  period_end: string
  due_date: string
  /** Paise. */
  amount: number
}

/** The period of a charge that the schedule posted. */
export type PostedPeriod = { period_start?: string | null; period_end?: string | null }

/**
 * Lists the periods of a tenure in order, or those due on or before `through`. A tenure that ends early is its
 * terms with an earlier `agreement_end_date`. A period that was posted stays as it is: one that ended with a tenure
 * before the lease renewed itself leaves the rest of its month to a period of its own.
 */
function listPeriods(terms: BillingTerms, posted: PostedPeriod[], through?: string) {
  const { agreement_start_date, agreement_end_date } = terms
  const postedEnds = new Map(posted.map(({ period_start, period_end }) => [period_start, period_end]))
  const periods: Period[] = []
  let start = agreement_start_date
  while (start <= agreement_end_date) {
    const postedEnd = postedEnds.get(start) ?? agreement_end_date
    const lastDay = postedEnd < agreement_end_date ? postedEnd : agreement_end_date
    const period = getPeriod(terms, start, lastDay, periods.length)
    if (through && period.due_date > through) break
    periods.push(period)
    start = addDays(period.end, 1)
  }
  return periods
}

/** Whether an instalment is for the rest of a month in which the lease has renewed itself. */
export function isRestOfMonth(
  { billing_cycle, agreement_start_date }: Pick<BillingTerms, 'billing_cycle' | 'agreement_start_date'>,
  { period_start }: { period_start: string },
) {
  const isWhole = period_start === toDayOfMonth(period_start, 1) || period_start === agreement_start_date
  return billing_cycle === 'calendar_month' && !isWhole
}

function getPeriod(terms: BillingTerms, start: string, lastDay: string, index: number): Period {
  const month =
    terms.billing_cycle === 'anniversary' ? getAnniversaryMonth(terms, index) : getCalendarMonth(start)
  const end = month.end < lastDay ? month.end : lastDay
  const due_date = getDueDate(terms, terms.rent_in === 'advance' ? start : addDays(end, 1))
  const monthDays = countDays(month.start, month.end)
  return { start, end, days: countDays(start, end), monthDays, due_date }
}

function getCalendarMonth(date: string) {
  return { start: toDayOfMonth(date, 1), end: toDayOfMonth(date, 31) }
}

function getAnniversaryMonth({ agreement_start_date }: BillingTerms, index: number) {
  const nextStart = addMonths(agreement_start_date, index + 1)
  return { start: addMonths(agreement_start_date, index), end: addDays(nextStart, -1) }
}

/** Returns the day on which a period that begins on `start` is due in advance. */
function getDueDate(terms: BillingTerms, start: string) {
  const dueDate = toDayOfMonth(start, terms.rent_due_day)
  return dueDate > start ? dueDate : start
}

/**
 * Projects the instalments of the whole tenure, or those due on or before `through`, in the order in which they fall due;
 * one of nothing is left out.
 */
export function projectInstalments(
  terms: BillingTerms,
  rents: Rent[],
  posted: PostedPeriod[],
  through?: string,
) {
  const sorted = sortByDay(rents)
  return listPeriods(terms, posted, through)
    .flatMap(period => [toRentInstalment(terms, sorted, period), ...toRecurringInstalments(terms, period)])
    .filter(({ amount }) => amount > 0)
}

/** The same for books that begin on `starts_on`: a period that ends before is left out. */
export function listBookedInstalments(
  terms: BillingTerms,
  rents: Rent[],
  posted: PostedPeriod[],
  starts_on: string | null,
  through?: string,
) {
  const instalments = projectInstalments(terms, rents, posted, through)
  return instalments.filter(({ period_end }) => !starts_on || period_end >= starts_on)
}

/** The item of a rent. Recurring charges are numbered from 1 upwards, the charges of a revised rent from -1 downwards. */
export const RENT_ITEM = 0

/** Whether a charge is what a revision added to a rent that was posted. */
export const isRevisionItem = (item: number) => item < RENT_ITEM

/** Returns the item of the next charge that a revision adds to a rent. */
export const toRevisionItem = (known: number) => RENT_ITEM - 1 - known

export type InstalmentKey = { type: string; item: number; period_start?: string | null }

/** Returns what tells the instalments of a lease apart. */
export const toInstalmentKey = ({ type, item, period_start }: InstalmentKey) =>
  [type, item, period_start].join()

/** Splits instalments into those that are among the posted ones, and the others. */
export function splitByPosted(instalments: ProjectedInstalment[], posted: InstalmentKey[]) {
  const postedKeys = new Set(posted.map(toInstalmentKey))
  const isPosted = (instalment: ProjectedInstalment) => postedKeys.has(toInstalmentKey(instalment))
  return { posted: instalments.filter(isPosted), open: instalments.filter(each => !isPosted(each)) }
}

function toRentInstalment(terms: BillingTerms, rents: Rent[], period: Period): ProjectedInstalment {
  const spans = splitIntoSpans(rents, period.start, period.end)
  const amount = computePeriodAmount(period, spans, terms.rent_rounding)
  return { type: 'rent', item: RENT_ITEM, description: 'Rent', ...toInstalmentDates(period), amount }
}

function toRecurringInstalments(terms: BillingTerms, period: Period): ProjectedInstalment[] {
  return (terms.recurring_charges ?? []).map(({ type, description, amount }, index) => ({
    type: type === 'parking' ? 'other' : type,
    item: index + 1,
    description,
    ...toInstalmentDates(period),
    amount: computePeriodAmount(period, [{ amount: toPaise(amount), days: period.days }]),
  }))
}

function toInstalmentDates({ start, end, due_date }: Period) {
  return { period_start: start, period_end: end, due_date }
}

/**
 * Computes what the days of a period cost, in paise. One amount for a whole period is due as agreed; anything
 * else is computed by days, rounded half up to the paisa and then to `rounding`.
 */
function computePeriodAmount({ monthDays }: Period, spans: Span[], rounding: RentRounding = 0.01) {
  const [agreed] = spans
  if (agreed && countDaysAt(spans, agreed.amount) === monthDays) return agreed.amount
  return roundTo(divideHalfUp(sumAmountDays(spans), monthDays), rounding)
}

function countDaysAt(spans: Span[], amount: number) {
  return spans.filter(span => span.amount === amount).reduce((sum, span) => sum + span.days, 0)
}

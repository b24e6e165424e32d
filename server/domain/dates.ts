import { DAY_MS, HOUR_MS } from './durations'

export const INDIAN_UTC_OFFSET_MS = 5.5 * HOUR_MS

/** Maps an instant to its date in India, YYYY-MM-DD. */
export function toIndianDate(instant: Date) {
  return toIsoDate(new Date(instant.getTime() + INDIAN_UTC_OFFSET_MS))
}

/**
 * Returns the last day of a tenure, YYYY-MM-DD: the day before its start day `months` later.
 * A start day that the last month lacks counts as the last day of that month.
 */
export function getTenureEndDate(startDate: string, months: number) {
  return addDays(addMonths(startDate, months), -1)
}

/** Returns the date `days` later, or earlier if negative. */
export function addDays(date: string, days: number) {
  const [year, month, day] = parseDate(date)
  return toIsoDate(new Date(Date.UTC(year, month - 1, day + days)))
}

/**
 * Returns the same day `months` later, or the last day of a month that lacks it. Add to the original date each
 * time: 31 January + 1 is 28 February, + 2 is 31 March.
 */
export function addMonths(date: string, months: number) {
  const [year, month, day] = parseDate(date)
  const monthIndex = month - 1 + months
  return toIsoDate(new Date(Date.UTC(year, monthIndex, Math.min(day, getDaysInMonth(year, monthIndex)))))
}

/** Returns a day of the date's month, or its last day if the month is shorter. */
export function toDayOfMonth(date: string, day: number) {
  const [year, month] = parseDate(date)
  const dayOfMonth = Math.min(day, getDaysInMonth(year, month - 1))
  return `${date.slice(0, 8)}${String(dayOfMonth).padStart(2, '0')}`
}

/** Returns the last day of the date's month. */
export const toMonthEnd = (date: string) => toDayOfMonth(date, 31)

/** Compares two dates, YYYY-MM-DD, for a sort. */
export function compareDays(a: string, b: string) {
  return a < b ? -1 : Number(a > b)
}

/** Counts the days from one date until another, both included: 1 for one and the same, 0 or below if they cross. */
export function countDays(from: string, until: string) {
  return (Date.parse(until) - Date.parse(from)) / DAY_MS + 1
}

/** Accepts month indexes beyond 11, which count into the following years. */
function getDaysInMonth(year: number, monthIndex: number) {
  return new Date(Date.UTC(year, monthIndex + 1, 0)).getUTCDate()
}

function parseDate(date: string) {
  return date.split('-').map(Number) as [year: number, month: number, day: number]
}

function toIsoDate(date: Date) {
  return date.toISOString().slice(0, 10)
}

import { HOUR_MS } from './durations'

const INDIAN_UTC_OFFSET_MS = 5.5 * HOUR_MS

/** Maps an instant to its date in India, YYYY-MM-DD. */
export function toIndianDate(instant: Date) {
  return toIsoDate(new Date(instant.getTime() + INDIAN_UTC_OFFSET_MS))
}

/**
 * Returns the last day of a tenure, YYYY-MM-DD: the day before its start day `months` later.
 * A start day that the last month lacks counts as the last day of that month.
 */
export function getTenureEndDate(startDate: string, months: number) {
  const [year, month, day] = startDate.split('-').map(Number) as [number, number, number]
  const endMonthIndex = month - 1 + months
  const endDay = Math.min(day, getDaysInMonth(year, endMonthIndex)) - 1
  return toIsoDate(new Date(Date.UTC(year, endMonthIndex, endDay)))
}

/** Returns the first day of a date's month, YYYY-MM-DD, and the number of days in it. */
export function getMonth(date: string) {
  const [year, month] = date.split('-').map(Number) as [number, number]
  return { firstDay: `${date.slice(0, 7)}-01`, days: getDaysInMonth(year, month - 1) }
}

/** Accepts month indexes beyond 11, which count into the following years. */
function getDaysInMonth(year: number, monthIndex: number) {
  return new Date(Date.UTC(year, monthIndex + 1, 0)).getUTCDate()
}

function toIsoDate(date: Date) {
  return date.toISOString().slice(0, 10)
}

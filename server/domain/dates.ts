/** Today's date in India, YYYY-MM-DD. */
export const toIndianDate = (now: Date) =>
  new Date(now.getTime() + 5.5 * 3_600_000).toISOString().slice(0, 10)

/** The last day of a tenure: a month that lacks the day ends with its own last day. */
export function getTenureEndDate(start: string, months: number) {
  const [year, month, day] = start.split('-').map(Number) as [number, number, number]
  const daysInMonth = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, daysInMonth) - 1))
    .toISOString()
    .slice(0, 10)
}

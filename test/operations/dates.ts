export type Dates = ReturnType<typeof createDates>

const IST_OFFSET_MS = 5.5 * 3_600_000

/** The dates that the examples name, as counted from today in India; months are the first day of a month. */
export function createDates(now: Date) {
  const today = new Date(now.getTime() + IST_OFFSET_MS)
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()]
  const toDate = (months: number, day: number) =>
    new Date(Date.UTC(year, month + months, day)).toISOString().slice(0, 10)
  const firstYear = month < 3 ? year - 1 : year
  return {
    lastMonth: toDate(-1, 1),
    month: toDate(0, 1).slice(0, 7),
    monthStart: toDate(0, 1),
    monthEnd: toDate(1, 0),
    nextMonth: toDate(1, 1),
    nextMonthEnd: toDate(2, 0),
    dueDate: toDate(1, 10),
    visitAt: `${toDate(1, 2)}T10:00:00+05:30`,
    revisionDate: toDate(7, 1),
    laterRevisionDate: toDate(8, 1),
    financialYear: `${firstYear}-${String((firstYear + 1) % 100).padStart(2, '0')}`,
  }
}

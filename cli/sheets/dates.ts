import { toDigits } from '@kiraya/sdk/phone'

// Days as people write them. `01/04/2026` is the first of April, or the fourth of January: the sheet tells which.

export type DateOrder = 'day-first' | 'month-first'
/** A day, or two that a text may mean. */
type Day = { day?: string; readings?: Record<DateOrder, string> }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** As they begin in Hindi. */
const HINDI_MONTHS = ['जन', 'फ', 'मार्च', 'अप्रै', 'मई', 'जून', 'जुल', 'अग', 'सित', 'अक्', 'नव', 'दिस']
/** The days of 1970 to 2100 as Excel counts them, if a cell lost its format. */
const EXCEL_DAYS = { first: 25_569, last: 73_415 }
export const DAY_MS = 86_400_000

const NUMERIC = /^(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{4}|\d{2})$/
const YEAR_FIRST = /^(\d{4})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(\d{1,2})(?:[T ]\d\d:\d\d.*)?$/
const DAY_AND_NAME = /^(\d{1,2})(?:st|nd|rd|th)?[\s,./-]*([\p{L}\p{M}]+)\.?[\s,./'-]*(\d{4}|\d{2})$/u
const NAME_AND_DAY = /^([\p{L}\p{M}]+)\.?\s*(\d{1,2})(?:st|nd|rd|th)?\s*,?\s+(\d{4})$/u

const toIso = (date: Date) => date.toISOString().slice(0, 10)

/** A year of two digits is of this century. */
function toDay(year: string, month: number, day: number) {
  const fullYear = Number(year) + (year.length === 2 ? 2000 : 0)
  const date = new Date(Date.UTC(fullYear, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? toIso(date) : undefined
}

function toMonth(name: string) {
  const word = name.toLowerCase()
  const index = word.length >= 3 ? MONTHS.indexOf(word.slice(0, 3)) : -1
  return 1 + (index >= 0 ? index : HINDI_MONTHS.findIndex(start => word.startsWith(start)))
}

/** Reads a day; without an order it is in doubt if both readings are days. */
export function parseDay(cell: string | number | Date, order?: DateOrder): Day {
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? {} : { day: toIso(cell) }
  const text = toDigits(String(cell)).trim()
  const days = Number(text)
  if (days >= EXCEL_DAYS.first && days <= EXCEL_DAYS.last)
    return { day: toIso(new Date((Math.floor(days) - EXCEL_DAYS.first) * DAY_MS)) }
  const numeric = NUMERIC.exec(text)
  if (numeric) return readNumeric(numeric[3]!, Number(numeric[1]), Number(numeric[2]), order)
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? []
  if (year) return { day: toDay(year, Number(month), Number(day)) }
  const [, dayOf, nameAfter, yearOf] = DAY_AND_NAME.exec(text) ?? []
  if (dayOf) return { day: toDay(yearOf!, toMonth(nameAfter!), Number(dayOf)) }
  const [, name, dayAfter, yearAfter] = NAME_AND_DAY.exec(text) ?? []
  return name ? { day: toDay(yearAfter!, toMonth(name), Number(dayAfter)) } : {}
}

function readNumeric(year: string, first: number, second: number, order?: DateOrder): Day {
  const dayFirst = toDay(year, second, first)
  const monthFirst = toDay(year, first, second)
  if (order) return { day: order === 'day-first' ? dayFirst : monthFirst }
  if (dayFirst && monthFirst && first !== second)
    return { readings: { 'day-first': dayFirst, 'month-first': monthFirst } }
  return { day: dayFirst ?? monthFirst }
}

const NUMERIC_DATES = /(?<!\d)(\d{1,2})\s*[-/.]\s*(\d{1,2})\s*[-/.]\s*(?:\d{4}|\d{2})(?!\d)/g

/** What the numbers of a text say of the order, if only one order makes them days. */
export function findOrder(cell: unknown): DateOrder | undefined {
  for (const [, first, second] of toDigits(String(cell)).matchAll(NUMERIC_DATES)) {
    if (Number(first) > 12 && Number(second) <= 12) return 'day-first'
    if (Number(second) > 12 && Number(first) <= 12) return 'month-first'
  }
}

const SEPARATOR = /\s*(?:\b(?:to|till|until|upto)\b|[-–—]|से)\s*/giu

/** Splits `1-4-2025 to 28-2-2026` where both sides are days. */
export function splitPeriod(text: string): [from: string, to: string] | undefined {
  const isDay = (part: string) => Object.values(parseDay(part)).some(Boolean)
  for (const { index, 0: separator } of text.matchAll(SEPARATOR)) {
    const sides: [string, string] = [text.slice(0, index), text.slice(index + separator.length)]
    if (sides.every(isDay)) return sides
  }
}

/** The months from a first to a last day; people also name the day after the last. */
export function countMonths(from: string, to: string): number | undefined {
  const [year, month] = from.split('-').map(Number) as [number, number]
  const [lastYear, lastMonth] = to.split('-').map(Number) as [number, number]
  const about = (lastYear - year) * 12 + lastMonth - month
  const dayAfter = (day: string, days: number) => toIso(new Date(Date.parse(day) + days * DAY_MS))
  return [about, about + 1].find(
    months => months > 0 && [to, dayAfter(to, 1)].includes(addMonths(from, months)),
  )
}

/** As the server counts: a day that the month lacks is its last. */
function addMonths(day: string, months: number) {
  const [year, month, dayOf] = day.split('-').map(Number) as [number, number, number]
  const length = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return toIso(new Date(Date.UTC(year, month - 1 + months, Math.min(dayOf, length))))
}

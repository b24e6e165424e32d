import type { Language } from '@kiraya/sdk/contract'

const MONTHS: Record<Language, string[]> = {
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' '),
  hi: 'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'.split(' '),
}
const INDIA_OFFSET_MS = 5.5 * 3_600_000

/** Created at the first use: a server starts faster without it. */
function createLazyFormat(options?: Intl.NumberFormatOptions) {
  let format: Intl.NumberFormat | undefined
  return (value: number) => (format ??= new Intl.NumberFormat('en-IN', options)).format(value)
}

/** More lines take seconds to draw, and memory. */
export const MAX_PDF_LINES = 2000
/** What a column of text has room for, about. */
const CHARACTERS_OF_LINE = 45

/** Counts the lines that the texts of a table take. */
export function countLines(texts: string[]) {
  return texts.reduce((sum, text) => sum + Math.max(1, Math.ceil(text.length / CHARACTERS_OF_LINE)), 0)
}

/** Splits rows into those that a document has room for, from the first one, and the others. */
export function splitFitting<Row>(rows: Row[], getText: (row: Row) => string): [fitting: Row[], rest: Row[]] {
  let lines = 0
  const end = rows.findIndex(row => (lines += countLines([getText(row)])) > MAX_PDF_LINES)
  return end < 0 ? [rows, []] : [rows.slice(0, end), rows.slice(end)]
}

/** Shortens a text that repeats one which the document has in full. */
export function shortenText(text: string, max = 60) {
  const characters = [...text]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text
}

const MAX_LISTED = 20

/** Lists texts, of many the first ones: `a, b and 3 more`. */
export function formatList(texts: string[]) {
  const listed = texts.slice(0, MAX_LISTED).join(', ')
  const restCount = texts.length - MAX_LISTED
  return restCount > 0 ? `${listed} and ${formatCount(restCount)} more` : listed
}

/** `2026-12-01` as `1 Dec 2026`. */
export function formatDate(date: string, language: Language = 'en'): string {
  const [year, month, day] = date.slice(0, 10).split('-')
  return `${Number(day)} ${MONTHS[language][Number(month) - 1]} ${year}`
}

/** An instant as `21 Nov 2026, 15:04:05 IST`. */
export function formatInstant(instant: Date): string {
  const indian = new Date(instant.getTime() + INDIA_OFFSET_MS).toISOString()
  return `${formatDate(indian)}, ${indian.slice(11, 19)} IST`
}

/** 123456.5 as `₹1,23,456.50`. */
export const formatRupees = createLazyFormat({ style: 'currency', currency: 'INR' })

/** 123456.5 as `1,23,456.50`, for columns whose title names the currency. */
export const formatAmount = createLazyFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** 248113 as `2,48,113`. */
export const formatCount = createLazyFormat()

/** `9876543210` as `******3210`. */
export const maskPhone = (phone: string) => `******${phone.slice(-4)}`

import { toDigits, toPhone } from '@kiraya/sdk/phone'
import { fieldKinds } from '../input/kinds'
import { parseTexts, removeEscape } from './cells'
import type { Column, ColumnKind } from './columns'
import { countMonths, parseDay, splitPeriod, type DateOrder } from './dates'
import type { Cell } from './grid'
import { parseNumber } from './numbers'
import { findWord } from './words'

/** The value of a cell, or what is wrong with it; a day that may be two has both readings. */
export type Parsed = { value?: unknown; mistake?: string; readings?: string[] }
export type Period = { from: string; months: number } | { months: number }
type Parse = (text: string, column: Column, order?: DateOrder) => Parsed

const BLANK = /^[\p{Z}\p{C}\-–—.]*$/u
const NOTHING = /^(n\.?\/?a\.?|nil|none)$/i

/** Whether a cell says nothing. A name or a word may be `None`, but no number is. */
export function isBlank(cell: Cell, kind: ColumnKind = 'text'): boolean {
  const text = String(cell ?? '')
  return BLANK.test(text) || (kind !== 'text' && kind !== 'choice' && NOTHING.test(text.trim()))
}

const parsers: Partial<Record<ColumnKind, Parse>> = {
  number: (text, { name }) => ({ value: parseNumber(name, 'number', toDigits(text)) }),
  integer: (text, { name }) => ({ value: parseInteger(name, toDigits(text)) }),
  boolean: text => {
    const word = findWord('boolean', text, ['true', 'false'])
    return word ? { value: word === 'true' } : {}
  },
  choice: (text, { name, choices }) => ({ value: findWord(name, text, choices) }),
  phone: text => ({ value: toPhone(text) ?? text }),
  phones: parsePhones,
  texts: parseTexts,
  items: parseItems,
  period: parsePeriod,
  date: (text, _, order) => parseDate(text, order),
}

/** What a cell must be, if its schema does not say so. */
const expected: Partial<Record<ColumnKind, string>> = {
  boolean: 'yes or no',
  date: 'a day, such as 1-Apr-2026 or 01/04/2026',
  period: 'months, or two days such as 01/04/2026 to 31/03/2027',
  phones: 'a valid Indian mobile number: 10 digits, the first of them 6 to 9',
}

/** Reads a cell that is not blank. */
export function parseCell(column: Column, cell: NonNullable<Cell>, order?: DateOrder): Parsed {
  const { kind, schema, choices } = column
  if (cell instanceof Date && kind === 'date') return parseDate(cell, order)
  if (cell instanceof Date)
    return { mistake: 'is a date in the spreadsheet: give the cell the format Text and write it again' }
  const text = removeEscape(String(cell).trim())
  const parsed = parsers[kind]?.(text, column, order) ?? { value: text }
  const { value, mistake, readings } = parsed
  if (mistake || readings || (value !== undefined && isAllowed(value, schema))) return parsed
  const { minimum, maximum, description } = schema
  const words = choices && `one of ${choices.join(', ')}`
  return { mistake: `must be ${words ?? expected[kind] ?? description ?? `from ${minimum} to ${maximum}`}` }
}

/** Looser than the server, which has the last word. */
const MAILBOX = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"_.]+(\.[^\s@<>()[\],;:\\"_.]+)+$/

function isAllowed(value: unknown, schema: Column['schema']) {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = schema
  if (typeof value === 'number')
    return (
      value >= minimum &&
      value > exclusiveMinimum &&
      value <= maximum &&
      (schema.type !== 'integer' || Number.isInteger(value))
    )
  if (typeof value !== 'string') return true
  const { maxLength = Infinity, pattern = '', format } = schema
  const isText = [...value].length <= maxLength && new RegExp(pattern).test(value)
  return isText && (format !== 'mailbox' || MAILBOX.test(value))
}

/** Words stand for floors, and a gap is in the middle of a PIN code. */
function parseInteger(name: string, text: string) {
  const word = name === 'floor_number' && findWord(name, text)
  if (word) return Number(word)
  return parseNumber(
    name,
    'integer',
    name === 'pin_code' ? text.replace(/^(\d{3})[ -](\d{3})$/, '$1$2') : text,
  )
}

function parseDate(cell: string | Date, order?: DateOrder): Parsed {
  const { day, readings } = parseDay(cell, order)
  return readings ? { readings: Object.values(readings) } : { value: day }
}

function parsePeriod(text: string, _: Column, order?: DateOrder): Parsed {
  const sides = splitPeriod(text)
  if (!sides) {
    const months = parseNumber('tenure_in_months', 'integer', toDigits(text))
    return Number.isInteger(months) && months! > 0 ? { value: { months } } : {}
  }
  const [from, to] = sides.map(side => parseDate(side, order))
  const readings = from!.readings ?? to!.readings
  if (readings) return { readings }
  if (!from!.value || !to!.value) return {}
  const months = countMonths(String(from!.value), String(to!.value))
  return months ? { value: { from: from!.value, months } } : { mistake: 'must be whole months' }
}

const PHONE_SEPARATOR = /[/,;&|\n]|\b(?:and|or)\b/i

/** The first mobile number counts; the others are kept as they are. */
function parsePhones(text: string): Parsed {
  const parts = text.split(PHONE_SEPARATOR).map(part => part.trim())
  const first = parts.findIndex(part => toPhone(part))
  if (first < 0) return {}
  const others = parts.filter((part, index) => index !== first && !isBlank(part))
  return { value: [toPhone(parts[first]!)!, ...others] }
}

/** `maintenance:2500:Society maintenance; parking:700`. */
function parseItems(text: string): Parsed {
  const { value: items = [], mistake } = parseTexts(text)
  const parsed = items.map(item => ({ item, ...fieldKinds.items.parse!(item, {}) }))
  const wrong = mistake ?? parsed.find(each => each.mistake)?.mistake
  if (wrong) return { mistake: wrong }
  // The server describes one without a description.
  const toInput = ({ item, value }: (typeof parsed)[number]) =>
    /:.*:/.test(item) ? value : { ...(value as object), description: undefined }
  return { value: parsed.map(toInput) }
}

import { isDeepStrictEqual } from 'node:util'
import { fieldKinds } from '../input/kinds'
import type { Column } from './columns'

export type CellValue = string | number | boolean | string[]
type Parsed = { value?: unknown; mistake?: string }

// Spreadsheets run a cell that begins like this as a formula, in some languages also with the wide forms of the
// signs, so an apostrophe goes before it.
const FORMULA = /^'*[=+\-@＝＋－＠\t\r]/
const ESCAPED_FORMULA = /^'+[=+\-@＝＋－＠\t\r]/
/** Looser than the server, which has the last word. */
const MAILBOX = /^[^\s@<>()[\],;:\\"]+@[^\s@<>()[\],;:\\"_.]+(\.[^\s@<>()[\],;:\\"_.]+)+$/

export function formatCell(value: unknown) {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return escapeFormula(value)
  return Array.isArray(value) ? escapeFormula(joinTexts(value)) : String(value)
}

const escapeFormula = (text: string) => (FORMULA.test(text) ? `'${text}` : text)

/** Returns the value of a cell that is not empty, or what is wrong with it. */
export function parseCell({ kind, choices, schema }: Column, cell: string): Parsed {
  const text = ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell
  if (kind === 'texts') return parseTexts(text)
  const parsed: Parsed = fieldKinds[kind].parse?.(text, { choices }) ?? { value: text }
  if (parsed.mistake || isAllowed(parsed.value, schema)) return parsed
  const { minimum, maximum, description = `from ${minimum} to ${maximum}` } = schema
  return { mistake: `must be ${description}` }
}

function isAllowed(value: unknown, schema: Column['schema']) {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = schema
  if (typeof value === 'number') return value >= minimum && value > exclusiveMinimum && value <= maximum
  if (typeof value !== 'string') return true
  const { maxLength = Infinity, pattern = '', format } = schema
  const isText = [...value].length <= maxLength && new RegExp(pattern).test(value)
  return isText && (format !== 'mailbox' || MAILBOX.test(value))
}

/** A list that `;` cannot tell is written as JSON. */
function joinTexts(items: string[]) {
  const joined = items.join('; ')
  const isTold = items.length > 0 && !joined.startsWith('[') && isDeepStrictEqual(splitTexts(joined), items)
  return isTold ? joined : JSON.stringify(items)
}

const splitTexts = (cell: string) =>
  cell
    .split(';')
    .map(item => item.trim())
    .filter(item => item !== '')

function parseTexts(cell: string): Parsed {
  if (!cell.startsWith('[')) return { value: splitTexts(cell) }
  try {
    const items: unknown = JSON.parse(cell)
    if (Array.isArray(items) && items.every(item => typeof item === 'string')) return { value: items }
  } catch {
    // The mistake below says what is wrong.
  }
  return { mistake: 'must be texts separated by ; or a JSON array of texts' }
}

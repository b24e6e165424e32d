import { isDeepStrictEqual } from 'node:util'

// Spreadsheets run a cell that begins like this as a formula, in some languages also with the wide forms of the
// signs, so an apostrophe goes before it.
const FORMULA = /^'*[=+\-@＝＋－＠\t\r]/
const ESCAPED_FORMULA = /^'+[=+\-@＝＋－＠\t\r]/

export function formatCell(value: unknown) {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return escapeFormula(value)
  return Array.isArray(value) ? escapeFormula(joinTexts(value)) : String(value)
}

/** The cells of rows, with the heading. */
export const toTable = (names: string[], rows: Record<string, unknown>[]) => [
  names,
  ...rows.map(row => names.map(name => formatCell(row[name]))),
]

const escapeFormula = (text: string) => (FORMULA.test(text) ? `'${text}` : text)
export const removeEscape = (text: string) => (ESCAPED_FORMULA.test(text) ? text.slice(1) : text)

/** A list that `;` cannot tell is written as JSON. */
function joinTexts(items: string[]) {
  const joined = items.join('; ')
  const isTold = items.length > 0 && !joined.startsWith('[') && isDeepStrictEqual(splitTexts(joined), items)
  return isTold ? joined : JSON.stringify(items)
}

export const splitTexts = (cell: string) =>
  cell
    .split(';')
    .map(item => item.trim())
    .filter(item => item !== '')

export function parseTexts(cell: string): { value?: string[]; mistake?: string } {
  if (!cell.startsWith('[')) return { value: splitTexts(cell) }
  try {
    const items: unknown = JSON.parse(cell)
    if (Array.isArray(items) && items.every(item => typeof item === 'string')) return { value: items }
  } catch {
    // The mistake below says what is wrong.
  }
  return { mistake: 'must be texts separated by ; or a JSON array of texts' }
}

import { toPhone } from '@kiraya/sdk/phone'

export type CellValue = string | number | boolean | string[]

/** A cell that its column does not accept. */
export class CellError extends Error {}

/** How a column reads and writes its values. An empty cell is null in each. */
export type Kind = { parse: (cell: string) => CellValue; format: (value: CellValue) => string }

// Spreadsheets run a cell that begins like this as a formula, in some languages also with the wide forms of the
// signs, so an apostrophe goes before it.
const FORMULA = /^'*[=+\-@＝＋－＠\t\r]/
const ESCAPED_FORMULA = /^'+[=+\-@＝＋－＠\t\r]/

const formatText = (text: string) => (FORMULA.test(text) ? `'${text}` : text)
const parseText = (cell: string) => (ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell)

export const text = (maxLength = 255): Kind => ({
  parse: cell => {
    const value = parseText(cell)
    if ([...value].length > maxLength) throw new CellError(`must have at most ${maxLength} characters`)
    return value
  },
  format: value => formatText(String(value)),
})

export const number = (min: number, max: number, isWhole = true): Kind => ({
  parse: cell => {
    const value = Number(cell)
    const isNumber = /^-?\d+(\.\d+)?$/.test(cell) && (!isWhole || Number.isInteger(value))
    if (isNumber && value >= min && value <= max) return value
    throw new CellError(`must be a ${isWhole ? 'whole ' : ''}number from ${min} to ${max}`)
  },
  format: String,
})

export const oneOf = (...words: string[]): Kind => ({
  parse: cell => {
    const word = cell.toLowerCase()
    if (words.includes(word)) return word
    throw new CellError(`must be one of ${words.join(', ')}`)
  },
  format: String,
})

const trueOrFalse = oneOf('true', 'false')
export const boolean: Kind = { parse: cell => trueOrFalse.parse(cell) === 'true', format: String }

/** Texts separated by `;`. A list that this cannot tell is written as JSON. */
export const texts: Kind = {
  parse: cell => {
    const value = parseText(cell)
    return value.startsWith('[') ? parseJsonTexts(value) : splitTexts(value)
  },
  format: value => {
    const items = value as string[]
    const joined = items.join('; ')
    const isTold = !joined.startsWith('[') && hasSameItems(splitTexts(joined), items)
    return formatText(isTold ? joined : JSON.stringify(items))
  },
}

const splitTexts = (cell: string) =>
  cell
    .split(';')
    .map(item => item.trim())
    .filter(item => item !== '')

const hasSameItems = (a: string[], b: string[]) =>
  a.length > 0 && a.length === b.length && a.every((item, index) => item === b[index])

function parseJsonTexts(cell: string) {
  try {
    const items: unknown = JSON.parse(cell)
    if (Array.isArray(items) && items.every(item => typeof item === 'string')) return items
  } catch {
    // The error below says what is wrong.
  }
  throw new CellError('must be texts separated by ; or a JSON array of texts')
}

/** Looser than the server, which has the last word. */
const MAILBOX = /^[^\s@<>()[\],;:\\"]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i

export const mailbox: Kind = {
  parse: cell => {
    const value = parseText(cell)
    if (MAILBOX.test(value)) return value
    throw new CellError('must be an e-mail address, such as asha@example.com')
  },
  format: value => formatText(String(value)),
}

/** The ten digits of an Indian mobile number, which may be written as +91 98765 43210. */
export const phone: Kind = {
  parse: cell => {
    const digits = toPhone(parseText(cell))
    if (digits !== undefined) return digits
    throw new CellError('must be an Indian mobile number of ten digits')
  },
  format: String,
}

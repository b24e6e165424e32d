import stringWidth from 'string-width'
import { colorState, isAmount, isFormatted, toFieldText } from './formats'

export type TextStyle = { columns: number; isColored: boolean }
type Row = Record<string, unknown>

const GAP = '  '
const MIN_WIDTH = 20
const STATES = new Set(['status', 'state', 'result'])

/**
 * Renders rows as aligned columns that fit the terminal. Texts are shortened first, then the last of them go, but never
 * the first column or an amount: rows with too many amounts are rendered as records.
 */
export function toTable(rows: Row[], names: readonly string[], style: TextStyle): string {
  const all = names.map(name => toColumn(name, rows))
  const columns = fitColumns(all, style.columns)
  if (!columns) return rows.map(row => toRecordText(pickColumns(row, names), style)).join('\n\n')

  const lines = [undefined, ...rows].map((row, line) => {
    const texts = columns.map(({ name, cells, width }) => {
      const text = truncate(cells[line]!, width)
      const blanks = ' '.repeat(width - stringWidth(text))
      const colored = row && style.isColored ? colorCell(name, text, row) : text
      return isAmount(name) ? blanks + colored : colored + blanks
    })
    return texts.join(GAP).trimEnd()
  })
  return lines.join('\n')
}

/** A due date has the colour of its row's state. */
function colorCell(name: string, text: string, { status }: Row) {
  if (STATES.has(name)) return colorState(text)
  return name === 'due_date' ? colorState(text, String(status)) : text
}

/** The first cell is the heading. */
type Column = { name: string; cells: string[]; width: number }

function toColumn(name: string, rows: Row[]): Column {
  const cells = [name.toUpperCase(), ...rows.map(row => toFieldText(name, row[name], true))]
  return { name, cells, width: Math.max(...cells.map(cell => stringWidth(cell))) }
}

const getTotal = (columns: Column[]) =>
  columns.reduce((total, { width }) => total + width, GAP.length * (columns.length - 1))

/** Returns the columns that fit a line; undefined if not even the amounts do. */
function fitColumns(columns: Column[], maxWidth: number): Column[] | undefined {
  const fitting = shrinkTexts(columns, maxWidth)
  if (getTotal(fitting) <= maxWidth) return fitting
  const last = columns.findLastIndex(({ name }, index) => index > 0 && !isAmount(name))
  if (last < 0) return columns.length > 1 ? undefined : fitting
  return fitColumns(columns.toSpliced(last, 1), maxWidth)
}

/** Narrows the widest texts until the line fits. */
function shrinkTexts(columns: Column[], maxWidth: number) {
  const shrunk = columns.map(column => ({ ...column }))
  const texts = shrunk.filter(({ name }) => !isFormatted(name))
  for (;;) {
    const excess = getTotal(shrunk) - maxWidth
    const [widest, next] = texts.toSorted((a, b) => b.width - a.width)
    if (excess <= 0 || !widest || widest.width <= MIN_WIDTH) return shrunk
    const least = Math.max(MIN_WIDTH, Math.min(widest.width - 1, next?.width ?? 0))
    widest.width = Math.max(least, widest.width - excess)
  }
}

const pickColumns = (row: Row, columns: readonly string[]) =>
  Object.fromEntries(columns.map(column => [column, row[column]]))

function truncate(text: string, width: number) {
  if (stringWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}

/** Renders a record with one field a line, followed by a table for each list of records in it. */
export function toRecordText(record: Row, style: TextStyle) {
  const entries = Object.entries(record).flatMap(flattenEntry)
  const nameWidth = Math.max(...entries.map(([name]) => name.length))
  const lines: string[] = []
  const tables: string[] = []
  for (const [name, value] of entries) {
    if (isRowList(value)) tables.push(`\n${name}`, toTable(value, selectColumns(value), style))
    else lines.push(`${name.padEnd(nameWidth)}  ${toStateText(name, value, style)}`)
  }
  return [...lines, ...tables].join('\n')
}

/** The fields of a record in a record stand in lines of their own, as `deposit.held`. */
function flattenEntry([name, value]: [string, unknown]): [string, unknown][] {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isRecord) return [[name, value]]
  return Object.entries(value).map(([inner, one]) => [`${name}.${inner}`, one])
}

function toStateText(name: string, value: unknown, { isColored }: TextStyle) {
  const text = toFieldText(name.split('.').at(-1)!, value)
  return isColored && STATES.has(name) ? colorState(text) : text
}

const isRowList = (value: unknown): value is Row[] => Array.isArray(value) && typeof value[0] === 'object'

/** Skips columns without a plain value in any row. */
function selectColumns(rows: Row[]) {
  const isPlain = (value: unknown) => value !== null && typeof value !== 'object'
  return Object.keys(rows[0]!).filter(column => rows.some(row => isPlain(row[column])))
}

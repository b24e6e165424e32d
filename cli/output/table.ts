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
export function toTable(rows: Row[], columns: readonly string[], style: TextStyle): string {
  const grid = toGrid(rows, columns)
  const widths = columns.map((_, index) => Math.max(...grid.map(cells => stringWidth(cells[index]!))))
  const fitting = fitColumns(columns, widths, style.columns)
  if (!fitting) return rows.map(row => toRecordText(pickColumns(row, columns), style)).join('\n\n')

  const lines = grid.map((cells, line) => {
    const texts = fitting.map(({ index, width }) => {
      const name = columns[index]!
      const text = truncate(cells[index]!, width)
      const blanks = ' '.repeat(width - stringWidth(text))
      const colored = line > 0 && style.isColored ? colorCell(name, text, rows[line - 1]!) : text
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

function toGrid(rows: Row[], columns: readonly string[]) {
  const heading = columns.map(column => column.toUpperCase())
  const body = rows.map(row => columns.map(column => toFieldText(column, row[column], true)))
  return [heading, ...body]
}

const getTotal = (widths: number[]) =>
  widths.reduce((total, width) => total + width, GAP.length * (widths.length - 1))

type FittingColumn = { index: number; width: number }

/** Returns the columns that fit a line and their widths; undefined if not even the amounts do. */
function fitColumns(
  names: readonly string[],
  widths: number[],
  columns: number,
): FittingColumn[] | undefined {
  const isText = (index: number) => !isFormatted(names[index]!)
  const shown = widths.map((_, index) => index)
  for (;;) {
    const fitting = shrinkTexts(
      shown.map(index => ({ index, width: widths[index]! })),
      isText,
      columns,
    )
    const last = shown.findLast(index => index > 0 && !isAmount(names[index]!))
    if (getTotal(fitting.map(({ width }) => width)) <= columns) return fitting
    if (last === undefined) return shown.length > 1 ? undefined : fitting
    shown.splice(shown.indexOf(last), 1)
  }
}

/** Narrows the widest texts until the line fits. */
function shrinkTexts(shown: FittingColumn[], isText: (index: number) => boolean, columns: number) {
  const texts = shown.filter(({ index }) => isText(index))
  for (;;) {
    const excess = getTotal(shown.map(({ width }) => width)) - columns
    const [widest, next] = texts.toSorted((a, b) => b.width - a.width)
    if (excess <= 0 || !widest || widest.width <= MIN_WIDTH) return shown
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

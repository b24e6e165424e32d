import { toNameKey } from '@kiraya/sdk/contract/names'
import { toIndianDay } from '../output/formats'
import { sanitizeText } from '../output/sanitize'
import type { Context } from '../runtime/context'
import type { Column } from './columns'
import { chooseOrder, dateOrders, type DateOrder } from './date-order'
import { isWanted, readDefaults, type Defaults } from './defaults'
import { readGrid, toLetters, type Cell } from './grid'
import { toHeadingKey } from './headings'
import { findHeadingRow, placeColumns, type Place, type SheetRecord } from './places'
import { isBlank, parseCell } from './values'

/** `line` is the number of the row in the sheet, `cell` its address and `column` its heading. */
export type SheetError = { line: number; column: string; cell?: string; message: string }
export type Row = { line: number; values: Record<string, unknown> }
export type Locate = (line: number, name: string) => Omit<SheetError, 'message'>
/** What a person said of the sheet, and values for rows that have none, by the names of columns. */
export type SheetOptions = {
  sheet?: string
  map?: string[]
  dates?: DateOrder
  defaults?: Record<string, string | undefined>
}
export type SheetSpec = {
  columns: readonly Column[]
  /** Says why a row is no record, as that of a flat without a tenant. */
  findVacancy?: (values: Row['values']) => string | undefined
}
export type Sheet = { rows: Row[]; errors: SheetError[]; locate: Locate }

/** Reads a sheet whose headings are in some row of it. Every wrong cell is named once, and what is left out is said. */
export async function readSheet(
  context: Context,
  file: Uint8Array,
  { columns, findVacancy = () => undefined }: SheetSpec,
  options: SheetOptions = {},
): Promise<Sheet> {
  const { rows: grid, otherSheets } = await readGrid(file, options.sheet)
  const wanted = { columns, map: options.map }
  const start = findHeadingRow(grid, wanted)
  const [heading, ...below] = grid.slice(start).map((cells, index) => ({ line: start + index + 1, cells }))
  const filled = below.filter(({ cells }) => !cells.every(cell => isBlank(cell)))
  const { places, unknown, leftOut } = await placeColumns(context, heading!, filled, wanted)
  const records = selectRecords(filled, { places, columns, leftOut })
  const defaults = await readDefaults(context, { columns, places, records, unknown, given: options.defaults })
  const order = await chooseOrder(context, { places, records, given: options.dates })

  const locate = createLocate(places)
  const used = new Set<string>()
  const width = heading!.cells.length
  const read = createRowReader({ columns, places, defaults, order, locate, width, used })
  const rows: Row[] = []
  const errors: SheetError[] = []
  for (const record of records) {
    const result = read(record)
    const vacancy = findVacancy(result.row.values)
    if (vacancy) leftOut.push(`row ${record.line}, ${vacancy}`)
    else {
      if (!result.isInDoubt) rows.push(result.row)
      errors.push(...result.errors)
    }
  }
  if (otherSheets.length > 0) leftOut.unshift(`the sheets ${otherSheets.join(', ')} (see --sheet)`)
  sayWhatWasRead(context, { places, leftOut, defaults: [...defaults].filter(([name]) => used.has(name)) })
  return { rows, errors, locate }
}

const TOTAL = /^(((grand|sub)[ -]?)?totals?|कुल|योग|कुल योग)[\s:.=]*$/i

/** Leaves out totals and repeated headings. A row with one text alone may name the property of the rows below. */
function selectRecords(
  filled: SheetRecord[],
  { places, columns, leftOut }: { places: Place[]; columns: readonly Column[]; leftOut: string[] },
): SheetRecord[] {
  const isNamed = places.some(({ column }) => column.isSection)
  const hasSections = !isNamed && columns.some(({ isSection }) => isSection)
  const isHeading = (cells: Cell[]) =>
    places.every(({ index, heading }) => toHeadingKey(cells[index]) === toHeadingKey(heading))
  const records: SheetRecord[] = []
  let section: string | undefined
  for (const { line, cells } of filled) {
    const [first, ...others] = cells.filter(cell => !isBlank(cell))
    const text = sanitizeText(first).trim()
    const isSection = hasSections && others.length === 0 && typeof first === 'string' && !/^\d/.test(text)
    if (TOTAL.test(text) || isHeading(cells)) leftOut.push(`row ${line} (${text})`)
    else if (isSection) section = text
    else records.push({ line, cells, section })
  }
  return records
}

/** Returns what says which cell a value is in; one that no cell has is in its row. */
const createLocate = (places: Place[]): Locate => {
  const byName = new Map(places.map(place => [place.column.name, place]))
  return (line, name) => {
    const place = byName.get(name)
    if (!place) return { line, column: name }
    return { line, column: place.heading, cell: `${toLetters(place.index)}${line}` }
  }
}

type Reader = {
  columns: readonly Column[]
  places: Place[]
  defaults: Defaults
  order?: DateOrder
  locate: Locate
  /** How many cells the row of headings has. */
  width: number
  /** The defaults that a row took. */
  used: Set<string>
}

/** Reads one row after the other. A day that may be two is named once; a row with such a day says nothing. */
function createRowReader(reader: Reader) {
  const { columns, defaults, used, locate } = reader
  const readCells = createCellReader(reader)
  const locateFirst = (line: number, { name, alternatives = [] }: Column) =>
    [name, ...alternatives].map(each => locate(line, each)).find(({ cell }) => cell) ?? locate(line, name)
  let above = createReadCells()
  return (record: SheetRecord) => {
    const { line, section } = record
    const read = readCells(record)
    const { values, wrong, errors } = read
    if (section !== undefined) values.property ??= section
    fillDown(read, above, columns)
    for (const column of columns) {
      const { name } = column
      if (values[name] === undefined) delete values[name]
      if (name in values || wrong.has(name)) continue
      if (defaults.has(name)) values[name] = used.add(name) && defaults.get(name)
      else if (isWanted(column, each => wrong.has(each) || Boolean(values[each])))
        errors.push({ ...locateFirst(line, column), message: 'is missing' })
    }
    above = read
    return { row: { line, values }, errors, isInDoubt: read.isInDoubt }
  }
}

/** What cells say, and the names of those that are wrong. */
type ReadCells = { values: Row['values']; wrong: Set<string>; errors: SheetError[]; isInDoubt: boolean }

const createReadCells = (): ReadCells => ({ values: {}, wrong: new Set(), errors: [], isInDoubt: false })

function createCellReader({ places, order, locate, width }: Reader) {
  let isNamed = false
  return ({ line, cells }: SheetRecord): ReadCells => {
    const read = createReadCells()
    const report = (name: string, message: string) => read.errors.push({ ...locate(line, name), message })
    if (cells.slice(width).some(cell => !isBlank(cell)))
      report(places.at(-1)!.column.name, 'the row has more cells than the headings')
    for (const { column, index } of places) {
      const { name, kind } = column
      const cell = cells[index]
      const { value, mistake, readings } = isBlank(cell, kind) ? {} : parseCell(column, cell!, order)
      if (mistake) report(name, `${mistake}; it is ${sanitizeText(cell)}`)
      if (readings && !isNamed)
        report(
          name,
          `is ${readings.map(toIndianDay).join(' or ')}: say which with --dates ${dateOrders.join(' or ')}`,
        )
      isNamed ||= readings !== undefined
      read.isInDoubt ||= readings !== undefined
      if (mistake || readings) read.wrong.add(name)
      else if (value !== undefined) read.values[name] = value
    }
    return read
  }
}

/** A blank cell says what the one above it says of the same property; one below a wrong cell is no further error. */
function fillDown({ values, wrong }: ReadCells, above: ReadCells, columns: readonly Column[]) {
  if (!wrong.has('property') && 'property' in above.values) values.property ??= above.values.property
  if (toNameKey(String(values.property)) !== toNameKey(String(above.values.property))) return
  for (const { name } of columns.filter(({ fillsDown }) => fillsDown)) {
    if (wrong.has(name) || values[name] !== undefined) continue
    if (above.wrong.has(name)) wrong.add(name)
    values[name] = above.values[name]
  }
}

/** Says what the sheet was taken for. */
function sayWhatWasRead(
  { printNote }: Context,
  { places, leftOut, defaults }: { places: Place[]; leftOut: string[]; defaults: [string, unknown][] },
) {
  const renamed = places.filter(({ column, heading }) => toNameKey(heading) !== column.name)
  if (renamed.length > 0)
    printNote(`Read as: ${renamed.map(({ column, heading }) => `${heading} = ${column.name}`).join(', ')}`)
  if (leftOut.length > 0) printNote(`Left out: ${leftOut.join('; ')}`)
  const used = defaults.map(([name, value]) => `${name} ${String(value)}`)
  if (used.length > 0) printNote(`Where the sheet says nothing: ${used.join(', ')}`)
}

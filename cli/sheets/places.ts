import { sanitizeText } from '../output/sanitize'
import type { Context } from '../runtime/context'
import { UsageError } from '../runtime/errors'
import type { Column } from './columns'
import { toLetters, type Cell } from './grid'
import { findColumn, findColumns, isCounter, toHeadingKey } from './headings'
import { isBlank } from './values'

/** Where in the sheet a column is. */
export type Place = { column: Column; index: number; heading: string }
/** A row; `line` is its number in the sheet. */
export type SheetRecord = { line: number; cells: Cell[]; section?: string }
type Wanted = { columns: readonly Column[]; map?: string[] }
type Heading = { name: string; index: number; cells: Cell[] }

const LEFT_OUT = '-'
const SEARCHED_ROWS = 50

const listNames = (columns: readonly Column[]) => columns.map(({ name }) => name).join(', ')

/** Reads `Flat No=unit` and `Remarks=-`. */
function parseMap({ map = [], columns }: Wanted) {
  const pairs = map.map(text => {
    const [, heading = '', target = ''] = /^(.+)=(.+)$/.exec(text) ?? []
    const column = findColumns(target, columns)[0]
    if (column || target.trim() === LEFT_OUT) return [toHeadingKey(heading), column] as const
    throw new UsageError(
      `--map "${text}": give a heading, = and ${LEFT_OUT} to leave it out, or one of ${listNames(columns)}`,
    )
  })
  return new Map(pairs)
}

/** Finds the row with the most headings that are known: titles stand above it. */
export function findHeadingRow(rows: Cell[][], wanted: Wanted): number {
  const mapped = parseMap(wanted)
  const isKnown = (cell: Cell) =>
    mapped.has(toHeadingKey(cell)) || findColumns(cell, wanted.columns).length > 0
  const counts = rows.slice(0, SEARCHED_ROWS).map(cells => cells.filter(isKnown).length)
  const most = Math.max(0, ...counts)
  if (most > 1) return counts.indexOf(most)
  if (rows.every(cells => cells.every(cell => isBlank(cell)))) throw new UsageError('The sheet is empty')
  throw new UsageError(
    `No row of the sheet has headings that are known. They are ${listNames(wanted.columns)}, and what people ` +
      'call them; name others with --map "Heading=name"',
  )
}

/** Places the columns by their headings. It asks for those that nothing tells; elsewhere they are unknown. */
export async function placeColumns(
  context: Context,
  heading: SheetRecord,
  records: SheetRecord[],
  wanted: Wanted,
) {
  const mapped = parseMap(wanted)
  const found = { places: [] as Place[], leftOut: [] as string[], unknown: [] as string[] }
  for (const each of listHeadings(heading, records)) {
    const { name, index, cells } = each
    const key = toHeadingKey(name)
    const known = mapped.has(key) ? mapped.get(key) : findColumn(name, cells, wanted.columns)
    const isQuiet = mapped.has(key) || isCounter(name) || key === '' || cells.every(cell => isBlank(cell))
    const isAsked = !known && !isQuiet && context.terminal.isInteractive
    const column = isAsked ? await askForColumn(context, each, found.places, wanted) : known
    if (column) found.places.push({ column, index, heading: name })
    else if (isAsked || isQuiet) found.leftOut.push(`column ${toLetters(index)} (${name || 'no heading'})`)
    else found.unknown.push(name)
  }
  requireOneEach(found.places)
  return found
}

/** The headings with the cells below; what has neither is no column. */
function listHeadings({ cells }: SheetRecord, records: SheetRecord[]): Heading[] {
  const width = Math.max(cells.length, ...records.map(record => record.cells.length))
  return Array.from({ length: width }, (_, index) => ({
    name: String(cells[index] ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    index,
    cells: records.map(record => record.cells[index]),
  })).filter(each => each.name !== '' || !each.cells.every(cell => isBlank(cell)))
}

async function askForColumn(
  { terminal }: Context,
  { name, index, cells }: Heading,
  places: Place[],
  { columns }: Wanted,
) {
  const placed = places.map(({ column }) => column.name)
  const free = columns.filter(column => !placed.includes(column.name))
  const example = cells.find(cell => !isBlank(cell))
  const reply = await terminal.ask({
    message: `What is the column "${name}" (${toLetters(index)}), such as "${sanitizeText(example)}"?`,
    choices: ['leave it out', ...free.map(column => column.name)],
  })
  return free.find(column => column.name === reply)
}

function requireOneEach(places: Place[]) {
  for (const [name, [first, second]] of Map.groupBy(places, ({ column }) => column.name))
    if (first && second)
      throw new UsageError(
        `The columns "${first.heading}" (${toLetters(first.index)}) and "${second.heading}" ` +
          `(${toLetters(second.index)}) are both ${name}: say what one is with --map "Heading=name", or --map "Heading=-"`,
      )
}

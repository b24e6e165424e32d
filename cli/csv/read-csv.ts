import type { ValidationError } from '@kiraya/sdk'
import { UsageError } from '../runtime/errors'
import { parseCell, type CellValue } from './cells'
import type { Column } from './columns'

/** `line` counts from 1, with the heading; `column` is its name. */
export type CsvError = { line: number; column: string; message: string }
export type Row = { line: number; values: Record<string, CellValue> }
type CsvRecord = { line: number; cells: string[] }

/** Reads a file with a heading. Every wrong cell is named; a file that is no CSV is a usage error. */
export async function readCsv(file: Uint8Array, columns: readonly Column[]) {
  const [heading, ...records] = await parseRecords(decodeCsv(file))
  if (!heading) throw new UsageError('The file is empty; its first line names the columns')
  const names = heading.cells.map(name => name.trim().toLowerCase())
  requireColumns(listUsed(names, records), columns)
  const errors: CsvError[] = []
  const rows = records.map(({ line, cells }): Row => {
    const report = (column: string, message: string) => errors.push({ line, column, message })
    if (cells.slice(names.length).some(isFilled))
      report(names.at(-1)!, 'the line has more cells than the heading')
    const values: Row['values'] = {}
    for (const column of columns) {
      const { name, isRequired } = column
      const cell = cells[names.indexOf(name)]?.trim() ?? ''
      const { value, mistake } = cell === '' ? {} : parseCell(column, cell)
      if (value !== undefined) values[name] = value as CellValue
      else if (mistake || isRequired) report(name, mistake ?? 'is missing')
    }
    return { line, values }
  })
  return { rows, errors }
}

/** Reads UTF-8, and UTF-16 with its byte order mark, as Excel writes "Unicode text". */
function decodeCsv(file: Uint8Array) {
  const [first, second] = file
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  const encoding = isUtf16 ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file)
  } catch {
    throw new UsageError('The text of the file is not UTF-8. Save it as "CSV UTF-8"')
  }
}

/** Excel may name the separator in a line before the heading. */
const SEPARATOR_LINE = /^"?sep=(.)"?\r?\n/i
const SEPARATORS = [',', ';', '\t']

/** Finds the separator that the heading has most often. */
function findSeparator(csv: string) {
  const [heading = ''] = csv.split(/\r?\n/).filter(isFilled)
  const countIn = (separator: string) => heading.split(separator).length
  return SEPARATORS.toSorted((a, b) => countIn(b) - countIn(a))[0]!
}

const isFilled = (cell: string) => cell.trim() !== ''

async function parseRecords(csv: string) {
  const { parse } = await import('csv-parse/sync')
  const named = SEPARATOR_LINE.exec(csv)?.[1]
  let extraLines = 0
  const options = {
    delimiter: named ?? findSeparator(csv),
    from_line: named ? 2 : 1,
    // A record is read at its last line. The parser counts a break of two characters within a cell as two lines.
    on_record: (cells: string[], { lines }: { lines: number }): CsvRecord => {
      const text = cells.join(' ')
      extraLines += countMatches(text, /\r\n/g)
      return { line: lines - extraLines - countMatches(text, /\r\n|\n|\r/g), cells }
    },
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  }
  try {
    return parse(csv, options) as unknown as CsvRecord[]
  } catch (error) {
    throw new UsageError(`The file is no valid CSV: ${(error as Error).message}`)
  }
}

/** A column without a heading is ignored if its cells are empty, as spreadsheets write some. */
const listUsed = (names: string[], records: CsvRecord[]) =>
  names.filter((name, index) => name !== '' || records.some(({ cells }) => isFilled(cells[index] ?? '')))

function requireColumns(names: string[], columns: readonly Column[]) {
  const known = columns.map(({ name }) => name)
  if (names.includes('')) throw new UsageError('The file has cells in a column without a heading')
  const repeated = names.filter((name, index) => names.indexOf(name) < index)
  if (repeated.length > 0) throw new UsageError(`The file has these columns twice: ${repeated.join(', ')}`)
  const unknown = names.filter(name => !known.includes(name))
  if (unknown.length > 0)
    throw new UsageError(
      `The file has the unknown columns ${unknown.join(', ')}. The columns are ${known.join(', ')}`,
    )
  const missing = columns.filter(({ name, isRequired }) => isRequired && !names.includes(name))
  if (missing.length > 0)
    throw new UsageError(`The file lacks the columns ${missing.map(({ name }) => name).join(', ')}`)
}

const countMatches = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Says which cell each value that the server refused came from; other errors end the import. */
export function toCsvErrors(
  error: unknown,
  { line, column, locate }: Omit<CsvError, 'message'> & { locate: (property: string) => Partial<CsvError> },
): CsvError[] {
  const { code, message, violations = [] } = error as ValidationError
  if (code !== 'VALIDATION_ERROR' && code !== 'BAD_REQUEST') throw error
  if (violations.length === 0) return [{ line, column, message }]
  return violations.map(({ property, constraints }) => ({
    line,
    column: property,
    message: Object.values(constraints).join('; ') || 'is not valid',
    ...locate(property),
  }))
}

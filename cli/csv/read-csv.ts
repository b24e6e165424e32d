import type { ValidationError } from '@kiraya/sdk'
import { UsageError } from '../runtime/errors'
import { parseCell, type CellValue } from './cells'
import type { Column } from './columns'

/** `line` counts from 1, with the heading; `column` is its name. */
export type CsvError = { line: number; column: string; message: string }
export type Row = { line: number; values: Record<string, CellValue> }
type CsvRecord = { record: string[]; info: { lines: number } }

/** Reads a file with a heading. Every wrong cell is named; a file that is no CSV is a usage error. */
export async function readCsv(csv: string, columns: readonly Column[]) {
  const all = await parseRecords(csv)
  const [heading, ...records] = all
  if (!heading) throw new UsageError('The file is empty; its first line names the columns')
  const names = heading.record.map(name => name.trim().toLowerCase())
  requireColumns(names, columns)
  const errors: CsvError[] = []
  const [, ...firstLines] = findFirstLines(all)
  const rows = records.map(({ record }, index): Row => {
    const line = firstLines[index]!
    const report = (column: string, message: string) => errors.push({ line, column, message })
    if (record.length > names.length) report(names.at(-1)!, 'the line has more cells than the heading')
    const values: Row['values'] = {}
    for (const column of columns) {
      const { name, isRequired } = column
      const cell = record[names.indexOf(name)]?.trim() ?? ''
      const { value, mistake } = cell === '' ? {} : parseCell(column, cell)
      if (value !== undefined) values[name] = value as CellValue
      else if (mistake || isRequired) report(name, mistake ?? 'is missing')
    }
    return { line, values }
  })
  return { rows, errors }
}

async function parseRecords(csv: string) {
  const { parse } = await import('csv-parse/sync')
  try {
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true }
    return parse(csv, options) as unknown as CsvRecord[]
  } catch (error) {
    throw new UsageError(`The file is no valid CSV: ${(error as Error).message}`)
  }
}

function requireColumns(names: string[], columns: readonly Column[]) {
  const known = columns.map(({ name }) => name)
  if (names.length === 1 && names[0]!.includes(';'))
    throw new UsageError('The columns are separated by ; and not by commas. Save the file as CSV with commas')
  const unknown = names.filter(name => !known.includes(name))
  if (unknown.length > 0)
    throw new UsageError(
      `The file has the unknown columns ${unknown.join(', ')}. The columns are ${known.join(', ')}`,
    )
  const missing = columns.filter(({ name, isRequired }) => isRequired && !names.includes(name))
  if (missing.length > 0)
    throw new UsageError(`The file lacks the columns ${missing.map(({ name }) => name).join(', ')}`)
}

/** A record is read at its last line. The parser counts a break of two characters within a cell as two lines. */
function findFirstLines(records: CsvRecord[]) {
  let extraLines = 0
  return records.map(({ record, info }) => {
    const text = record.join(' ')
    extraLines += countMatches(text, /\r\n/g)
    return info.lines - extraLines - countMatches(text, /\r\n|\n|\r/g)
  })
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

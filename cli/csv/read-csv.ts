import { UsageError } from '../runtime/errors'
import { CellError, type CellValue, type Kind } from './cells'

export type Column<Name extends string = string> = { name: Name; kind: Kind; isRequired?: boolean }
/** `line` counts from 1, with the heading; `column` is its name. */
export type CsvError = { line: number; column: string; message: string }
export type Row<Name extends string = string> = {
  line: number
  values: Partial<Record<Name, CellValue>>
}
export type CsvContent<Name extends string> = { rows: Row<Name>[]; errors: CsvError[] }

type CsvRecord = { record: string[]; info: { lines: number } }

/** Reads a file with a heading. Every wrong cell is named; a file that is no CSV is a usage error. */
export async function readCsv<Name extends string>(
  csv: string,
  columns: readonly Column<Name>[],
): Promise<CsvContent<Name>> {
  const all = await parseRecords(csv)
  const [heading, ...records] = all
  if (!heading) throw new UsageError('The file is empty; its first line names the columns')
  const names = heading.record.map(name => name.trim().toLowerCase())
  requireColumns(names, columns)
  const errors: CsvError[] = []
  const [, ...firstLines] = findFirstLines(all)
  const rows = records.map(({ record }, row) => {
    const line = firstLines[row]!
    if (record.length > names.length)
      errors.push({ line, column: names.at(-1)!, message: 'the line has more cells than the heading' })
    const cells = new Map(names.map((name, index) => [name, record[index]?.trim() ?? '']))
    return {
      line,
      values: parseCells(cells, columns, (column, message) => errors.push({ line, column, message })),
    }
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

function parseCells<Name extends string>(
  cells: Map<string, string>,
  columns: readonly Column<Name>[],
  report: (column: string, message: string) => void,
) {
  const values: Partial<Record<Name, CellValue>> = {}
  for (const { name, kind, isRequired } of columns) {
    const cell = cells.get(name) ?? ''
    if (cell !== '') values[name] = parseCell(kind, cell, message => report(name, message))
    else if (isRequired) report(name, 'is missing')
  }
  return values
}

function parseCell(kind: Kind, cell: string, report: (message: string) => void) {
  try {
    return kind.parse(cell)
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    report(error.message)
  }
}

import { toNameKey } from '@kiraya/sdk/contract/names'
import { UsageError } from '../runtime/errors'

/** What a spreadsheet stores in a cell. */
export type Cell = string | number | boolean | Date | null | undefined
/** All rows of a sheet, empty ones too, so that the place of a cell tells its address. */
export type Grid = { rows: Cell[][]; otherSheets: string[] }

const startsWith = (file: Uint8Array, ...bytes: number[]) =>
  bytes.every((byte, index) => file[index] === byte)

/** Reads an .xlsx workbook, or text with separators. A file that is neither is a usage error. */
export async function readGrid(file: Uint8Array, sheet?: string): Promise<Grid> {
  if (startsWith(file, 0xd0, 0xcf, 0x11, 0xe0))
    throw new UsageError('The file is an .xls workbook or has a password. Save it as .xlsx or CSV')
  if (startsWith(file, 0x50, 0x4b, 0x03, 0x04)) return readWorkbook(file, sheet)
  if (sheet !== undefined) throw new UsageError('--sheet chooses a sheet of an .xlsx file; this file is none')
  return { rows: await parseCsv(decodeCsv(file)), otherSheets: [] }
}

/** Reads a sheet by its name or place, else the first. */
async function readWorkbook(file: Uint8Array, sheet?: string): Promise<Grid> {
  const { default: readXlsxFile } = await import('read-excel-file/universal')
  const sheets = await readXlsxFile(new Uint8Array(file).buffer).catch((error: Error) => {
    throw new UsageError(`The file is no .xlsx workbook that can be read: ${error.message}`)
  })
  const names = sheets.map(({ sheet: name }) => name)
  const named = names.findIndex(name => sheet !== undefined && toNameKey(name) === toNameKey(sheet))
  const index = named >= 0 ? named : Number(sheet ?? 1) - 1
  const chosen = sheets[index]
  if (!chosen) throw new UsageError(`There is no sheet "${sheet}", but ${names.join(', ')}`)
  return { rows: chosen.data as unknown as Cell[][], otherSheets: names.toSpliced(index, 1) }
}

/** Reads UTF-8, and UTF-16 with its byte order mark, as Excel writes "Unicode text". */
function decodeCsv(file: Uint8Array) {
  const isLittle = startsWith(file, 0xff, 0xfe)
  const isBig = startsWith(file, 0xfe, 0xff)
  const encoding = isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(file)
  } catch {
    throw new UsageError('The text of the file is not UTF-8. Save it as "CSV UTF-8"')
  }
}

/** Excel may name the separator in a line before all others, which it does not show as a row. */
const SEPARATOR_LINE = /^"?sep=(.)"?\r?\n/i
const SEPARATORS = [',', ';', '\t']
const SAMPLE_LINES = 50

/** Finds the separator that the first lines have most often: amounts have commas too, and titles anything. */
function findSeparator(csv: string) {
  const sample = csv.split(/\r?\n/, SAMPLE_LINES).join('\n')
  const countIn = (separator: string) => sample.split(separator).length
  return SEPARATORS.toSorted((a, b) => countIn(b) - countIn(a))[0]!
}

async function parseCsv(csv: string): Promise<Cell[][]> {
  const { parse } = await import('csv-parse/sync')
  const named = SEPARATOR_LINE.exec(csv)
  const text = csv.slice(named?.[0].length ?? 0)
  const delimiter = named?.[1] ?? findSeparator(text)
  try {
    return parse(text, { delimiter, relax_column_count: true, skip_empty_lines: false })
  } catch (error) {
    throw new UsageError(`The file is no valid CSV: ${(error as Error).message}`)
  }
}

/** Names a column as spreadsheets do: A, B … Z, AA. */
export function toLetters(column: number): string {
  let letters = ''
  for (let left = column; left >= 0; left = Math.floor(left / 26) - 1)
    letters = String.fromCharCode(65 + (left % 26)) + letters
  return letters
}

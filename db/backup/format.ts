/**
 * A dump is gzipped text. Its lines:
 * - `-- {header}`
 * - for each table, a COPY as PostgreSQL writes it, its rows, `\.`, and `-- {footer}`
 * - `SELECT setval(…);` for each sequence
 * - `-- {totals}`
 */
export type DumpHeader = { kiraya: 1; taken_at: string; migrations: string[] }
export type TableFooter = { table: string; rows: number; sha256: string }
export type DumpTotals = { tables: number; rows: number }

const JSON_LINE = '-- {'

/** Ends the rows of a table. No row contains it, because COPY doubles backslashes. */
export const END_OF_ROWS = '\\.\n'

export const isJsonLine = (line: string) => line.startsWith(JSON_LINE)

export const toJsonLine = (content: DumpHeader | TableFooter | DumpTotals) =>
  `-- ${JSON.stringify(content)}\n`

export function parseJsonLine<T>(line: string): T {
  if (!isJsonLine(line)) throw createDamagedLineError(line)
  return JSON.parse(line.slice('-- '.length))
}

export const createDamagedLineError = (line: string) =>
  new Error(`The dump is damaged at: ${line.slice(0, 80)}`)

/** More rows take seconds to lay out, and hundreds of megabytes. */
export const MAX_ROWS = 10_000

/** Splits rows into those that a document has, from the first one, and the others. */
export function splitRows<Row>(rows: Row[]): [shown: Row[], further: Row[]] {
  return [rows.slice(0, MAX_ROWS), rows.slice(MAX_ROWS)]
}

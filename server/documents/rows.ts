/** A row takes half a millisecond to lay out, and some 200 kB. */
export const MAX_ROWS = 1000
/** A unit has two rows of many columns. */
export const MAX_UNITS = 500

/** Splits rows into those that a document has, from the first one, and the others. */
export function splitRows<Row>(rows: Row[]): [shown: Row[], further: Row[]] {
  return [rows.slice(0, MAX_ROWS), rows.slice(MAX_ROWS)]
}

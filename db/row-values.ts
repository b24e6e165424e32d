/** Type ids of PostgreSQL: int8, numeric, date, timestamptz, int4[]. */
const readers: Record<number, (value: never) => unknown> = {
  20: (count: string) => Number(count),
  1700: (amount: string) => Number(amount), // exact below ₹9 × 10¹³
  1082: (day: Date) => toIsoString(day).slice(0, 10),
  1184: (time: Date) => toIsoString(time),
  1007: (list: Int32Array) => Array.from(list),
}

type Result<R> = R[] & { columns?: { name: string; type: number }[] | null }

/**
 * Replaces the values of rows by those that JSON has: a date is YYYY-MM-DD, a timestamp an ISO string, a
 * count a number. So rows are what the tables' types say, and as within a JSON response.
 */
export function toJsonValues<R extends Record<string, unknown>>(rows: Result<R>): Result<R> {
  for (const { name, type } of rows.columns ?? []) {
    const read = readers[type]
    if (!read) continue
    for (const row of rows as Record<string, unknown>[]) {
      if (row[name] !== null) row[name] = read(row[name] as never)
    }
  }
  return rows
}

/** `infinity` is no Date. */
function toIsoString(time: Date | number) {
  return time instanceof Date ? time.toISOString() : String(time)
}

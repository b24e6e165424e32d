/** Ids, dates and phones by the names that bodies and examples have for them. */
export type Records = Record<string, unknown>

/** Replaces every `$name` by the record. */
export function fill(value: unknown, records: Records): any {
  if (typeof value === 'string') return value.startsWith('$') ? findRecord(value, records) : value
  if (Array.isArray(value)) return value.map(part => fill(part, records))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fill(part, records)]))
}

function findRecord(name: string, records: Records) {
  const record = records[name.slice(1)]
  if (record === undefined) throw new Error(`There is no record ${name}`)
  return record
}

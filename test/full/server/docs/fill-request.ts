import type { Records } from './records'

export type ExampleRequest = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  headers?: Record<string, string>
  body?: unknown
}

/** Replaces every `$name` in a request that the records have. */
export function fillRequest(request: ExampleRequest, records: Records): ExampleRequest {
  return fill(request, records) as ExampleRequest
}

function fill(value: unknown, records: Records): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? (records[value.slice(1)] ?? value) : value
  if (Array.isArray(value)) return value.map(part => fill(part, records))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fill(part, records)]))
}

/** The path with its parameters and its query. */
export function toPath(path: string, { params = {}, query = {} }: ExampleRequest) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)])
  return pairs.length ? `${filled}?${new URLSearchParams(pairs)}` : filled
}

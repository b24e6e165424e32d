/** Whether a field of an object, at any depth, is kept. */
type IsKept = (field: string, object: object) => boolean

/** For adapters whose webhooks are JSON: removes the other fields of a text; `null` if it is not JSON. */
export function redactJson(text: string, isKept: IsKept): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(text), isKept))
  } catch {
    return 'null'
  }
}

function redactValue(value: unknown, isKept: IsKept): unknown {
  if (Array.isArray(value)) return value.map(element => redactValue(element, isKept))
  if (typeof value !== 'object' || value === null) return value

  const fields = Object.entries(value).filter(([field]) => isKept(field, value))
  return Object.fromEntries(fields.map(([field, inner]) => [field, redactValue(inner, isKept)]))
}

type Redaction = {
  /** The names of the fields to keep, at any depth. */
  keptFields: ReadonlySet<string>
  /** Whether an object is about the person who may see all of its fields. */
  isOwn: (value: object) => boolean
}

/** For adapters whose webhooks are JSON: removes the other fields of a text; `null` if it is not JSON. */
export function redactJson(text: string, redaction: Redaction): string {
  try {
    return JSON.stringify(redactValue(JSON.parse(text), redaction))
  } catch {
    return 'null'
  }
}

function redactValue(value: unknown, redaction: Redaction): unknown {
  if (Array.isArray(value)) return value.map(element => redactValue(element, redaction))
  if (typeof value !== 'object' || value === null) return value

  const isOwn = redaction.isOwn(value)
  const fields = Object.entries(value).filter(([name]) => isOwn || redaction.keptFields.has(name))
  return Object.fromEntries(fields.map(([name, inner]) => [name, redactValue(inner, redaction)]))
}

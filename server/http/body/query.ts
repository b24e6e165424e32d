import type { TSchema } from '@sinclair/typebox'

type Query = Record<string, unknown>
type Coerce = (text: string) => unknown

const coerceByType: Record<string, Coerce> = {
  integer: coerceNumber,
  number: coerceNumber,
  boolean: coerceBoolean,
}

/** Replaces the texts of a query by the numbers and booleans that its schema asks for, and adds its defaults. */
export function coerceQuery({ properties }: TSchema, query: Query): Query {
  for (const [name, schema] of Object.entries<TSchema>(properties)) {
    const value = query[name]
    const coerce = getCoercion(schema)
    if (value === undefined && 'default' in schema) query[name] = schema.default
    if (coerce && typeof value === 'string') query[name] = coerce(value)
  }
  return query
}

/** The coercion of a union is that of its first type: text that it leaves as it is may fit another one. */
function getCoercion({ type, anyOf }: TSchema): Coerce | undefined {
  return coerceByType[type ?? anyOf?.[0].type]
}

function coerceNumber(text: string) {
  return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text
}

function coerceBoolean(text: string) {
  if (text === 'true') return true
  if (text === 'false') return false
  return text
}

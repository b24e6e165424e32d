import type { TObject, TSchema } from '@sinclair/typebox'
import { createTrim } from './texts'

type Coerce = (text: string) => unknown

const coerceByType: Record<string, Coerce> = {
  integer: coerceNumber,
  number: coerceNumber,
  boolean: coerceBoolean,
}

/** Declares the query of a route: its texts are trimmed, or become the numbers and booleans that its schema asks for. */
export function coerceQuery<S extends TObject>(query: S) {
  const schemas = Object.entries(query.properties)
  const properties = Object.fromEntries(schemas.map(([name, schema]) => [name, skipElysiaCoercion(schema)]))
  const coercions = schemas.flatMap(([name, schema]) => {
    const coerce = getCoercion(schema)
    return coerce ? [{ name, coerce }] : []
  })

  const trim = createTrim(query)

  return {
    query: { ...query, properties } as S,
    transform: (context: { query: Record<string, unknown> }) => {
      trim?.(context.query)
      for (const { name, coerce } of coercions) {
        const text = context.query[name]
        if (typeof text === 'string') context.query[name] = coerce(text)
      }
    },
  }
}

/** The coercion of a union is that of its first type: text that it leaves as it is may fit another one. */
function getCoercion({ type, anyOf }: TSchema): Coerce | undefined {
  return coerceByType[type ?? anyOf?.[0].type]
}

/** Elysia 1.4.30 leaves a schema with `elysiaMeta` alone; otherwise it would coerce the values again. */
function skipElysiaCoercion(schema: TSchema) {
  if (!getCoercion(schema)) return schema
  return Object.defineProperty({ ...schema }, 'elysiaMeta', { value: 'coerced' })
}

function coerceNumber(text: string) {
  return /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text
}

function coerceBoolean(text: string) {
  if (text === 'true') return true
  if (text === 'false') return false
  return text
}

import type { TObject, TSchema } from '@sinclair/typebox'

/** A route's query: text on the wire, read as the numbers and booleans that its schema names, and only there. */
export function coerceQuery<S extends TObject>(query: S) {
  const read = Object.entries(query.properties).flatMap(([name, { type }]) =>
    readers[type] ? [{ name, read: readers[type] }] : [],
  )
  const properties = Object.fromEntries(
    Object.entries(query.properties).map(([name, schema]) => [name, readAlready(schema)]),
  )
  return {
    query: { ...query, properties } as S,
    transform: (context: { query: Record<string, unknown> }) => {
      for (const { name, read: of } of read) {
        const text = context.query[name]
        if (typeof text === 'string') context.query[name] = of(text)
      }
    },
  }
}

/** A schema of which Elysia makes no other, which would read the values again, and twice (1.4.30). */
const readAlready = (schema: TSchema) =>
  readers[schema.type] ? Object.defineProperty({ ...schema }, 'elysiaMeta', { value: 'read' }) : schema

const number = (text: string) => (/^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text)
const readers: Record<string, (text: string) => unknown> = {
  integer: number,
  number,
  boolean: text => (text === 'true' ? true : text === 'false' ? false : text),
}

import type { TObject } from '@sinclair/typebox'

/** A route's query: text on the wire, read as the numbers and booleans that its schema names, and only there. */
export const inQuery = <S extends TObject>(query: S) => ({
  query,
  transform: (context: { query: Record<string, unknown> }) => {
    for (const [name, { type }] of Object.entries(query.properties)) {
      const read = readers[type], text = context.query[name]
      if (read && typeof text === 'string') context.query[name] = read(text)
    }
  },
})

const number = (text: string) => /^-?\d{1,15}(\.\d{1,10})?$/.test(text) ? Number(text) : text
const readers: Record<string, (text: string) => unknown> = { integer: number, number, boolean: text => text === 'true' ? true : text === 'false' ? false : text }

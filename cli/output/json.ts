import { UsageError } from '../runtime/errors'

/** Chooses the output for data: some fields, or what an expression selects. */
export type Selection = Awaited<ReturnType<typeof createSelection>>

type Options = { json?: string | boolean; query?: string }
type Row = Record<string, unknown>

/** Returns the selection that the flags describe. The library of expressions loads only for `--query`. */
export async function createSelection({ json, query }: Options) {
  const { pick, requireFields } = createPicker(typeof json === 'string' && json !== '' ? json.split(',') : [])
  const search = query === undefined ? (data: unknown) => data : await createSearch(query)
  return {
    toText: (data: unknown) => {
      const selected = search(pick(data))
      // A single text is printed bare, so that scripts need not remove quotes.
      if (query !== undefined && typeof selected === 'string') return selected
      return JSON.stringify(selected, null, 2)
    },
    requireFields,
  }
}

async function createSearch(query: string) {
  const { compile, TreeInterpreter } = await import('@jmespath-community/jmespath')
  const explain = <Result>(work: () => Result) => {
    try {
      return work()
    } catch (error) {
      throw new UsageError(`--query is not a valid JMESPath expression: ${(error as Error).message}`)
    }
  }
  const expression = explain(() => compile(query))
  return (data: unknown): unknown => explain(() => TreeInterpreter.search(expression, data as never))
}

/** A field that no row has is an error, and nothing is printed; one that other rows have is null. */
function createPicker(fields: string[]) {
  const requireFields = (known: readonly string[]) => {
    const field = fields.find(name => !known.includes(name))
    if (field) throw new UsageError(`--json: there is no field ${field}, but ${[...known].join(', ')}`)
  }
  const pickFrom = (row: Row) => Object.fromEntries(fields.map(field => [field, row[field] ?? null]))
  const pick = (data: unknown): unknown => {
    if (fields.length === 0 || typeof data !== 'object' || data === null) return data
    const rows = [data].flat() as Row[]
    if (rows.length > 0) requireFields([...new Set(rows.flatMap(row => Object.keys(row)))])
    return Array.isArray(data) ? rows.map(pickFrom) : pickFrom(data as Row)
  }
  return { pick, requireFields }
}

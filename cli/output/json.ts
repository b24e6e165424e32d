import { UsageError } from '../runtime/errors'

/** Chooses the output for data: some fields, or what an expression selects. */
export type Selection = Awaited<ReturnType<typeof createSelection>>

type Options = { json?: string | boolean; query?: string }
type Row = Record<string, unknown>

/** Returns the selection that the flags describe. The library of expressions loads only for `--query`. */
export async function createSelection({ json, query }: Options) {
  const { pick, ...checks } = createPicker(typeof json === 'string' && json !== '' ? json.split(',') : [])
  const search = query === undefined ? (data: unknown) => data : await createSearch(query)
  return {
    toText: (data: unknown) => {
      const selected = search(pick(data))
      // A single text is printed bare, so that scripts need not remove quotes.
      if (query !== undefined && typeof selected === 'string') return selected
      return JSON.stringify(selected, null, 2)
    },
    ...checks,
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

/** An unknown field is null in the output and an error at the end: what was done is not hidden. */
function createPicker(fields: string[]) {
  let complaint: string | undefined
  const pickField = (row: Row, field: string) => {
    if (!(field in row))
      complaint ??= `--json: there is no field ${field}, but ${Object.keys(row).join(', ')}`
    return row[field] ?? null
  }
  const pick = (data: unknown): unknown => {
    if (fields.length === 0 || typeof data !== 'object' || data === null) return data
    if (Array.isArray(data)) return data.map(pick)
    return Object.fromEntries(fields.map(field => [field, pickField(data as Row, field)]))
  }
  const requireFields = (known: readonly string[]) => {
    const field = fields.find(name => !known.includes(name))
    if (field) throw new UsageError(`--json: there is no field ${field}, but ${[...known].join(', ')}`)
  }
  const requireKnownFields = () => {
    if (complaint) throw new UsageError(complaint)
  }
  return { pick, requireFields, requireKnownFields }
}

import type { Json } from './schemas'

/** One request to a server, as a client of Variant B, and what came back. */
export type RecordedExample = {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  headers?: Record<string, string>
  body?: unknown
  answer: unknown
}

declare module 'elysia' {
  interface DocumentDecoration {
    /** By `METHOD /path/{id}`; recorded beside the routes by `test/full/server/docs/examples.test.ts`. */
    examples?: Record<string, RecordedExample>
  }
}

/** Adds the example of each parameter that has one. */
export function addParameterExamples(parameters: Json[], example: RecordedExample | undefined): Json[] {
  const params = Object.entries(example?.params ?? {}).map(([name, value]) => [name, String(value)])
  const values = { ...Object.fromEntries(params), ...example?.query, ...example?.headers }
  return parameters.map(parameter =>
    parameter.name in values ? { ...parameter, example: values[parameter.name] } : parameter,
  )
}

import { isRecord, renameFields, toCamelCase } from '../variants/camel-case'
import { dialects } from '../variants/dialect'
import recorded from './examples.json'
import type { InForms, Json } from './schemas'

/** One request to a server, as a client of Variant B, and what came back. */
export type RecordedExample = {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  headers?: Record<string, string>
  body?: unknown
  answer: unknown
}

/** Recorded by `test/full/server/docs/examples.test.ts`. */
const examples: Record<string, RecordedExample> = recorded

export const findExample = (operation: string): RecordedExample | undefined => examples[operation]

export const toBodyExample = ({ body }: RecordedExample): InForms<unknown> => ({
  envelope: body,
  plain: renameFields(body, toCamelCase),
})

/** `plainFields` are the fields of a result of which Variant A has only some. */
export function toAnswerExample({ answer }: RecordedExample, plainFields?: string[]): InForms<unknown> {
  const data = isRecord(answer) && 'data' in answer ? answer.data : answer
  return { envelope: answer, plain: dialects.a.encodeResult(pick(data, plainFields)) }
}

function pick(data: unknown, fields: string[] | undefined) {
  if (!fields || !isRecord(data)) return data
  return Object.fromEntries(fields.map(field => [field, data[field]]))
}

/** Adds the example of each parameter that has one. */
export function addParameterExamples(parameters: Json[], example: RecordedExample | undefined): Json[] {
  const params = Object.entries(example?.params ?? {}).map(([name, value]) => [name, String(value)])
  const values = { ...Object.fromEntries(params), ...example?.query, ...example?.headers }
  return parameters.map(parameter =>
    parameter.name in values ? { ...parameter, example: values[parameter.name] } : parameter,
  )
}

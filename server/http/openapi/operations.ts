import type { TObject, TSchema } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { Message } from '@kiraya/sdk/contract'
import type { Config } from '../../config'
import { getMaxBodyBytes } from '../body/limits'
import { toCamelCaseSchema } from '../variants/camel-case'
import { describeErrors } from './errors'
import { addParameterExamples, findExample, toAnswerExample, toBodyExample } from './examples'
import type { RecordedExample } from './examples'
import { toContent, toEnvelopeSchema, toStandardSchema, type Forms, type Json } from './schemas'
import { supportsBothVariants } from '../variants/detect-variant'

type Route = AnyElysia['routes'][number]

const OPERATOR_PATH = /^\/(metrics$|operations\/)/
const SANDBOX_PATH = /^\/sandbox\//
const MEGABYTE = 1024 * 1024

/** Results of which Variant A has fewer fields than Variant B. */
const RESULTS_OF_VARIANT_A: Record<string, TObject> = { 'POST /auth': Message }

const FILE_SCHEMAS: Record<string, Json> = {
  'application/pdf': { type: 'string', format: 'binary' },
  'text/plain': { type: 'string' },
}

/** Results that a query asks for as a file, beside JSON. */
const ALSO_FILES: Record<string, string> = { 'GET /books/annual': 'application/pdf' }

/** Describes a route by its schemas; its `detail` says what they do not. */
export function describeOperation(route: Route, path: string, config: Config): Json {
  const { method, hooks } = route
  const { body, query, response } = hooks
  const { reasons: _, ...detail } = hooks.detail ?? {}
  const operation = `${method} ${path}`
  const forms = getForms(path, config)
  const example = findExample(operation)

  const parameters = [...describePath(path), ...describeQuery(query), ...(detail.parameters ?? [])]
  const requestBody = body ? describeBody(body, forms, example) : withExample(detail.requestBody, example)
  const results = Object.entries<TSchema>(response).map(([status, schema]) => [
    status,
    describeResult(operation, status, schema, forms),
  ])
  const errors = describeErrors(route, forms)
  return {
    ...detail,
    parameters: addParameterExamples(parameters, example),
    ...(requestBody && { requestBody }),
    responses: { ...Object.fromEntries(results), ...errors },
  }
}

function getForms(path: string, { API_VARIANT }: Config): Forms {
  if (!supportsBothVariants(path)) return { envelope: true, plain: false }
  return { envelope: API_VARIANT !== 'a', plain: API_VARIANT !== 'b' }
}

function describePath(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const isRecord = !OPERATOR_PATH.test(path) && !SANDBOX_PATH.test(path)
  const description = isRecord ? 'The numeric id or the UUID of the record' : 'The id of the record'
  return names.map(name => ({ name, in: 'path', required: true, description, schema: { type: 'string' } }))
}

function describeQuery(query: Json | undefined) {
  const required: string[] = query?.required ?? []
  return Object.entries<TSchema>(query?.properties ?? {}).map(([name, field]) => {
    const { description, ...schema } = toStandardSchema(field)
    return { name, in: 'query', required: required.includes(name), description, schema }
  })
}

function describeBody(body: TSchema, forms: Forms, example: RecordedExample | undefined) {
  const schema = toStandardSchema(body)
  const schemas = { envelope: schema, plain: toCamelCaseSchema(schema) }
  return {
    description: `At most ${formatBytes(getMaxBodyBytes(body))}`,
    required: !!schema.required?.length,
    content: toContent(forms, schemas, example && toBodyExample(example)),
  }
}

/** For a body that the route describes itself. */
function withExample(requestBody: Json | undefined, example: RecordedExample | undefined) {
  if (!requestBody || !example) return requestBody
  const json = { ...requestBody.content['application/json'], example: example.body }
  return { ...requestBody, content: { 'application/json': json } }
}

function describeResult(operation: string, status: string, result: TSchema, forms: Forms) {
  const description = status === '201' ? 'Created' : 'Success'
  const example = findExample(operation)
  const schema = toStandardSchema(result)
  if (schema.contentMediaType) {
    const file = {
      schema: FILE_SCHEMAS[schema.contentMediaType],
      ...(example && { example: example.answer }),
    }
    return { description, content: { [schema.contentMediaType]: file } }
  }

  const resultOfVariantA = RESULTS_OF_VARIANT_A[operation]
  const plainFields = resultOfVariantA && Object.keys(resultOfVariantA.properties)
  const plain = toCamelCaseSchema(toStandardSchema(resultOfVariantA ?? result))
  const schemas = { envelope: toEnvelopeSchema(schema), plain }
  const content = toContent(forms, schemas, example && toAnswerExample(example, plainFields))
  const file = ALSO_FILES[operation]
  return {
    description,
    content: { ...content, ...(file && { [file]: { schema: FILE_SCHEMAS[file], example: '%PDF-1.7 …' } }) },
  }
}

function formatBytes(bytes: number) {
  const [unit, size] = bytes < MEGABYTE ? ['KB', 1024] : ['MB', MEGABYTE]
  return `${Number((bytes / size).toFixed(1))} ${unit}`
}

import type { TObject, TSchema } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { Message } from '@kiraya/sdk/contract'
import type { RecordPath } from '../record-id'
import { isRecord } from '../variants/camel-case'
import type { Variant } from '../../domain/variants'
import { describeErrors } from './errors'
import { addParameterExamples, type RecordedExample } from './examples'
import { getForm, type Form } from './forms'
import { toJsonContent, toStandardSchema, type Json } from './schemas'

type Route = AnyElysia['routes'][number]

/** Results of which Variant A has fewer fields than Variant B. */
const RESULTS_OF_VARIANT_A: Record<string, TObject> = { 'POST /auth': Message }

const FILE_SCHEMAS: Record<string, Json> = {
  'application/pdf': { type: 'string', format: 'binary' },
  'image/webp': { type: 'string', format: 'binary' },
  'text/plain': { type: 'string' },
}

/** Results that may also be a file of another type. */
const ALSO_FILES: Record<string, string> = {
  'GET /books/annual': 'application/pdf',
  'GET /maintenance-requests/{id}/attachments/{attachmentId}': 'application/pdf',
}

/** Describes a route by its schemas; its `detail` says what they do not. */
export function describeOperation(route: Route, path: string, variant: Variant): Json {
  const { method, hooks } = route
  const { body, params, query, response } = hooks
  const { reasons: _, examples, ...detail } = hooks.detail ?? {}
  const operation = `${method} ${path}`
  const form = getForm(path, variant)
  const example: RecordedExample | undefined = examples?.[operation]

  const parameters = [...describePath(path, params), ...describeQuery(query), ...(detail.parameters ?? [])]
  const requestBody = body ? describeBody(body, form, example) : withExample(detail.requestBody, example)
  const file = ALSO_FILES[operation]
  const results = Object.entries<TSchema>(response).map(([status, schema]) => {
    const result = (variant === 'a' && RESULTS_OF_VARIANT_A[operation]) || schema
    const description = status === '201' ? 'Created' : 'Success'
    const content = describeResult(result, form, example)
    return [status, { description, content: { ...content, ...(file && describeFile(file, '%PDF-1.7 …')) } }]
  })
  return {
    ...detail,
    parameters: addParameterExamples(parameters, example),
    ...(requestBody && { requestBody }),
    responses: { ...Object.fromEntries(results), ...describeErrors(route, form) },
  }
}

function describePath(path: string, records: RecordPath | undefined) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  return names.map(name => {
    const kind = records?.kinds[name]?.replaceAll('_', ' ')
    const description = kind ? `The numeric id or the UUID of the ${kind}` : 'The id of the record'
    return { name, in: 'path', required: true, description, schema: { type: 'string' } }
  })
}

function describeQuery(query: Json | undefined) {
  const required: string[] = query?.required ?? []
  return Object.entries<TSchema>(query?.properties ?? {}).map(([name, field]) => {
    const { description, ...schema } = toStandardSchema(field)
    return { name, in: 'query', required: required.includes(name), description, schema }
  })
}

function describeBody(body: TSchema, form: Form, example: RecordedExample | undefined) {
  const schema = toStandardSchema(body)
  return {
    required: !!schema.required?.length,
    content: toJsonContent(form.toBodySchema(schema), form.toBodyExample(example?.body)),
  }
}

/** For a body that the route describes itself; bytes have no example. */
function withExample(requestBody: Json | undefined, example: RecordedExample | undefined) {
  if (!requestBody?.content['application/json'] || !example) return requestBody
  const { schema } = requestBody.content['application/json']
  return { ...requestBody, content: { ...requestBody.content, ...toJsonContent(schema, example.body) } }
}

function describeResult(result: TSchema, form: Form, example: RecordedExample | undefined) {
  const { contentMediaType, ...schema } = toStandardSchema(result)
  if (contentMediaType) return describeFile(contentMediaType, example?.answer)

  const shown = form.toResultSchema(schema)
  return toJsonContent(shown, pickFields(shown, form.toResultExample(example?.answer)))
}

const describeFile = (mediaType: string, example: unknown) => ({
  [mediaType]: { schema: FILE_SCHEMAS[mediaType], ...(example !== undefined && { example }) },
})

/** An example has only the fields that its schema declares. */
function pickFields({ properties }: Json, example: unknown) {
  if (!properties || !isRecord(example)) return example
  return Object.fromEntries(Object.entries(example).filter(([name]) => name in properties))
}

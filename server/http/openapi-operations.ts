import type { TSchema } from '@sinclair/typebox'
import type { AnyElysia } from 'elysia'
import { Message } from '@kiraya/sdk/contract'
import type { Config } from '../config'
import { getMaxBodyBytes } from './body-limits'
import { toCamelCaseSchema } from './camel-case'
import { describeErrors } from './openapi-errors'
import { toContent, toEnvelopeSchema, toStandardSchema, type Forms, type Json } from './openapi-schemas'
import { supportsBothVariants } from './detect-variant'

type Route = AnyElysia['routes'][number]

const PUBLIC_PATH = /^\/(auth(\/verify|\/send-otp|\/login)?|health\/.*|webhooks\/.*)$/
const OPERATOR_PATH = /^\/(metrics$|operations\/)/
const SANDBOX_PATH = /^\/sandbox\//

/** Results of which Variant A has fewer fields than Variant B. */
const RESULTS_OF_VARIANT_A: Record<string, TSchema> = { 'POST /auth': Message }

/** Describes a route by its schemas; its `detail` says what they do not. */
export function describeOperation({ method, hooks }: Route, path: string, config: Config): Json {
  const { body, detail, query, response } = hooks
  const operation = `${method} ${path}`
  const forms = getForms(path, config)
  const security = getSecurity(path, config)

  const requestBody = body && describeBody(body, forms)
  const results = Object.entries<TSchema>(response).map(([status, schema]) => [
    status,
    describeResult(operation, status, schema, forms),
  ])
  const errors = describeErrors(operation, { hasQuery: !!query, isPublic: security?.length === 0 }, forms)
  return {
    operationId: toOperationId(method, path),
    ...detail,
    ...(security && { security }),
    parameters: [...describePath(path), ...describeQuery(query), ...(detail?.parameters ?? [])],
    ...(requestBody && { requestBody }),
    responses: { ...Object.fromEntries(results), ...errors },
  }
}

function toOperationId(method: string, path: string) {
  const words = path
    .split(/[/-]/)
    .map(word => word.replace(/^\{(.*)\}$/, (_, name) => `By${capitalize(name)}`))
  return method.toLowerCase() + words.map(capitalize).join('')
}

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

function getForms(path: string, { API_VARIANT }: Config): Forms {
  if (!supportsBothVariants(path)) return { envelope: true, plain: false }
  return { envelope: API_VARIANT !== 'a', plain: API_VARIANT !== 'b' }
}

/** Undefined is the access token, as for most operations. */
function getSecurity(path: string, { SANDBOX_TOKEN }: Config) {
  if (PUBLIC_PATH.test(path)) return []
  if (OPERATOR_PATH.test(path)) return [{ operator: [] }]
  if (SANDBOX_PATH.test(path)) return SANDBOX_TOKEN ? [{ sandbox: [] }] : []
  return undefined
}

function describePath(path: string) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const isRecord = !OPERATOR_PATH.test(path) && !SANDBOX_PATH.test(path)
  const description = isRecord ? 'The numeric id or the UUID of the record' : 'The id of the record'
  return names.map(name => ({ name, in: 'path', required: true, description, schema: { type: 'string' } }))
}

function describeQuery(query: Json | undefined) {
  const required: string[] = query?.required ?? []
  return Object.entries<TSchema>(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: toStandardSchema(schema),
  }))
}

function describeBody(body: TSchema, forms: Forms) {
  const schema = toStandardSchema(body)
  return {
    description: `At most ${getMaxBodyBytes(body)} bytes`,
    required: !!schema.required?.length,
    content: toContent(forms, schema, toCamelCaseSchema(schema)),
  }
}

function describeResult(operation: string, status: string, result: TSchema, forms: Forms) {
  const schema = toStandardSchema(result)
  const plain = toCamelCaseSchema(toStandardSchema(RESULTS_OF_VARIANT_A[operation] ?? result))
  return {
    description: status === '201' ? 'Created' : 'Success',
    content: schema.contentMediaType
      ? { [schema.contentMediaType]: { schema: {} } }
      : toContent(forms, toEnvelopeSchema(schema), plain),
  }
}

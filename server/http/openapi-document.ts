import type { AnyElysia } from 'elysia'
import { toCamelCaseSchema } from './camel-case'
import { supportsBothVariants } from './detect-variant'
import {
  errorEnvelopeSchema,
  plainErrorSchema,
  toEnvelopeSchema,
  toStandardSchema,
  type Json,
} from './openapi-schemas'

export type OpenApiDocument = Json

const DESCRIPTION =
  'Rental management for landlords in India. Responses are in an envelope; older clients (Variant A) send ' +
  'and read camelCase without one, where an operation shows two forms. Amounts are rupees, dates are ' +
  'YYYY-MM-DD in Asia/Kolkata, timestamps ISO 8601. Every response carries `x-request-id`.'

const TAGS = [
  'Sign-in',
  'Profile and eKYC',
  'Dashboard',
  'Properties',
  'Property units',
  'Tenants',
  'Agreements',
  'Webhooks',
  'Health',
  'Operations',
  'Sandbox',
]

/** Paths of the sandbox's providers and pages are left out. */
const HIDDEN_PATH = /^\/(sandbox(?!\/messages|\/control)|signed$|verified$)/
const PUBLIC_PATH = /^\/(auth(\/verify|\/send-otp|\/login)?|health\/.*|webhooks\/.*|sandbox\/.*)$/

/** Errors beyond those that follow from the shape of a request. */
const FURTHER_ERRORS: [path: RegExp, statuses: number[]][] = [
  [/^\/auth(\/send-otp)?$/, [429, 503]],
  [/^\/auth\/verify$/, [401, 429]],
  [/^\/auth\/login$/, [401, 429]],
  [/^\/profile\//, [404]],
  [/^\/profile\/complete$/, [429, 503]],
  [/^\/profile\/ekyc/, [503]],
  [/^\/dashboard$/, [403]],
  [/^\/auth\/me$/, [503]],
  [/^\/(properties|agreements)\/\{id\}/, [403]],
  [/^\/agreements$/, [404]],
  [/\/sign$|\/document$|\/replay$/, [503]],
  [/^\/(operations\/|metrics)/, [401, 404]],
  [/^\/tenants$/, [429]],
  [/^\/sandbox\//, [401]],
  [/^\/webhooks\/esign$/, [401, 503]],
  [/^\/webhooks\/ekyc$|\{(unitId|id)\}$|\/cancel$/, [400]],
  [/^\/health\/ready$/, [503]],
]

const ERROR_DESCRIPTIONS: Record<number, string> = {
  400: 'The input is not valid',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many requests; see Retry-After',
  503: 'A provider or the database cannot be reached',
}

export async function createOpenApiDocument(app: AnyElysia, url: string): Promise<OpenApiDocument> {
  return {
    openapi: '3.1.0',
    info: { title: 'Kiraya', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url }],
    tags: TAGS.map(name => ({ name })),
    security: [{ bearer: [] }],
    paths: await describePaths(app),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access_token of a sign-in',
        },
      },
      schemas: { Error: errorEnvelopeSchema, ErrorOfVariantA: plainErrorSchema },
    },
  }
}

async function describePaths(app: AnyElysia) {
  // The package is large, and most servers are never asked for the document.
  const { toOpenAPISchema } = await import('@elysiajs/openapi')
  const { paths } = toOpenAPISchema(app) as { paths: Json }
  const visible = Object.entries<Json>(paths).filter(([path]) => !HIDDEN_PATH.test(path))
  for (const [path, operations] of visible) {
    for (const [method, operation] of Object.entries<Json>(operations)) {
      describeOperation(app, path, method, operation)
    }
  }
  return Object.fromEntries(visible)
}

function describeOperation(app: AnyElysia, path: string, method: string, operation: Json) {
  const body = findBodySchema(app, path, method)
  if (body) operation.requestBody = describeBody(path, body)
  for (const parameter of operation.parameters ?? []) describeParameter(parameter)
  for (const [status, response] of Object.entries<Json>(operation.responses))
    describeResponse(path, status, response)
  if (PUBLIC_PATH.test(path)) operation.security = []

  for (const status of getErrorStatuses(path, operation))
    operation.responses[status] = {
      description: ERROR_DESCRIPTIONS[status],
      content: toContent(
        path,
        { $ref: '#/components/schemas/Error' },
        { $ref: '#/components/schemas/ErrorOfVariantA' },
      ),
    }
}

function findBodySchema(app: AnyElysia, path: string, method: string) {
  const toPathTemplate = (pattern: string) => pattern.replace(/:(\w+)/g, '{$1}')
  const route = app.routes.find(
    candidate => candidate.method.toLowerCase() === method && toPathTemplate(candidate.path) === path,
  )
  return route?.hooks.body
}

function describeBody(path: string, body: unknown) {
  const schema = toStandardSchema(JSON.parse(JSON.stringify(body)))
  return {
    required: !!schema.required?.length,
    content: toContent(path, schema, toCamelCaseSchema(schema)),
  }
}

function describeParameter(parameter: Json) {
  parameter.schema = toStandardSchema(parameter.schema)
  if (parameter.in === 'path') parameter.description = 'The numeric id or the UUID of the record'
}

function describeResponse(path: string, status: string, response: Json) {
  const [content] = Object.values<Json>(response.content ?? {})
  const schema = toStandardSchema(content?.schema ?? {})
  response.description = status === '201' ? 'Created' : 'Success'
  response.content = schema.contentMediaType
    ? { [schema.contentMediaType]: { schema: {} } }
    : toContent(path, toEnvelopeSchema(schema), toCamelCaseSchema(schema))
}

function getErrorStatuses(path: string, operation: Json) {
  const hasQuery = operation.parameters?.some((parameter: Json) => parameter.in === 'query')
  const further = FURTHER_ERRORS.filter(([pattern]) => pattern.test(path)).flatMap(([, statuses]) => statuses)
  const statuses = new Set<number>()
  if (operation.requestBody || hasQuery) statuses.add(400)
  if (!operation.security) statuses.add(401)
  if (path.includes('{')) statuses.add(404)
  for (const status of further) statuses.add(status)
  return statuses
}

/** Shows both forms where both variants use the path. */
function toContent(path: string, envelope: Json, plain: Json) {
  const schema = supportsBothVariants(path) ? { oneOf: [envelope, plain] } : envelope
  return { 'application/json': { schema } }
}

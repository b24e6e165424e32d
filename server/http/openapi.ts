import { Elysia, type AnyElysia } from 'elysia'
import { ErrorCode } from '@kiraya/sdk/contract'
import { toCamelCaseKeys, supportsBothVariants } from './variant-plugins'

type Json = Record<string, any>

/** `/openapi.json`, generated from the contract of the routes of `app`, and `/docs`, which shows it without asking anybody else. */
export const openApiRoutes = (app: AnyElysia, publicUrl: () => string) => {
  let document: Json | undefined
  const dist = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'))
  return new Elysia({ detail: { hide: true } })
    .get('/openapi.json', async () => Response.json((document ??= await describe(app, publicUrl()))))
    .get(
      '/docs',
      () =>
        new Response(html, {
          headers: {
            'content-type': 'text/html; charset=utf-8',
            'content-security-policy':
              "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
          },
        }),
    )
    .get(
      '/docs/start.js',
      () => new Response(start, { headers: { 'content-type': 'text/javascript; charset=utf-8' } }),
    )
    .get('/docs/swagger-ui.css', () => new Response(Bun.file(new URL('swagger-ui.css', dist))))
    .get('/docs/swagger-ui-bundle.js', () => new Response(Bun.file(new URL('swagger-ui-bundle.js', dist))))
}

const html =
  '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Kiraya API</title><link rel="stylesheet" href="/docs/swagger-ui.css"></head>\n<body><div id="api"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>\n'
const start =
  "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null, persistAuthorization: true })\n"

const open = /^\/(auth(\/verify|\/send-otp|\/login)?|health\/.*|webhooks\/.*|sandbox\/.*)$/
const shown = (path: string) => !/^\/(sandbox(?!\/messages|\/control)|signed$|verified$)/.test(path)
/** Where a request may be refused beyond what its own shape says. */
const further: [RegExp, number[]][] = [
  [/^\/auth(\/send-otp)?$/, [429, 503]],
  [/^\/auth\/verify$/, [401]],
  [/^\/auth\/login$/, [401, 429]],
  [/^\/profile\//, [404]],
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

async function describe(app: AnyElysia, url: string): Promise<Json> {
  const { toOpenAPISchema } = await import('@elysiajs/openapi') // large, and most servers are never asked
  const { paths } = toOpenAPISchema(app) as { paths: Json }
  for (const path of Object.keys(paths)) {
    if (!shown(path)) delete paths[path]
    else
      for (const [method, operation] of Object.entries<Json>(paths[path]))
        describeOperation(app, path, method, operation)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kiraya',
      version: '1.0.0',
      description:
        'Rental management for landlords in India. Answers come in an envelope; older clients (Variant A) send and read camelCase without one, where an operation shows two forms. Amounts are rupees, dates are YYYY-MM-DD in Asia/Kolkata, timestamps ISO 8601. Every answer carries `x-request-id`.',
    },
    servers: [{ url }],
    tags: [
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
    ].map(name => ({ name })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access_token of a sign-in',
        },
      },
      schemas: { Error: failure, ErrorOfVariantA: failureOfA },
    },
  }
}

function describeOperation(app: AnyElysia, path: string, method: string, operation: Json) {
  const route = app.routes.find(
    each => each.method.toLowerCase() === method && each.path.replace(/:(\w+)/g, '{$1}') === path,
  )
  const both = supportsBothVariants(path)
  const body = route?.hooks.body
  const forms = (b: Json, a: Json) => ({ 'application/json': { schema: both ? { oneOf: [b, a] } : b } })
  if (body) {
    const schema = standard(JSON.parse(JSON.stringify(body)))
    operation.requestBody = {
      required: !!schema.required?.length,
      content: forms(schema, toCamelCaseKeys(schema)),
    }
  }
  for (const parameter of operation.parameters ?? []) {
    parameter.schema = standard(parameter.schema)
    if (parameter.in === 'path') parameter.description = 'The numeric id or the UUID of the record'
  }
  for (const [status, response] of Object.entries<Json>(operation.responses)) {
    response.description = status === '201' ? 'Created' : 'Success'
    const schema = standard(Object.values<Json>(response.content ?? {})[0]?.schema ?? {})
    response.content = schema.contentMediaType
      ? { [schema.contentMediaType]: { schema: {} } }
      : forms(enveloped(schema), toCamelCaseKeys(schema))
  }
  if (open.test(path)) operation.security = []
  const refusals = new Set([
    ...(body || operation.parameters?.some((parameter: Json) => parameter.in === 'query') ? [400] : []),
    ...(operation.security ? [] : [401]),
    ...(path.includes('{') ? [404] : []),
    ...further.filter(([where]) => where.test(path)).flatMap(([, statuses]) => statuses),
  ])
  for (const status of refusals)
    operation.responses[status] = {
      description: words[status],
      content: forms(
        { $ref: '#/components/schemas/Error' },
        { $ref: '#/components/schemas/ErrorOfVariantA' },
      ),
    }
}

const words: Record<number, string> = {
  400: 'The input is not valid',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many requests; see Retry-After',
  503: 'A provider or the database cannot be reached',
}

const enveloped = (schema: Json): Json =>
  schema.properties?.data
    ? {
        ...schema,
        required: ['success', ...schema.required],
        properties: { success: { const: true }, ...schema.properties },
      }
    : {
        type: 'object',
        required: ['success', 'data'],
        properties: { success: { const: true }, data: schema },
      }

/** The formats' public names. */
const formats: Record<string, string | undefined> = {
  text: undefined,
  printable: undefined,
  'calendar-date': 'date',
  instant: 'date-time',
  mailbox: 'email',
  'web-address': 'uri',
  'record-uuid': 'uuid',
}
function standard(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(standard)
  if (typeof schema !== 'object' || schema === null) return schema
  if (schema.written) return standard(schema.written)
  const entries = Object.entries(schema).map(([name, value]): [string, unknown] => [
    name,
    name === 'format' && value in formats ? formats[value] : standard(value),
  ])
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

const failure = {
  type: 'object',
  required: ['success', 'data', 'error'],
  properties: {
    success: { const: false },
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: JSON.parse(JSON.stringify(ErrorCode)),
        message: { type: 'string' },
        details: { description: 'For VALIDATION_ERROR an array of { property, constraints }' },
      },
    },
  },
}
const failureOfA = {
  type: 'object',
  required: ['statusCode', 'message', 'error'],
  properties: {
    statusCode: { type: 'integer' },
    message: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    error: { type: 'string' },
  },
}

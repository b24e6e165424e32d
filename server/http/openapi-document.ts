import type { AnyElysia } from 'elysia'
import type { Config } from '../config'
import { describeOperation } from './openapi-operations'
import { errorEnvelopeSchema, plainErrorSchema, type Json } from './openapi-schemas'

export type OpenApiDocument = Json

const DESCRIPTION =
  'Rental management for landlords in India. Responses are in an envelope; older clients (Variant A) send ' +
  'and read camelCase without one, where an operation shows two forms. Amounts are rupees, dates are ' +
  'YYYY-MM-DD in Asia/Kolkata, timestamps ISO 8601. Every response carries `x-request-id`. Messages are English ' +
  'or Hindi, as `Accept-Language` prefers; `code`, `reason` and names of fields stay. A body may be as ' +
  'long as its fields allow in UTF-8, and above 64 KiB only with a valid token; a longer one is 413.'

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

/** The description itself, and the sandbox's providers and pages, are left out. */
const HIDDEN_PATH = /^\/(openapi\.json$|docs(\/|$)|sandbox(?!\/messages|\/control)|signed$|verified$)/

export const isHiddenPath = (path: string) => HIDDEN_PATH.test(path)

/** Describes the routes as they are with these settings. */
export function createOpenApiDocument(app: AnyElysia, config: Config, url: string): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: { title: 'Kiraya', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url }],
    tags: TAGS.map(name => ({ name })),
    security: [{ bearer: [] }],
    paths: describePaths(app, config),
    components: {
      securitySchemes: describeSecuritySchemes(config),
      schemas: {
        Error: errorEnvelopeSchema,
        ...(config.API_VARIANT !== 'b' && { ErrorOfVariantA: plainErrorSchema }),
      },
    },
  }
}

function describePaths({ routes }: AnyElysia, config: Config) {
  const paths: Json = {}
  const described = routes.filter(({ method, path }) => method !== 'OPTIONS' && !isHiddenPath(path))
  for (const route of described) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route, path, config) }
  }
  return paths
}

function describeSecuritySchemes({ SANDBOX_TOKEN }: Config) {
  const http = { type: 'http', scheme: 'bearer' }
  return {
    bearer: { ...http, bearerFormat: 'JWT', description: 'The access_token of a sign-in' },
    operator: { ...http, description: 'OPS_TOKEN; without that setting these operations answer 404' },
    ...(SANDBOX_TOKEN && { sandbox: { ...http, description: 'SANDBOX_TOKEN' } }),
  }
}

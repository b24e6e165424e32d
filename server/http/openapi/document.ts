import type { AnyElysia } from 'elysia'
import type { Config } from '../../config'
import { createCodeSamples } from './code-samples'
import { createComponents } from './components'
import { describeOperation } from './operations'
import { errorEnvelopeSchema, plainErrorSchema, type Json } from './schemas'
import type { Variant } from '../../domain/variants'

export type OpenApiDocument = Json

const DESCRIPTION =
  'Rental management for landlords in India: sign-in by phone, identity check, properties and units, and leases ' +
  'that all parties sign electronically. Responses are in an envelope; older clients (Variant A) send ' +
  'and read camelCase without one in the onboarding, as /openapi/a.json describes. Amounts are rupees, dates are ' +
  'YYYY-MM-DD in Asia/Kolkata (a timestamp at midnight is its day), timestamps ISO 8601. Every response carries `x-request-id`. Messages are English ' +
  'or Hindi, as `Accept-Language` prefers; `code`, `reason` and names of fields stay. A body has at most 1 MiB, ' +
  'an attachment 5 MiB; a longer one is 413.'

/** The description itself, and the sandbox's providers and pages, are left out. */
const HIDDEN_PATH =
  /^\/(\/?$|openapi(\/|\.json$)|docs(\/|$)|assets\/|favicon|sandbox(?!\/messages|\/control)|receipts\/|documents\/|signed$|verified$)/

export const isHiddenPath = (path: string) => HIDDEN_PATH.test(path)

/** The variants that these settings serve. */
export const listVariants = ({ API_VARIANT }: Config): Variant[] =>
  API_VARIANT === 'both' ? ['a', 'b'] : [API_VARIANT]

/** Describes the routes as clients of one variant use them. */
export function createOpenApiDocument(
  app: AnyElysia,
  config: Config,
  variant: Variant,
  tags: Record<string, string>,
): OpenApiDocument {
  const { refer, components } = createComponents()
  const baseUrl = config.PUBLIC_URL ?? `http://localhost:${config.PORT}`
  const paths = refer(describePaths(app, variant, baseUrl))
  const error = refer(errorEnvelopeSchema)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kiraya',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Kiraya', ...(config.PUBLIC_URL && { url: config.PUBLIC_URL }) },
    },
    servers: [{ url: config.PUBLIC_URL ?? '/', description: 'This server' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: describeSecuritySchemes(config),
      schemas: {
        Error: error,
        ...(variant === 'a' && { ErrorOfVariantA: plainErrorSchema }),
        ...components,
      },
    },
  }
}

function describePaths({ routes }: AnyElysia, variant: Variant, baseUrl: string) {
  const paths: Json = {}
  const listed = routes
    .filter(({ method, path }) => isDescribed(method, path, variant))
    .toSorted((one, other) => Number(parsesOwnBody(one)) - Number(parsesOwnBody(other)))
  for (const route of listed) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    const described = describeOperation(route, path, variant)
    const samples = createCodeSamples(route.method, path, described, baseUrl)
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: { ...described, 'x-codeSamples': samples } }
  }
  return paths
}

/** A route that parses its own body describes it too. It is registered before all others, and listed after them. */
const parsesOwnBody = ({ hooks }: AnyElysia['routes'][number]) => !!hooks.detail?.requestBody

/** Variant A does not know the paths that B added to the sign-in. */
function isDescribed(method: string, path: string, variant: Variant) {
  if (method === 'OPTIONS' || isHiddenPath(path)) return false
  return variant !== 'a' || !/^\/auth\/(send-otp|login|logout)$/.test(path)
}

function describeSecuritySchemes({ SANDBOX_TOKEN }: Config) {
  const http = { type: 'http', scheme: 'bearer' }
  return {
    bearer: { ...http, bearerFormat: 'JWT', description: 'The access_token of a sign-in' },
    operator: {
      ...http,
      description:
        'For operators: the value of the server’s setting OPS_TOKEN. It is not the token of a sign-in. ' +
        'Without that setting these operations answer 404',
    },
    ...(SANDBOX_TOKEN && { sandbox: { ...http, description: 'SANDBOX_TOKEN' } }),
  }
}

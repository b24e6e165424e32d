import { Elysia } from 'elysia'
import type { Config } from '../../config'
import type { Deps } from '../../deps'
import type { ApiError, ServiceLimit } from '../../errors'
import { readLanguage } from '../../messages'
import type { Log } from '../../observability/log'
import { parseJsonBody, trimBody } from '../body/json'
import { getClientNetwork } from '../limits/client-ip'
import { detectVariant, supportsBothVariants } from './detect-variant'
import { dialects } from './dialect'
import { toApiError } from './error-mapping'
import { getRequestPath } from '../security-headers'
import { nameLanguage, translateMessage } from './response-language'
import { variantPolicies, type Policy, type Variant } from '../../domain/variants'

const variantByRequest = new WeakMap<Request, Variant>()

/** Returns the rules that differ by variant. */
export function getPolicy(request: Request): Policy {
  return variantPolicies[variantByRequest.get(request) ?? 'b']
}

/**
 * Speaks to each client in the dialect of its variant; handlers see snake_case and throw API errors.
 * `responses` applies to every route, `requests` to the routes after it: those before read their own bodies.
 */
export function createVariantPlugins(deps: Deps) {
  return { responses: createResponsePlugin(deps), requests: createRequestPlugin(deps.config) }
}

function createResponsePlugin({ config, log, metrics }: Deps) {
  const getDialect = (request: Request, route: string) => dialects[getVariant(config, request, route)]
  const recordRateLimit = (route: string, limit: ServiceLimit | undefined) => {
    log.audit('limit_reached', { route, limit, network: getClientNetwork() })
    if (limit) metrics.serviceLimits.inc({ limit })
  }

  return (
    new Elysia({ name: 'variant-responses' })
      .onError({ as: 'global' }, ({ error, request, route, set }) => {
        const apiError = toApiError(error)
        if (apiError.status === 429) recordRateLimit(route, apiError.serviceLimit)
        logServerError(log, apiError)

        set.status = apiError.status
        if (apiError.retryAfterS !== undefined)
          set.headers['retry-after'] = String(Math.max(1, Math.ceil(apiError.retryAfterS)))
        const language = readLanguage(request)
        nameLanguage(set.headers, language)
        const body = getDialect(request, route).encodeError(apiError, language)
        return Response.json(body, { status: apiError.status })
      })
      // Returns a value: Elysia would copy the body and headers of a Response into another one.
      .mapResponse({ as: 'global' }, ({ request, route, responseValue, set }) => {
        if (responseValue === undefined || responseValue instanceof Response) return responseValue
        const result = translateMessage(request, set.headers, responseValue)
        const body = getDialect(request, route).encodeResult(result)
        set.headers['content-type'] = 'application/json;charset=utf-8'
        // Bun sends the texts of a generator as they are made, and ends the connection at an error.
        if (isStream(body)) return new Response(body as never)
        return (typeof body === 'string' ? body : JSON.stringify(body)) as never
      })
  )
}

function createRequestPlugin(config: Config) {
  return new Elysia({ name: 'variant-requests' })
    .onParse(
      { as: 'global' },
      async ({ request, contentType, route }) => await parseJsonBody(request, contentType, route),
    )
    .onTransform({ as: 'global' }, context => {
      const { request, route, body } = context
      if (supportsBothVariants(route)) {
        const authorization = request.headers.get('authorization')
        variantByRequest.set(request, detectVariant(config.API_VARIANT, route, authorization, body))
      }
      const variant = variantByRequest.get(request)
      context.body = trimBody(variant ? dialects[variant].decodeBody(body) : body)
    })
}

/** An error may precede the body; then the rest of the request decides. A deployment of A alone speaks it wherever it has no route. */
function getVariant(config: Config, request: Request, route: string): Variant {
  const known = variantByRequest.get(request)
  if (known) return known
  if (!route && config.API_VARIANT === 'a') return 'a'
  const authorization = request.headers.get('authorization')
  return detectVariant(config.API_VARIANT, route || getRequestPath(request), authorization, undefined)
}

function logServerError(log: Log, apiError: ApiError) {
  if (apiError.status === 500) log.error({ err: apiError.cause }, apiError.message)
  if (apiError.status === 503) log.warn({ err: apiError.cause }, apiError.message)
}

function isStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

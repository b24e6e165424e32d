import { Elysia } from 'elysia'
import type { Server } from 'elysia/universal'
import { getRequestContext } from '../../../db/deadlines'
import type { Config } from '../../config'
import type { Deps } from '../../deps'
import type { Fault, ServiceLimit } from '../../faults'
import { readLanguage } from '../../messages'
import type { Log } from '../../observability/log'
import { checkNesting, parseJsonBody } from '../body/json'
import type { BodyLimits } from '../body/limits'
import { getClientNetwork } from '../limits/client-ip'
import { detectVariant, supportsBothVariants } from './detect-variant'
import { dialects } from './dialect'
import { toFault } from './error-mapping'
import { RESPONSE_TIMEOUT_S } from '../request-lifecycle'
import { getRequestPath } from '../security-headers'
import { nameLanguage, translateMessage } from './response-language'
import { createBodyTrims } from '../body/texts'
import { createUnreadResponses } from '../limits/unread-responses'
import { variantPolicies, type Policy, type Variant } from './policies'

const variantByRequest = new WeakMap<Request, Variant>()

/** Returns the rules that differ by variant. */
export function getPolicy(request: Request): Policy {
  return variantPolicies[variantByRequest.get(request) ?? 'b']
}

/**
 * Speaks to each client in the dialect of its variant; handlers see snake_case and throw Faults.
 * `responses` applies to every route, `requests` to the routes after it: those before read their own bodies.
 */
export function createVariantPlugins(deps: Deps, limits: BodyLimits) {
  return { responses: createResponsePlugin(deps, limits), requests: createRequestPlugin(deps.config) }
}

function createResponsePlugin({ config, log, metrics, tokens }: Deps, limits: BodyLimits) {
  const unreadResponses = createUnreadResponses(tokens)
  // Reading `server` from the context would make Elysia create a getter for each request.
  let server: Server | null

  const getDialect = (request: Request, route: string) => dialects[getVariant(config, request, route)]
  const recordRateLimit = (route: string, limit: ServiceLimit | undefined) => {
    log.audit('limit_reached', { route, limit, network: getClientNetwork() })
    if (limit) metrics.serviceLimits.inc({ limit })
  }

  /** A connection is not idle while the next part of its response is made. */
  const observe = (request: Request) => ({
    setMaking: (isMaking: boolean) =>
      server?.timeout(request, isMaking ? RESPONSE_TIMEOUT_S : config.KEEP_ALIVE_S),
    onError: toCutOffLog(log),
  })

  return (
    new Elysia({ name: 'variant-responses' })
      .onStart(app => {
        server = app.server
      })
      .onRequest(({ request }) => {
        limits.checkSize(request, Number(request.headers.get('content-length')))
      })
      .onError({ as: 'global' }, ({ error, request, route, set }) => {
        const fault = toFault(error)
        if (fault.status === 429) recordRateLimit(route, fault.serviceLimit)
        logServerFault(log, fault)

        set.status = fault.status
        if (fault.retryAfterS !== undefined)
          set.headers['retry-after'] = String(Math.max(1, Math.ceil(fault.retryAfterS)))
        const language = readLanguage(request)
        nameLanguage(set.headers, language)
        const body = getDialect(request, route).encodeFault(fault, language)
        return Response.json(body, { status: fault.status })
      })
      // Returns a value: Elysia would copy the body and headers of a Response into another one.
      .mapResponse({ as: 'global' }, ({ request, route, responseValue, set }) => {
        if (responseValue === undefined) return responseValue
        if (responseValue instanceof Response) return unreadResponses.limitResponse(request, responseValue)
        const result = translateMessage(request, set.headers, responseValue)
        const body = getDialect(request, route).encodeResult(result)
        set.headers['content-type'] = 'application/json;charset=utf-8'
        if (isStream(body)) return unreadResponses.limitTexts(request, body, observe(request))
        const text = typeof body === 'string' ? body : JSON.stringify(body)
        return unreadResponses.limitText(request, text) as Response
      })
  )
}

function createRequestPlugin(config: Config) {
  let trimBody = createBodyTrims([])

  return new Elysia({ name: 'variant-requests' })
    .onStart(app => {
      trimBody = createBodyTrims(app.routes)
    })
    .onParse({ as: 'global' }, async ({ request, contentType }) => await parseJsonBody(request, contentType))
    .onTransform({ as: 'global' }, context => {
      const { request, route, body } = context
      if (supportsBothVariants(route)) {
        const authorization = request.headers.get('authorization')
        variantByRequest.set(request, detectVariant(config.API_VARIANT, route, authorization, body))
      }
      checkNesting(body)
      const variant = variantByRequest.get(request)
      const decoded = variant ? dialects[variant].decodeBody(body) : body
      context.body = trimBody(request.method, route, decoded)
    })
}

/** An error may precede the body; then the rest of the request decides. */
function getVariant(config: Config, request: Request, route: string): Variant {
  const known = variantByRequest.get(request)
  if (known) return known
  const authorization = request.headers.get('authorization')
  return detectVariant(config.API_VARIANT, route || getRequestPath(request), authorization, undefined)
}

function logServerFault(log: Log, fault: Fault) {
  if (fault.status === 500) log.error({ err: fault.cause }, fault.message)
  if (fault.status === 503) log.warn({ err: fault.cause }, fault.message)
}

function isStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Logs why a response of the current request ended before its end, after its status was sent. */
function toCutOffLog(log: Log) {
  const request_id = getRequestContext()?.id
  return (error: unknown) => {
    const level = toFault(error).status === 500 ? 'error' : 'warn'
    log[level]({ request_id, err: error }, 'A response was cut off')
  }
}

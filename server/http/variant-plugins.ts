import { Elysia } from 'elysia'
import type { Server } from 'elysia/universal'
import type { FieldViolation } from '@kiraya/sdk/contract'
import type { Config } from '../config'
import type { Log } from '../observability/log'
import { MAX_DOCUMENT_BYTES } from '../providers/download'
import { badRequest, toErrorEnvelope, bodyTooLarge, type Fault } from '../faults'
import { variantPolicies, type Policy, type Variant } from './variants'
import { getRequestPath } from './security-headers'
import { toFault } from './error-mapping'
import { getClientAddress, toNetworkPrefix } from './rate-limits'
import { RawJson } from './raw-json'

/** A dialect turns the one canonical form (snake_case, Fault) into what its clients read. */
const dialects = {
  a: {
    decode: (body: unknown) =>
      isRecord(body)
        ? renamed(Object.fromEntries(Object.entries(body).filter(([name]) => !name.includes('_'))), snake)
        : body,
    success: (result: unknown) => renamed(result, camel),
    failure: ({ status, code, message, details }: Fault) => ({
      statusCode: status,
      message:
        code === 'VALIDATION_ERROR' && Array.isArray(details)
          ? (details as FieldViolation[]).flatMap(({ constraints }) =>
              Object.values(constraints).map(rule => rule.replace(/^\S+/, camel)),
            )
          : message,
      error: names[status] ?? 'Error',
    }),
  },
  b: {
    decode: (body: unknown) => body,
    success: (result: unknown) => {
      const envelope =
        isRecord(result) && 'data' in result ? { success: true, ...result } : { success: true, data: result }
      return envelope.data instanceof RawJson ? inText(envelope) : envelope
    },
    failure: toErrorEnvelope,
  },
}

/** JSON of fields of which some are written already. */
function inText(fields: Record<string, unknown>) {
  let text = ''
  for (const name in fields)
    text += `${text ? ',' : '{'}"${name}":${fields[name] instanceof RawJson ? fields[name].text : JSON.stringify(fields[name])}`
  return `${text}}`
}

/** The longest body in bytes; a property with a hundred units fits. */
export const MAX_BODY_BYTES = 64 * 1024
/** A document with the form around it, where the sandbox takes one. */
export const MAX_UPLOAD_BYTES = MAX_DOCUMENT_BYTES + MAX_BODY_BYTES
export const getMaxBodyBytes = ({ url }: Request) =>
  url.endsWith('/sandbox/esign/api/documents') ? MAX_UPLOAD_BYTES : MAX_BODY_BYTES

const spoken = new WeakMap<Request, Variant>()
/** What the request's variant means for the rules. */
export const getPolicy = (request: Request): Policy => variantPolicies[spoken.get(request) ?? 'b']

/**
 * Speaks to each client in its own dialect; everything behind it sees snake_case and throws Faults. `answers` serves
 * every route, `requests` those that follow it: what comes before reads its body by itself.
 */
export const createVariantPlugins = (
  { API_VARIANT: confined, TRUSTED_PROXIES: trusted }: Pick<Config, 'API_VARIANT' | 'TRUSTED_PROXIES'>,
  log: Log,
) => {
  // An error may come before the body was read: then the rest of the request decides.
  const variantOf = (request: Request, route: string) =>
    route && !supportsBothVariants(route)
      ? 'b'
      : (spoken.get(request) ??
        detectVariant(confined, getRequestPath(request), request.headers.get('authorization'), undefined))
  let server: Server | null // Elysia's context would have a getter of it made for each request

  const answers = new Elysia({ name: 'answers' })
    .onStart(app => void ({ server } = app))
    .onRequest(({ request }) => {
      const length = Number(request.headers.get('content-length'))
      if (length > MAX_BODY_BYTES && length > getMaxBodyBytes(request)) throw bodyTooLarge()
    })
    .onError({ as: 'global' }, ({ error, request, route, set }) => {
      const fault = toFault(error)
      if (fault.status === 429)
        log.audit('limit_reached', {
          route,
          network: toNetworkPrefix(getClientAddress(request, server, trusted)),
        })
      if (fault.status === 500) log.error({ err: fault.cause }, fault.message)
      if (fault.status === 503) log.warn({ err: fault.cause }, fault.message)
      set.status = fault.status
      if (fault.retryAfterS !== undefined)
        set.headers['retry-after'] = String(Math.max(1, Math.ceil(fault.retryAfterS)))
      return Response.json(dialects[variantOf(request, route)].failure(fault), { status: fault.status })
    })
    // A value and not a Response, whose body and headers Elysia would copy into another.
    .mapResponse({ as: 'global' }, ({ request, route, responseValue, set }) => {
      if (responseValue instanceof Response || responseValue === undefined) return responseValue as Response
      const answer = dialects[variantOf(request, route)].success(responseValue)
      if (typeof answer === 'string') set.headers['content-type'] = 'application/json;charset=utf-8'
      return answer as Response
    })

  const requests = new Elysia({ name: 'requests' })
    .onParse({ as: 'global' }, async ({ request, contentType }) => {
      const text = await request.text()
      if (Buffer.byteLength(text) > MAX_BODY_BYTES) throw bodyTooLarge()
      if (!text) return {}
      if (!/^application\/([\w.-]+\+)?json$/i.test(contentType?.split(';')[0]?.trim() ?? ''))
        throw badRequest('Send the body as JSON (Content-Type: application/json)')
      try {
        return JSON.parse(text)
      } catch {
        throw badRequest('The body is not valid JSON')
      }
    })
    .onTransform({ as: 'global' }, context => {
      const { request, route, body } = context
      const variant = supportsBothVariants(route)
        ? detectVariant(confined, route, request.headers.get('authorization'), body)
        : undefined
      if (variant) spoken.set(request, variant)
      if (!isSafeJson(body)) throw badRequest('The body is nested too deeply, or has a field named toString')
      if (variant) context.body = dialects[variant].decode(body)
    })

  return { answers, requests }
}

// Validation walks a body recursively and makes text of what it finds wrong: thousands of levels would break it, and so would JSON's own toString.
const isSafeJson = (value: unknown, levels = 32): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 &&
    !Object.hasOwn(value, 'toString') &&
    Object.values(value).every(inner => isSafeJson(inner, levels - 1)))

const spokenByBoth = new Set([
  '/auth',
  '/auth/verify',
  '/auth/me',
  '/profile/complete',
  '/profile/ekyc',
  '/profile/ekyc/complete',
  '/dashboard',
])
export const supportsBothVariants = (path: string) => spokenByBoth.has(path)
const telling = [
  ['b', ['phone_number', 'first_name', 'last_name', 'verification_id']],
  ['a', ['phoneNumber', 'firstName', 'lastName', 'verificationId']],
] as const

/** The body's own field names decide, then the token's claim, then the path. */
export function detectVariant(
  confined: 'both' | Variant,
  pathname: string,
  authorization: string | null,
  body: unknown,
): Variant {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  if (!spokenByBoth.has(path)) return 'b'
  if (confined !== 'both') return confined
  if (isRecord(body))
    for (const [variant, fields] of telling) if (fields.some(field => field in body)) return variant
  if (authorization) return claimOf(authorization)
  return path === '/auth/me' ? 'b' : 'a'
}

/** Read before the token is verified, as it is written by us: it decides the form of the answer and nothing else. */
const claimOf = (authorization: string): Variant =>
  Buffer.from(authorization.split('.')[1] ?? '', 'base64url').includes('"variant":"a"') ? 'a' : 'b'

const names: Record<number, string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
/** What Variant A spells otherwise than by its case, or does not have. */
const keptByA = new Set(['access_token'])
const hiddenFromA = new Set(['user_id'])
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const camel = (name: string) =>
  keptByA.has(name) ? name : name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const renamed = (value: unknown, rename: (name: string) => string): unknown =>
  Array.isArray(value)
    ? value.map(item => renamed(item, rename))
    : isRecord(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, inner]) =>
            hiddenFromA.has(name) ? [] : [[rename(name), renamed(inner, rename)]],
          ),
        )
      : value

/** A schema as Variant A's clients know it: property names inside `properties` and `required` in camelCase. */
export const toCamelCaseKeys = (schema: unknown): Record<string, unknown> =>
  renamedSchema(schema) as Record<string, unknown>
const renamedSchema = (schema: unknown): unknown =>
  Array.isArray(schema)
    ? schema.map(renamedSchema)
    : isRecord(schema)
      ? Object.fromEntries(
          Object.entries(schema).map(([name, inner]) => [
            name,
            name === 'properties' && isRecord(inner)
              ? renamed(
                  Object.fromEntries(
                    Object.entries(inner).map(([field, one]) => [field, renamedSchema(one)]),
                  ),
                  camel,
                )
              : name === 'required' && Array.isArray(inner)
                ? inner.filter(field => !hiddenFromA.has(field)).map(camel)
                : renamedSchema(inner),
          ]),
        )
      : schema

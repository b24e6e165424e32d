import type { TSchema } from '@sinclair/typebox'
import type { InternalRoute } from 'elysia'
import type { Deps } from '../../deps'
import { refuse } from '../../faults'
import { MAX_DOCUMENT_BYTES } from '../../providers/download'
import { toFault } from '../variants/error-mapping'
import { hasSession } from '../routes'
import { createLongBodies } from './long-bodies'
import { getRequestPath } from '../security-headers'

/** Up to this size a body is read from every client, whatever the route. */
const COMMON_BYTES = 64 * 1024
/** A document, with the form around it, or the values of a template: what only the sandbox's provider receives. */
const SANDBOX_PATH = /^\/sandbox\/esign\/api\/(documents|esign)$/
const SANDBOX_BYTES = MAX_DOCUMENT_BYTES + COMMON_BYTES

/** A character has at most four bytes in UTF-8, and an escaped quote or line end two. */
const CHARACTER_BYTES = 4
/** A name, a number, a date or an enum's value, with quotes, comma and indentation. */
const SHORT_TEXT_BYTES = 64
const RECORD_NAME_BYTES = 255

/** Whether a body is read with a token alone, and counts among those of its user that are read at once. */
export const isLongBody = (bytes: number) => bytes > COMMON_BYTES

export type BodyLimits = ReturnType<typeof createBodyLimits>

/** Limits each body to the longest that its route's schema allows, in UTF-8. */
export function createBodyLimits(
  deps: Deps,
  getRoutes: () => InternalRoute[],
  isAdapter: (request: Request) => boolean,
) {
  let routes: LongRoute[] | undefined

  function findMaxBytes(method: string, path: string) {
    routes ??= listLongRoutes(getRoutes())
    return routes.find(route => route.method === method && route.path.test(path))?.maxBytes
  }

  return {
    reserve: createLongBodies(deps.tokens),

    /** @throws UNAUTHORIZED The session of the token that `checkSize` read has ended. */
    async requireSession(request: Request) {
      if (isAdapter(request)) return
      // Else Elysia says of any error that the body is not readable.
      const isSignedIn = await hasSession(deps, request).catch(error => Promise.reject(toFault(error)))
      if (!isSignedIn) throw refuse('sign_in_required')
    },

    /**
     * @throws PAYLOAD_TOO_LARGE No valid body of this route is as long.
     * @throws UNAUTHORIZED A long body is read only from a client with a token, or from the sandbox's adapter.
     */
    checkSize(request: Request, bytes: number) {
      if (!isLongBody(bytes)) return
      const path = getRequestPath(request)
      if (SANDBOX_PATH.test(path) && bytes <= SANDBOX_BYTES && isAdapter(request)) return
      const maxBytes = findMaxBytes(request.method, path) ?? COMMON_BYTES
      if (bytes > maxBytes) throw refuse('body_too_large', { max_bytes: maxBytes })
      if (!deps.tokens.read(request.headers.get('authorization'))) throw refuse('sign_in_required')
    },
  }
}

type LongRoute = { method: string; path: RegExp; maxBytes: number }

function listLongRoutes(routes: InternalRoute[]): LongRoute[] {
  const limited = routes.map(({ method, path, hooks }) => ({
    method,
    path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
    maxBytes: hooks.body ? getMaxBodyBytes(hooks.body) : COMMON_BYTES,
  }))
  return limited.filter(({ maxBytes }) => maxBytes > COMMON_BYTES)
}

/** Returns the size limit of a body with this schema, a multiple of 64 KiB. */
export function getMaxBodyBytes(schema: TSchema) {
  return Math.ceil(estimateMaxBytes(schema) / COMMON_BYTES) * COMMON_BYTES
}

function estimateMaxBytes(schema: TSchema): number {
  const { anyOf, properties, patternProperties, items, maxItems, maxProperties, maxLength = 0 } = schema
  if (anyOf) return Math.max(...anyOf.map(estimateMaxBytes))
  if (items) return SHORT_TEXT_BYTES + maxItems * estimateMaxBytes(items)
  if (properties) return SHORT_TEXT_BYTES + sumFieldBytes(properties)
  if (!patternProperties) return SHORT_TEXT_BYTES + CHARACTER_BYTES * maxLength
  const [value] = Object.values<TSchema>(patternProperties)
  return SHORT_TEXT_BYTES + maxProperties * (RECORD_NAME_BYTES + estimateMaxBytes(value!))
}

function sumFieldBytes(properties: Record<string, TSchema>) {
  const fields = Object.values(properties).map(field => SHORT_TEXT_BYTES + estimateMaxBytes(field))
  return fields.reduce((sum, bytes) => sum + bytes, 0)
}

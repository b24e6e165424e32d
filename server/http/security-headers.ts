import { Elysia } from 'elysia'
import { refuse, toErrorEnvelope } from '../errors'
import type { Log } from '../observability/log'

const YEAR_S = 31_536_000

/** Headers of every response: no caching, no type sniffing, and https only once https is used. */
function getSafeHeaders(publicUrl: string | undefined): Record<string, string> {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  if (!publicUrl?.startsWith('https:')) return headers
  return { ...headers, 'strict-transport-security': `max-age=${YEAR_S}; includeSubDomains` }
}

/** Returns the path of a request; its URL contains the Host header, so it may be invalid. */
export function getRequestPath({ url }: Request) {
  return URL.parse(url)?.pathname ?? '/'
}

/** Runs before every other plugin. */
export function securityHeaders(publicUrl: string | undefined) {
  const headers = getSafeHeaders(publicUrl)
  return new Elysia({ name: 'security-headers' }).onRequest(({ set }) => {
    Object.assign(set.headers, headers)
  })
}

/** Answers when all handlers fail; Bun's own page would show source code. */
export function fallbackErrorHandler(log: Log, publicUrl: string | undefined) {
  return {
    development: false,
    error: (thrown: Error) => {
      const error = refuse('internal_error')
      log.error({ err: thrown }, 'Unhandled error in a request')
      return Response.json(toErrorEnvelope(error, 'en'), {
        status: error.status,
        headers: getSafeHeaders(publicUrl),
      })
    },
  }
}

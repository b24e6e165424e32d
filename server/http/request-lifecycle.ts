import { randomUUID } from 'node:crypto'
import { Elysia } from 'elysia'
import type { Server } from 'elysia/universal'
import { getRequestContext, withQueryDeadline, type RequestContext } from '../../db/deadlines'
import type { Deps } from '../deps'
import type { BodyLimits } from './body/limits'
import { limitBody } from './body/bounded-body'
import { getClientAddress, toNetworkPrefix } from './limits/client-ip'

/** Longer than any response takes, or the next part of one; Bun restarts this timeout with every byte. */
export const RESPONSE_TIMEOUT_S = 120
/** Bun's own limit would close the connection without a response, so ours comes first. */
export const NO_BODY_LIMIT = 2 ** 52
/** Request timeout and payload too large: the rest of the body is not read. */
const ABORTED_STATUSES = [408, 413]

/** Elysia's context tells the route, which is known only later. */
type RunningRequest = RequestContext & { id: string; context: { route: string } | undefined }

/**
 * Wraps every request: its id, its log line, its metric, and its limits of time and size.
 * Paths, queries and bodies are never logged.
 * Bun itself allows 12 s for the head of a request on a new connection, and KEEP_ALIVE_S on an idle one.
 */
export function requestLifecycle({ config, isDraining, log, metrics }: Deps, limits: BodyLimits) {
  let server: Server | null

  const shouldClose = (request: Request, hasBody: boolean, status: number) => {
    const isUnread = hasBody && !request.bodyUsed
    return isDraining() || isUnread || ABORTED_STATUSES.includes(status)
  }
  const record = (request: Request, response: Response, running: RunningRequest, startedAt: number) => {
    const { method } = request
    const { status } = response
    const route = running.context?.route || 'none'
    const ms = performance.now() - startedAt
    metrics.requests.observe({ method, route, status }, ms / 1000)
    // Probes ask every second or so.
    const write = route.startsWith('/health') ? log.debug : log.info
    write({ request_id: running.id, method, route, status, ms: Math.round(ms) }, 'request')
  }

  return new Elysia({ name: 'request-lifecycle' })
    .onStart(app => {
      server = app.server
    })
    .wrap((handle: (...args: unknown[]) => any) => async (request: Request) => {
      const startedAt = performance.now()
      const getAddress = () => getClientAddress(request, server, config.TRUSTED_PROXIES)
      let network: string | undefined
      const running: RunningRequest = {
        id: randomUUID(),
        get network() {
          return (network ??= toNetworkPrefix(getAddress()))
        },
        leftMs: config.DATABASE_TIMEOUT_MS,
        isGone: () => request.signal.aborted,
        context: undefined,
      }
      const hasBody = isBodyExpected(request)
      server?.timeout(request, RESPONSE_TIMEOUT_S)
      const releaseBody = hasBody ? limitBody(request, limits, config.BODY_TIMEOUT_MS) : undefined

      const response: Response = await withQueryDeadline(running, () => handle(request)).finally(releaseBody)

      if (shouldClose(request, hasBody, response.status)) response.headers.set('connection', 'close')
      server?.timeout(request, config.KEEP_ALIVE_S)
      record(request, response, running, startedAt)
      return response
    })
    .onRequest(context => {
      const running = getRequestContext() as RunningRequest
      running.context = context as typeof context & { route: string }
      context.set.headers['x-request-id'] = running.id
    })
}

function isBodyExpected({ headers }: Request) {
  return headers.has('transfer-encoding') || Number(headers.get('content-length')) > 0
}

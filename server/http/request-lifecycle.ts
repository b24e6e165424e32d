import { randomUUID } from 'node:crypto'
import { Elysia } from 'elysia'
import type { Server } from 'elysia/universal'
import { getRequestContext, withQueryDeadline, type RequestContext } from '../../db/deadlines'
import type { Deps } from '../deps'
import { getClientAddress, toNetworkPrefix } from './limits/client-ip'

/** Elysia's context tells the route, which is known only later. */
type RunningRequest = RequestContext & { id: string; context: { route: string } | undefined }

/**
 * Wraps every request: its id, its log line, its metric, and the time of its queries.
 * Paths, queries and bodies are never logged.
 */
export function requestLifecycle({ config, isDraining, log, metrics }: Deps) {
  let server: Server | null

  /** What is left of an unread body must not be taken for the next request. */
  const shouldClose = (request: Request, status: number) =>
    isDraining() || status === 413 || (!request.bodyUsed && isBodyExpected(request))
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
        context: undefined,
      }
      const response: Response = await withQueryDeadline(running, () => handle(request))
      if (shouldClose(request, response.status)) response.headers.set('connection', 'close')
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

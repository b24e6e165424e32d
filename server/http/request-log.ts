import { randomUUID } from 'node:crypto'
import { Elysia } from 'elysia'
import { requestId, type Log } from '../log'
import type { Metrics } from '../metrics'

/** An id on every answer, a line and a measurement for every request; paths, queries and bodies are nobody's business. */
export const requestLog = (log: Log, metrics: Metrics) => {
  const began = new WeakMap<Request, number>()
  return new Elysia({ name: 'request-log' })
    .onRequest(({ request, set }) => {
      began.set(request, performance.now())
      const id = randomUUID()
      requestId.enterWith(id)
      set.headers['x-request-id'] = id
    })
    .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
      const status = responseValue instanceof Response ? responseValue.status : set.status
      const ms = performance.now() - (began.get(request) ?? performance.now())
      metrics.requests.observe({ method: request.method, route: route || 'none', status: String(status) }, ms / 1000)
      log.info({ request_id: set.headers['x-request-id'], method: request.method, route: route || 'none', status: Number(status), ms: Math.round(ms) }, 'request')
    })
}

import { randomUUID } from 'node:crypto'
import { Elysia } from 'elysia'
import { requestId, type Log } from '../log'
import type { Metrics } from '../metrics'

/** An id on every answer, a line and a measurement for every request; paths, queries and bodies are nobody's business. */
export const requestLog = (log: Log, metrics: Metrics) => new Elysia({ name: 'request-log' })
  .decorate('beganMs', 0)
  .onRequest(context => {
    context.beganMs = performance.now()
    const id = randomUUID()
    requestId.enterWith(id)
    context.set.headers['x-request-id'] = id
  })
  .onAfterResponse({ as: 'global' }, ({ request: { method }, route: pattern, set, beganMs, responseValue }) => {
    const status = Number(responseValue instanceof Response ? responseValue.status : set.status), ms = performance.now() - beganMs, route = pattern || 'none'
    metrics.requests.observe({ method, route, status }, ms / 1000)
    log.info({ request_id: set.headers['x-request-id'], method, route, status, ms: Math.round(ms) }, 'request')
  })

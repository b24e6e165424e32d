import { randomUUID } from 'node:crypto'
import { Elysia } from 'elysia'
import { requestId, type Log } from '../log'

/** An id on every answer and a line for every request; queries and bodies are nobody's business. */
export const requestLog = (log: Log) => {
  const began = new WeakMap<Request, number>()
  return new Elysia({ name: 'request-log' })
    .onRequest(({ request, set }) => {
      began.set(request, performance.now())
      const id = randomUUID()
      requestId.enterWith(id)
      set.headers['x-request-id'] = id
      set.headers['cache-control'] = 'no-store'
      set.headers['x-content-type-options'] = 'nosniff'
    })
    .onAfterResponse({ as: 'global' }, ({ request, set, responseValue }) => {
      const status = responseValue instanceof Response ? responseValue.status : set.status
      log.info({ request_id: set.headers['x-request-id'], method: request.method, path: new URL(request.url).pathname, status, ms: Math.round(performance.now() - (began.get(request) ?? performance.now())) }, 'request')
    })
}

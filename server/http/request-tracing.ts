import type { Span } from '@opentelemetry/api'
import { Elysia } from 'elysia'
import type { Tracing } from '../observability/tracing'
import { getRequestPath } from './security-headers'

const UNTRACED_PATH = /^\/(sandbox|health|metrics|docs|assets|openapi)([/.]|$)/

/**
 * Traces requests, if tracing is on. Elysia's own `trace` is not used: with it `mapResponse` gets no value (1.4.30),
 * so responses would lack their envelope.
 */
export function requestTracing(tracing: Tracing | undefined) {
  const plugin = new Elysia({ name: 'request-tracing' })
  if (!tracing) return plugin

  const spans = new WeakMap<Request, Span>()
  return plugin
    .wrap((handle, request) => {
      if (UNTRACED_PATH.test(getRequestPath(request))) return handle
      const span = tracing.startRequest(request.method)
      spans.set(request, span)
      return (...args: unknown[]) => tracing.runInRequest(span, () => handle(...args))
    })
    .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
      const span = spans.get(request)
      if (!span) return
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
      tracing.endRequest(span, request.method, route || 'none', status)
    })
}

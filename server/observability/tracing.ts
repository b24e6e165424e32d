import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { TracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace'
import { Elysia } from 'elysia'
import { getRequestPath } from '../http/security-headers'

export type Tracing = ReturnType<typeof createTracing>

const FLUSH_MS = 2000
const QUIET = /^\/(sandbox|health|metrics|docs|openapi)(\/|$)/

/**
 * Traces of requests, calls to providers and queries, of which nothing is told but what is named here: no address, header,
 * body or message of an error. It is imported only where traces are wanted. Elysia's own `trace` is not used: with it
 * `mapResponse` is given no value (1.4.30), so that answers went out without their envelope.
 */
export function createTracing(endpoint: string) {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'kiraya' }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('kiraya')
  const requests = new WeakMap<Request, Span>()
  const start = (name: string, attributes: Attributes) =>
    tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context.active())
  const endsWith = <T>(span: Span, work: Promise<T>) =>
    work.then(
      () => span.end(),
      () => {
        span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    )

  const plugin = new Elysia({ name: 'tracing' })
    .wrap((answer, request) => {
      if (QUIET.test(getRequestPath(request))) return answer
      const span = tracer.startSpan(
        'HTTP',
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': request.method } },
        ROOT_CONTEXT,
      )
      requests.set(request, span)
      return (...given: unknown[]) => context.with(trace.setSpan(ROOT_CONTEXT, span), () => answer(...given))
    })
    .onAfterResponse({ as: 'global' }, ({ request, route, set, responseValue }) => {
      const span = requests.get(request)
      const status = responseValue instanceof Response ? responseValue.status : Number(set.status ?? 200)
      if (!span) return
      span.updateName(`${request.method} ${route || 'none'}`)
      span.setAttributes({ 'http.route': route || 'none', 'http.response.status_code': status })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })

  return {
    plugin,
    /** Does a piece of work as a part of the request's trace. */
    within: <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> => {
      const span = start(name, attributes)
      const answer = context.with(trace.setSpan(context.active(), span), work)
      void endsWith(span, answer)
      return answer
    },
    /** A query is told of by what it does to which table: its text can hold values. */
    query: (text: string, answer: Promise<unknown>) => {
      if (!trace.getSpan(context.active())) return // the jobs' own polling is nobody's request
      const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'query'
      const table = /\b(?:from|into|update)\s+"?(?:\w+"\.")?(\w+)"?/i.exec(text)?.[1]
      void endsWith(
        start(table ? `${operation} ${table}` : operation, {
          'db.system.name': 'postgresql',
          'db.operation.name': operation,
          ...(table && { 'db.collection.name': table }),
        }),
        answer,
      )
    },
    /** Sends what is left; a receiver that is gone keeps nobody. */
    stop: () =>
      Promise.race([
        provider.shutdown().then(
          () => undefined,
          (error: unknown) => error,
        ),
        Bun.sleep(FLUSH_MS),
      ]),
  }
}

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
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

export type Tracing = ReturnType<typeof createTracing>

const FLUSH_TIMEOUT_MS = 2000

/**
 * Traces requests, provider calls and queries. Spans have the attributes named here and nothing else:
 * no URL, header, body or error message. Imported only when tracing is on.
 */
export function createTracing(endpoint: string) {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'kiraya' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracer = provider.getTracer('kiraya')

  const startClientSpan = (name: string, attributes: Attributes) =>
    tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context.active())

  return {
    startRequest: (method: string) => {
      const attributes = { 'http.request.method': method }
      return tracer.startSpan('HTTP', { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT)
    },
    /** Runs work so that its spans belong to the span of the request. */
    runInRequest: <T>(span: Span, work: () => T) => context.with(trace.setSpan(ROOT_CONTEXT, span), work),
    endRequest: (span: Span, method: string, route: string, status: number) => {
      span.updateName(`${method} ${route}`)
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status })
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
    /** Runs work as a span of the request. */
    withSpan: <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> => {
      const span = startClientSpan(name, attributes)
      const result = context.with(trace.setSpan(context.active(), span), work)
      void endAfter(span, result)
      return result
    },
    /** Records a query by its operation and table, since its text can contain values. */
    observeQuery: (text: string, result: Promise<unknown>) => {
      // The polling of the jobs belongs to no request.
      if (!trace.getSpan(context.active())) return
      const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'query'
      const table = /\b(?:from|into|update)\s+"?(?:\w+"\.")?(\w+)"?/i.exec(text)?.[1]
      const span = startClientSpan(table ? `${operation} ${table}` : operation, {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        ...(table && { 'db.collection.name': table }),
      })
      void endAfter(span, result)
    },
    /** Sends the remaining spans, within a time limit. Returns the error if they are lost. */
    stop: () => {
      const shutdown = provider.shutdown().then(
        () => undefined,
        (error: unknown) => error,
      )
      return Promise.race([shutdown, Bun.sleep(FLUSH_TIMEOUT_MS)])
    },
  }
}

async function endAfter(span: Span, work: Promise<unknown>) {
  try {
    await work
  } catch {
    span.setStatus({ code: SpanStatusCode.ERROR })
  } finally {
    span.end()
  }
}

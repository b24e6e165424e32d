import type * as Prom from 'prom-client'
import type { Tracing } from './tracing'

/** prom-client's index loads much that is needed only for `/metrics`: 12 MB and 40 ms. */
const Counter: typeof Prom.Counter = require('prom-client/lib/counter')
const Gauge: typeof Prom.Gauge = require('prom-client/lib/gauge')
const Histogram: typeof Prom.Histogram = require('prom-client/lib/histogram')
const Registry: typeof Prom.Registry = require('prom-client/lib/registry')

/** Bun does not measure these until the event loop was slow: they would be Nan, or 292 years. */
const UNMEASURED = ['min', 'mean', 'stddev'].map(name => `nodejs_eventloop_lag_${name}_seconds`)

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export type Metrics = ReturnType<typeof createMetrics>

type Labelled = { labels: Record<string, string>; count: number }
/** Gauges that are read from the database at each scrape. */
const databaseGauges = {
  kiraya_backlog_items: { help: 'Items waiting for background jobs', labelNames: ['queue'] },
  kiraya_job_runs: { help: 'Runs of the jobs in the queue, by state', labelNames: ['name', 'state'] },
}
type DatabaseGauge = keyof typeof databaseGauges

/** Creates the metrics of this process in a registry of its own. */
export function createMetrics(tracing?: Tracing, getConnectionCounts = (): Record<string, number> => ({})) {
  const registry = new Registry()
  const registers = [registry]
  createProcessGauges(registry, getConnectionCounts)

  return {
    registry,
    requests: new Histogram({
      name: 'kiraya_http_request_seconds',
      help: 'Requests by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS_S,
      registers,
    }),
    providerCalls: new Histogram({
      name: 'kiraya_provider_call_seconds',
      help:
        'Calls to a provider with their retries; `failed` is an error of the provider, `rejected` one of ' +
        'ours, `circuit_open` a call that was not made',
      labelNames: ['provider', 'outcome'],
      buckets: BUCKETS_S,
      registers,
    }),
    webhooks: new Counter({
      name: 'kiraya_webhooks_total',
      help: 'Webhooks of the e-signing provider: `new`, `duplicate` or `invalid_signature`',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    messages: new Counter({
      name: 'kiraya_messages_total',
      help: 'Messages to people by channel and kind; `misconfigured` is a channel that refuses our credentials',
      labelNames: ['channel', 'kind', 'outcome'],
      registers,
    }),
    serviceLimits: new Counter({
      name: 'kiraya_service_limit_refusals_total',
      help: 'Requests refused by a limit of the whole service: `otp_total`',
      labelNames: ['limit'],
      registers,
    }),
    /** Runs work as a span of the request's trace, if tracing is on. */
    withSpan:
      tracing?.withSpan ??
      (<T>(_name: string, _attributes: Record<string, string>, work: () => Promise<T>) => work()),
    /** Adds the runtime's metrics; a worker does so at its start, a single process at the first scrape. */
    collectRuntime: async () => {
      if (registry.getSingleMetric('process_cpu_seconds_total')) return
      const { collectDefaultMetrics } = await import('prom-client')
      collectDefaultMetrics({ register: registry })
      for (const name of UNMEASURED) registry.removeSingleMetric(name)
    },
  }
}

function createProcessGauges(registry: Prom.Registry, getConnectionCounts: () => Record<string, number>) {
  const registers = [registry]
  const processes = new Gauge({
    name: 'kiraya_processes',
    help: 'Processes of this instance that reported their metrics',
    registers,
  })
  processes.set(1)
  // A gauge registers itself; the process collects it at each scrape.
  const connections = new Gauge({
    name: 'kiraya_database_connections',
    help: 'Connections of this instance: open, idle among them, and requests that wait for one',
    labelNames: ['state'],
    registers,
    collect: () => {
      for (const [state, count] of Object.entries(getConnectionCounts())) connections.set({ state }, count)
    },
  })
}

/** Writes the gauges of the database in the text format of Prometheus. */
export function renderDatabaseGauges(counts: Record<DatabaseGauge, Labelled[]>) {
  const registry = new Registry()
  for (const name of Object.keys(databaseGauges) as DatabaseGauge[]) {
    const gauge = new Gauge<string>({ name, ...databaseGauges[name], registers: [registry] })
    for (const { labels, count } of counts[name]) gauge.set(labels, count)
  }
  return registry.metrics()
}

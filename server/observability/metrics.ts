import type { Tracing } from './tracing'
import type * as Prom from 'prom-client'

// The package's index loads OpenTelemetry for the process's own figures, which nobody asks for before `/metrics`.
const part = <N extends 'Counter' | 'Gauge' | 'Histogram' | 'Registry'>(name: N): (typeof Prom)[N] =>
  import.meta.require(`prom-client/lib/${name.toLowerCase()}`)
const Counter = part('Counter')
const Gauge = part('Gauge')
const Histogram = part('Histogram')
const Registry = part('Registry')

export type Metrics = ReturnType<typeof createMetrics>
/** What one process counts, as it travels to another. */
export type MetricsSnapshot = object[]

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

type Series = { method: string; route: string; status: number; sum: number; counts: number[] }
/**
 * Each request is measured, and prom-client's histogram took as long to find its labels' series as all other hooks of a
 * request together: this one finds it in a map, and is shown as any other.
 */
function createDurations(name: string, help: string, registry: Prom.Registry) {
  const known = new Map<string, Series>()
  const bounds = [...SECONDS, Infinity]
  const values = () =>
    [...known.values()].flatMap(({ method, route, status, sum, counts }) => {
      let upTo = 0
      const labels = { method, route, status }
      const value = (part: string, value: number, le?: string | number) => ({
        metricName: `${name}_${part}`,
        labels: { ...(le !== undefined && { le }), ...labels },
        value,
      })
      const buckets = counts.map((n, at) =>
        value('bucket', (upTo += n), at < SECONDS.length ? SECONDS[at] : '+Inf'),
      )
      return [...buckets, value('sum', sum), value('count', upTo)]
    })
  registry.registerMetric({
    name,
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: values() }),
  } as unknown as Prom.Metric)
  return {
    observe: ({ method, route, status }: Pick<Series, 'method' | 'route' | 'status'>, seconds: number) => {
      const key = `${method} ${status} ${route}`
      const series = known.get(key) ?? { method, route, status, sum: 0, counts: bounds.map(() => 0) }
      known.set(key, series)
      series.sum += seconds
      series.counts[bounds.findIndex(bound => seconds <= bound)]! += 1
    },
  }
}

/** What a server counts, in a registry of its own, and what the database tells, in another: of several processes the one is added up and the other is not. */
export function createMetrics(tracing?: Tracing, connections = (): Record<string, number> => ({})) {
  const registers = [new Registry()]
  const [registry] = registers as [Prom.Registry]
  const told = new Registry()
  const gauges = {
    kiraya_backlog_items: new Gauge({
      name: 'kiraya_backlog_items',
      help: 'What the background work has before it',
      labelNames: ['what'],
      registers: [told],
    }),
    kiraya_job_runs: new Gauge({
      name: 'kiraya_job_runs',
      help: 'Runs of the jobs that the queue knows, by state',
      labelNames: ['name', 'state'],
      registers: [told],
    }),
  }
  const processes = new Gauge({
    name: 'kiraya_processes',
    help: 'Processes of this instance that have told their figures',
    registers,
  })
  processes.set(1)
  registry.registerMetric(
    new Gauge({
      name: 'kiraya_database_connections',
      help: 'Connections of this instance: those in use, the requests that wait for one, and the most there may be',
      labelNames: ['state'],
      registers: [],
      collect() {
        for (const [state, count] of Object.entries(connections())) this.set({ state }, count)
      },
    }),
  )
  const collectMetrics = async (): Promise<MetricsSnapshot> => {
    const { collectDefaultMetrics } = await import('prom-client')
    if (!registry.getSingleMetric('process_cpu_seconds_total')) collectDefaultMetrics({ register: registry })
    return registry.getMetricsAsJSON()
  }
  return {
    requests: createDurations('kiraya_http_request_seconds', 'Requests by route and status', registry),
    providerCalls: new Histogram({
      name: 'kiraya_provider_call_seconds',
      help: 'Calls to a provider with all their tries; `failed` is its fault, `refused` ours, `spared` one that was not made since it keeps failing',
      labelNames: ['provider', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    webhooks: new Counter({
      name: 'kiraya_webhooks_total',
      help: 'Webhooks of the e-signing provider: new, known already, or forged',
      labelNames: ['provider', 'outcome'],
      registers,
    }),
    messages: new Counter({
      name: 'kiraya_messages_total',
      help: 'Messages to people by channel and kind',
      labelNames: ['channel', 'kind', 'outcome'],
      registers,
    }),
    /** Does a piece of work as a part of the request's trace, where there are traces. */
    withSpan:
      tracing?.within ??
      (<T>(_name: string, _attributes: Record<string, string>, work: () => Promise<T>) => work()),
    /** What this process counts, with its own figures from the first time on. */
    collectMetrics,
    /** The text format of what all processes count, and of what there is now in the database. */
    renderPrometheus: async (
      all: MetricsSnapshot[],
      depths: Record<keyof typeof gauges, { labels: Record<string, string>; count: number }[]>,
    ) => {
      for (const [name, gauge] of Object.entries(gauges) as [keyof typeof gauges, Prom.Gauge][]) {
        gauge.reset()
        for (const { labels, count } of depths[name]) gauge.set(labels, count)
      }
      const counted =
        all.length > 1 ? (await import('prom-client')).AggregatorRegistry.aggregate(all) : registry
      return { text: `${await counted.metrics()}\n${await told.metrics()}`, type: registry.contentType }
    },
  }
}

import type { EmbeddedPostgres } from '../../db/embedded-postgres'
import type { Config, Environment } from '../config'
import type { Log } from '../observability/log'
import { providePostgres } from './postgres'
import type { RunningServer } from './server'
import { startSupervisor, type SupervisorConnection } from './supervisor'

type Tracing = import('../observability/tracing').Tracing

/** A running instance: a server, or a supervisor of several. */
export type Instance = {
  server: Pick<RunningServer, 'ready' | 'publicUrl' | 'stop'>
  tracing: Tracing | undefined
  embedded: EmbeddedPostgres | undefined
}

/** Starts what a process is: a single server, a worker, or the supervisor of workers. */
export async function startInstance(
  config: Config,
  env: Environment,
  log: Log,
  connection: SupervisorConnection | undefined,
): Promise<Instance> {
  const isSupervisor = config.WORKERS > 1 && !connection
  const tracing = isSupervisor ? undefined : await loadTracing(config)

  let server: Promise<RunningServer> | undefined
  const startOnce = (url: string, databaseStarted: Promise<void>) => {
    server ??= loadServer(config, log, url, { tracing, connection, databaseStarted })
    return server
  }
  // Everything is loaded and compiled while PostgreSQL starts; a failure shows once it runs.
  const { url, embedded } = await providePostgres(config, (startingUrl, running) => {
    if (!isSupervisor) startOnce(startingUrl, running).catch(() => {})
  })
  if (embedded) log.info(`PostgreSQL runs on the data in ${embedded.folder}`)

  try {
    if (isSupervisor) {
      const supervisor = startSupervisor(config, { ...env, DATABASE_URL: url }, log)
      return { server: supervisor, tracing, embedded }
    }
    return { server: await startOnce(url, Promise.resolve()), tracing, embedded }
  } catch (error) {
    await embedded?.release()
    throw error
  }
}

async function loadTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Config) {
  if (!endpoint) return undefined
  const { createTracing } = await import('../observability/tracing')
  return createTracing(endpoint)
}

type ServerOptions = {
  tracing: Tracing | undefined
  connection: SupervisorConnection | undefined
  databaseStarted: Promise<void>
}

async function loadServer(config: Config, log: Log, url: string, options: ServerOptions) {
  const { tracing, connection, databaseStarted } = options
  const [{ openDatabase }, { startServer }] = await Promise.all([
    import('../../db/database'),
    import('./server'),
  ])
  const overrides = {
    ...(tracing && { tracing }),
    ...(connection && { scrapeMetrics: connection.requestMetrics }),
  }
  const db = openDatabase(url, { observe: tracing?.observeQuery })
  const server = startServer(config, db, log, overrides, databaseStarted)
  if (connection) {
    const { metrics } = server.deps
    connection.setServer(server)
    connection.shareMetrics(metrics.registry)
    await metrics.collectRuntime()
  }
  return server
}

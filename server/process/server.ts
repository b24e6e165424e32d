import { migrate } from '../../db/migrate'
import type { Orm } from '../../db/orm'
import { createApp } from '../app'
import { createPasswords } from '../auth/passwords'
import { createTokens } from '../auth/tokens'
import type { Config } from '../config'
import type { Deps } from '../deps'
import { toFault } from '../http/error-mapping'
import type { Log } from '../observability/log'
import { createMetrics, type MetricsSnapshot } from '../observability/metrics'
import { createProviders } from '../providers/index'
import { createReadReplica } from './read-replica'

export type RunningServer = {
  url: string
  publicUrl: string
  deps: Deps
  ready: Promise<void>
  /** What this process counts. */
  figures: () => Promise<MetricsSnapshot>
  /** From now on clients are told to go elsewhere, and answered. */
  startDraining: () => void
  /** Ends, `SHUTDOWN_DELAY_MS` after clients were first told to go. */
  stop: () => Promise<void>
}

/** Listens at once; `ready` is when the database, which is `running`, is reachable and up to date, for which it waits. `overrides` are the tests' clock and providers. */
export function startServer(
  config: Config,
  orm: Orm,
  log: Log,
  overrides: Partial<Deps> = {},
  running: Promise<void> = Promise.resolve(),
): RunningServer {
  const now = overrides.now ?? (() => new Date())
  const wildcard = ['0.0.0.0', '::', ''].includes(config.HOST)
  const port = () => app.server?.port ?? config.PORT
  const ownUrl = () =>
    `http://${wildcard ? '127.0.0.1' : config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port()}`
  const publicUrl = () => config.PUBLIC_URL ?? `http://${wildcard ? 'localhost' : config.HOST}:${port()}`
  const metrics = createMetrics(overrides.tracing, () => orm.getConnectionCounts())
  const replica = config.DATABASE_REPLICA_URL
    ? createReadReplica(config.DATABASE_REPLICA_URL, config, orm, log, overrides.tracing?.query)
    : undefined
  const deps: Deps = {
    config,
    db: orm,
    orm,
    replica,
    log,
    metrics,
    now,
    collectMetrics: async () => [await metrics.collectMetrics()],
    isDraining: () => leavingSince !== undefined,
    tokens: createTokens(config.acceptedSecrets.JWT_SECRET, now),
    passwords: createPasswords(config.PASSWORD_HASH_CONCURRENCY),
    ownUrl,
    publicUrl,
    ...createProviders(config, ownUrl, log, metrics, now),
    ...overrides,
  }
  // A job may take all that the time-outs and retries add up to; nobody waits for its answer.
  const patient = {
    ...config,
    PROVIDER_TOTAL_TIMEOUT_MS: (config.PROVIDER_TIMEOUT_MS + 10_000) * (1 + config.PROVIDER_RETRIES),
  }
  const app = createApp(deps).listen({ port: config.PORT, hostname: config.HOST })
  let stopping: Promise<void> | undefined
  let leavingSince: number | undefined
  const startDraining = () => (leavingSince ??= performance.now())
  const ready = running.then(() =>
    retryUntilReachable(
      'The database cannot be reached',
      async () => void (await migrate(orm)),
      log,
      () => !!stopping,
    ),
  )
  const jobs = config.RUN_JOBS
    ? ready.then(() =>
        retryUntilReachable(
          'The jobs could not be started',
          async () =>
            (await import('../jobs/index')).startJobs({
              ...deps,
              config: patient,
              ...createProviders(patient, ownUrl, log, metrics, now),
              ...overrides,
            }),
          log,
          () => !!stopping,
        ),
      )
    : undefined
  jobs?.catch(error => log.error({ err: error }, 'The jobs could not be started'))

  return {
    url: ownUrl(),
    publicUrl: publicUrl(),
    deps,
    ready,
    figures: metrics.collectMetrics,
    startDraining,
    stop: () =>
      (stopping ??= (async () => {
        await Bun.sleep(Math.max(0, startDraining() + config.SHUTDOWN_DELAY_MS - performance.now())) // a request on its way over a kept connection would be lost with it
        await Promise.race([app.server?.stop(), Bun.sleep(config.SHUTDOWN_TIMEOUT_MS)])
        await app.server?.stop(true)
        await Promise.race([
          Promise.allSettled([ready, jobs?.then(running => running?.stop())]),
          Bun.sleep(ENDING_MS),
        ]) // a migration or a job is not left half way
        await Promise.race([Promise.all([orm.close(), replica?.close()]), Bun.sleep(ENDING_MS)])
      })()),
  }
}
const ENDING_MS = 4500

/** Does what needs the database as soon as it is there: one that is not there yet may come; one that cannot be migrated will not. */
async function retryUntilReachable<T>(
  otherwise: string,
  work: () => Promise<T>,
  log: Log,
  stopping: () => boolean,
): Promise<T | undefined> {
  for (let told = false; !stopping(); told = true) {
    try {
      return await work()
    } catch (error) {
      if (toFault(error).code !== 'SERVICE_UNAVAILABLE') throw error
      if (!told) log.warn({ err: error }, `${otherwise}; waiting for the database`)
      await Bun.sleep(500)
    }
  }
  return undefined
}

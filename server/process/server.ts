import type { Database } from '../../db/database'
import { migrate } from '../../db/migrate'
import { requireSuitablePostgres } from '../../db/version'
import { createApp } from '../app'
import { createPasswords } from '../accounts/auth/passwords'
import { bookHooks } from '../books/lifecycle'
import { createTokens } from '../http/tokens'
import type { Config } from '../config'
import type { Deps } from '../deps'
import { createMovableClock } from '../domain/movable-clock'
import { databaseFiles } from '../files/store'
import { createLimiter } from '../http/limits/limiter'
import type { Log } from '../observability/log'
import { createMetrics } from '../observability/metrics'
import { createProviders } from '../providers/index'
import { loadSandboxOffset } from '../sandbox/clock'
import { createReadReplica } from './read-replica'
import { retryUntilReachable } from './retry-until-reachable'
import { getOwnUrl, getPublicUrl } from './urls'

export type RunningServer = {
  url: string
  publicUrl: string
  deps: Deps
  /** Resolves when the database is reachable and migrated. */
  ready: Promise<void>
  /** Sends clients elsewhere from now on, but still answers them. */
  startDraining: () => void
  /** Shuts down gracefully, `SHUTDOWN_DELAY_MS` after draining started. */
  stop: () => Promise<void>
}

/** How long jobs, and then the database, may take to end. */
const CLOSE_TIMEOUT_MS = 4500

/**
 * Listens at once. `ready` waits for `databaseStarted`, and for a database that is still unreachable.
 * `overrides` replace dependencies, such as the clock and the providers in tests.
 */
export function startServer(
  config: Config,
  db: Database,
  log: Log,
  overrides: Partial<Deps> = {},
  databaseStarted: Promise<void> = Promise.resolve(),
): RunningServer {
  let drainingSince: number | undefined
  let stopped: Promise<void> | undefined
  const getPort = () => app.server?.port ?? config.PORT
  const deps = createDeps(config, db, log, overrides, {
    isDraining: () => drainingSince !== undefined,
    ownUrl: () => getOwnUrl(config, getPort()),
    publicUrl: () => getPublicUrl(config, getPort()),
  })
  const app = createApp(deps).listen({ port: config.PORT, hostname: config.HOST })

  const isStopping = () => stopped !== undefined
  const prepare = async () => {
    await databaseStarted
    const warning = 'The database cannot be reached'
    await retryUntilReachable(() => prepareDatabase(deps), { log, warning, isStopping })
  }
  const ready = prepare()
  const jobs = config.RUN_JOBS ? startJobsWhenReady(deps, ready, isStopping) : undefined
  jobs?.catch(error => log.error({ err: error }, 'The jobs could not be started'))

  const startDraining = () => (drainingSince ??= performance.now())
  const stop = async () => {
    // A request that is already on its way over a kept-alive connection would be lost with it.
    await Bun.sleep(Math.max(0, startDraining() + config.SHUTDOWN_DELAY_MS - performance.now()))
    await Promise.race([app.server?.stop(), Bun.sleep(config.SHUTDOWN_TIMEOUT_MS)])
    await app.server?.stop(true)

    const jobsStopped = jobs?.then(running => running?.stop())
    await withinCloseTimeout(Promise.allSettled([ready, jobsStopped]))
    await withinCloseTimeout(Promise.all([db.close(), deps.replica?.close()]))
  }
  return {
    url: deps.ownUrl(),
    publicUrl: deps.publicUrl(),
    deps,
    ready,
    startDraining,
    stop: () => (stopped ??= stop()),
  }
}

async function prepareDatabase({ db, clock }: Deps) {
  await requireSuitablePostgres(db)
  await migrate(db)
  clock.setOffset(await loadSandboxOffset(db))
}

type ServerState = Pick<Deps, 'isDraining' | 'ownUrl' | 'publicUrl'>

function createDeps(
  config: Config,
  db: Database,
  log: Log,
  overrides: Partial<Deps>,
  state: ServerState,
): Deps {
  const clock = createMovableClock(overrides.now ?? (() => new Date()), config.isProduction)
  const { now } = clock
  db.useClock(now)
  const metrics = createMetrics(overrides.tracing, () => db.getConnectionCounts())
  return {
    config,
    db,
    replica: createReadReplica(config, db, log, overrides.tracing?.observeQuery),
    log,
    metrics,
    scrapeMetrics: async () => {
      await metrics.collectRuntime()
      return metrics.registry.metrics()
    },
    tokens: createTokens(config.acceptedSecrets.JWT_SECRET, now),
    passwords: createPasswords(config.PASSWORD_HASH_CONCURRENCY),
    limiter: createLimiter(now),
    files: databaseFiles,
    leaseHooks: bookHooks,
    ...state,
    ...createProviders({ config, ownUrl: state.ownUrl, log, metrics, now }),
    ...overrides,
    now,
    clock,
  }
}

async function startJobsWhenReady(deps: Deps, ready: Promise<void>, isStopping: () => boolean) {
  await ready
  const { startJobs } = await import('../jobs/index')
  const warning = 'The jobs could not be started'
  return retryUntilReachable(() => startJobs(deps), { log: deps.log, warning, isStopping })
}

function withinCloseTimeout(work: Promise<unknown>) {
  return Promise.race([work, Bun.sleep(CLOSE_TIMEOUT_MS)])
}

import { migrate } from '../db/migrate'
import type { Orm } from '../db/orm'
import { createApp } from './app'
import { createPasswords } from './auth/passwords'
import { createTokens } from './auth/tokens'
import type { Config } from './config'
import type { Deps } from './deps'
import { faultOf } from './http/errors'
import type { Log } from './log'
import { createMetrics, type Figures } from './metrics'
import { createProviders } from './providers'
import { createReplica } from './replica'

export type Serving = {
  url: string
  publicUrl: string
  deps: Deps
  ready: Promise<void>
  /** What this process counts. */
  figures: () => Promise<Figures>
  /** From now on clients are told to go elsewhere, and answered. */
  leave: () => void
  /** Ends, `DRAIN_GRACE_MS` after clients were first told to go. */
  stop: () => Promise<void>
}

/** Listens at once; `ready` is when the database, which is `running`, is reachable and up to date, for which it waits. `overrides` are the tests' clock and providers. */
export function serve(
  config: Config,
  orm: Orm,
  log: Log,
  overrides: Partial<Deps> = {},
  running: Promise<void> = Promise.resolve(),
): Serving {
  const now = overrides.now ?? (() => new Date())
  const wildcard = ['0.0.0.0', '::', ''].includes(config.HOST)
  const port = () => app.server?.port ?? config.PORT
  const ownUrl = () =>
    `http://${wildcard ? '127.0.0.1' : config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port()}`
  const publicUrl = () => config.PUBLIC_URL ?? `http://${wildcard ? 'localhost' : config.HOST}:${port()}`
  const metrics = createMetrics(overrides.tracing, () => orm.getConnectionCounts())
  const replica = config.DATABASE_REPLICA_URL
    ? createReplica(config.DATABASE_REPLICA_URL, config, orm, log, overrides.tracing?.query)
    : undefined
  const deps: Deps = {
    config,
    orm,
    replica,
    log,
    metrics,
    now,
    figures: async () => [await metrics.figures()],
    draining: () => leavingSince !== undefined,
    tokens: createTokens(config.accepted.JWT_SECRET, now),
    passwords: createPasswords(config.PASSWORD_HASHES),
    ownUrl,
    publicUrl,
    ...createProviders(config, ownUrl, log, metrics, now),
    ...overrides,
  }
  // A job may take all that the time-outs and retries add up to; nobody waits for its answer.
  const patient = {
    ...config,
    PROVIDER_BUDGET_MS: (config.PROVIDER_TIMEOUT_MS + 10_000) * (1 + config.PROVIDER_RETRIES),
  }
  const app = createApp(deps).listen({ port: config.PORT, hostname: config.HOST })
  let stopping: Promise<void> | undefined
  let leavingSince: number | undefined
  const leave = () => (leavingSince ??= performance.now())
  const ready = running.then(() =>
    whenReachable(
      'The database cannot be reached',
      async () => void (await migrate(orm)),
      log,
      () => !!stopping,
    ),
  )
  const jobs = config.JOBS
    ? ready.then(() =>
        whenReachable(
          'The jobs could not be started',
          async () =>
            (await import('./jobs')).startJobs({
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
    figures: metrics.figures,
    leave,
    stop: () =>
      (stopping ??= (async () => {
        await Bun.sleep(Math.max(0, leave() + config.DRAIN_GRACE_MS - performance.now())) // a request on its way over a kept connection would be lost with it
        await Promise.race([app.server?.stop(), Bun.sleep(config.DRAIN_MS)])
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
async function whenReachable<T>(
  otherwise: string,
  work: () => Promise<T>,
  log: Log,
  stopping: () => boolean,
): Promise<T | undefined> {
  for (let told = false; !stopping(); told = true) {
    try {
      return await work()
    } catch (error) {
      if (faultOf(error).code !== 'SERVICE_UNAVAILABLE') throw error
      if (!told) log.warn({ err: error }, `${otherwise}; waiting for the database`)
      await Bun.sleep(500)
    }
  }
  return undefined
}

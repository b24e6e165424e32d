import { migrate } from '../db/migrate'
import type { Orm } from '../db/orm'
import { createApp } from './app'
import { createPasswords } from './auth/passwords'
import { createTokens } from './auth/tokens'
import type { Config } from './config'
import type { Deps } from './deps'
import { faultOf } from './http/errors'
import { startJobs } from './jobs'
import type { Log } from './log'
import { createMetrics } from './metrics'
import { createProviders } from './providers'

export type Serving = { url: string; publicUrl: string; deps: Deps; ready: Promise<void>; stop: () => Promise<void> }

/** Listens at once; `ready` is when the database is reachable and up to date, for which it waits. `overrides` are the tests' clock and providers. */
export function serve(config: Config, orm: Orm, log: Log, overrides: Partial<Deps> = {}): Serving {
  const now = overrides.now ?? (() => new Date())
  const wildcard = ['0.0.0.0', '::', ''].includes(config.HOST)
  const port = () => app.server?.port ?? config.PORT
  const ownUrl = () => `http://${wildcard ? '127.0.0.1' : config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST}:${port()}`
  const publicUrl = () => config.PUBLIC_URL ?? `http://${wildcard ? 'localhost' : config.HOST}:${port()}`
  const metrics = createMetrics(overrides.tracing)
  const deps: Deps = { config, orm, log, metrics, now, tokens: createTokens(config.accepted.JWT_SECRET, now), passwords: createPasswords(config.PASSWORD_HASHES), ownUrl, publicUrl, ...createProviders(config, ownUrl, log, metrics, now), ...overrides }
  // A job may take all that the time-outs and retries add up to; nobody waits for its answer.
  const patient = { ...config, PROVIDER_BUDGET_MS: (config.PROVIDER_TIMEOUT_MS + 10_000) * (1 + config.PROVIDER_RETRIES) }
  const app = createApp(deps).listen({ port: config.PORT, hostname: config.HOST })
  let stopping: Promise<void> | undefined
  const ready = upToDate(orm, log, () => !!stopping)
  const jobs = config.JOBS ? ready.then(() => stopping ? undefined : startJobs({ ...deps, config: patient, ...createProviders(patient, ownUrl, log, metrics, now), ...overrides })) : undefined
  jobs?.catch(error => log.error({ err: error }, 'The jobs could not be started'))

  return {
    url: ownUrl(),
    publicUrl: publicUrl(),
    deps,
    ready,
    stop: () => stopping ??= (async () => {
      await Promise.race([app.server?.stop(), Bun.sleep(DRAIN_MS)])
      await app.server?.stop(true)
      await Promise.race([Promise.allSettled([ready, jobs?.then(running => running?.stop())]), Bun.sleep(DRAIN_MS)])             // a migration or a job is not left half way
      await orm.close()
    })(),
  }
}
const DRAIN_MS = 4500

/** A database that is not there yet may come; one that cannot be migrated will not. */
async function upToDate(orm: Orm, log: Log, stopping: () => boolean) {
  for (let told = false; !stopping(); told = true) {
    try {
      await migrate(orm)
      return
    } catch (error) {
      if (faultOf(error).code !== 'SERVICE_UNAVAILABLE') throw error
      if (!told) log.warn({ err: error }, 'The database cannot be reached; waiting for it')
      await Bun.sleep(500)
    }
  }
}

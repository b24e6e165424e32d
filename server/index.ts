import { existsSync, readFileSync } from 'node:fs'
import { startPostgres } from '../db/embedded-postgres'
import { readConfig, type Config } from './config'
import { createLog } from './observability/log'
import { LoggableError, toErrorText } from './observability/safe-errors'
import type { RunningServer } from './process/server'
import { connectToSupervisor, startSupervisor, WORKER_ARGUMENT } from './process/supervisor'

const config = configured()
const log = createLog(config.LOG_LEVEL, process.stdout.isTTY && config.NODE_ENV === 'development')

let stopping: Promise<never> | undefined
const stop = () => void (stopping ??= end().catch(fail))
// A worker serves; where there are workers, who has started them does not.
const parent = process.argv[2] === WORKER_ARGUMENT ? connectToSupervisor(stop) : undefined
const starting = start()
// A terminal signals workers too, whose parent tells them when their turn is.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  process.on(signal, parent && signal !== 'SIGTERM' ? () => {} : stop)
// The runtime would print the whole error, with all that it quotes. A promise that nobody waits for harms nobody; after an exception nothing is certain any more.
process.on('unhandledRejection', error => log.error({ err: error }, 'A failure was not looked after'))
process.on('uncaughtException', error => {
  log.fatal({ err: error }, 'An exception was not caught; stopping')
  process.exitCode = 1
  stop()
})
if (!parent && process.env.npm_execpath?.includes('npm-cli')) whenOrphaned(stop)
await starting.then(({ serving }) => serving.ready).then(() => stopping ?? greet(), fail)

async function start() {
  const leads = config.WORKERS > 1 && !parent
  const endpoint = leads ? undefined : config.OTEL_EXPORTER_OTLP_ENDPOINT
  const tracing = endpoint ? (await import('./observability/tracing')).createTracing(endpoint) : undefined
  let served: Promise<RunningServer> | undefined
  const serveOn = (url: string, running: Promise<void>) => {
    served ??= load(url, running)
    served.catch(() => {}) // looked at when PostgreSQL runs
  }
  const load = async (url: string, running: Promise<void>) => {
    const [{ openDatabase }, { startServer }] = await Promise.all([
      import('../db/orm'),
      import('./process/server'),
    ])
    const serving = startServer(
      config,
      openDatabase(url, { observe: tracing?.query }),
      log,
      { ...(tracing && { tracing }), ...(parent && { collectMetrics: parent.figures }) },
      running,
    )
    parent?.serves(serving)
    return serving
  }
  // The rest of the server is loaded, the entities are gone through and the routes made while PostgreSQL starts.
  const embedded = config.DATABASE_URL
    ? undefined
    : await startPostgres(
        config.DATA_DIR,
        'development',
        (url, running) => void (leads || serveOn(url, running)),
      ).catch(error => {
        throw new LoggableError(error instanceof Error ? error.message : String(error), { cause: error })
      })
  if (embedded) log.info(`PostgreSQL runs on the data in ${embedded.folder}`)
  try {
    const url = config.DATABASE_URL ?? embedded!.url
    if (leads)
      return {
        embedded,
        tracing,
        serving: startSupervisor(config, { ...process.env, DATABASE_URL: url }, log),
      }
    serveOn(url, Promise.resolve())
    return { embedded, tracing, serving: await served! }
  } catch (error) {
    await embedded?.release()
    throw error
  }
}

/** Requests in flight are finished first; a PostgreSQL of our own stops with its last user. */
async function end() {
  log.info('Stopping')
  const { embedded, serving, tracing } = await starting
  await serving.stop()
  const lost = await tracing?.stop()
  if (lost) log.warn({ err: lost }, 'The last traces could not be sent')
  await embedded?.release()
  log.info('Stopped')
  return process.exit()
}

function configured(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return fail(error)
  }
}

/** One line that says what is wrong. */
function fail(error: unknown): never {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  process.stderr.write(
    `Kiraya cannot start: ${taken ? `PORT ${config.PORT} is already in use` : error instanceof LoggableError ? error.message : toErrorText(error)}\n`,
  )
  return process.exit(1)
}

async function greet() {
  const {
    serving: { publicUrl },
  } = await starting
  if (parent) return parent.ready(publicUrl)
  log.info(`Kiraya listens on ${publicUrl}`)
  log.info(`The API's documentation is at ${publicUrl}/docs`)
  log.info(
    config.sandbox.messages
      ? `Sign in: npx kiraya login --phone 9876543210 (the sandbox's one-time password is ${config.isProduction ? 'SANDBOX_OTP' : config.SANDBOX_OTP})`
      : 'Sign in: npx kiraya login --phone <your number>',
  )
}

/** A signal to npx ends the shell that it started and reaches nobody below: that our runner lost its parent is the only trace. */
function whenOrphaned(stop: () => void) {
  const runnersParent = () => /^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8'))?.[1]
  if (!existsSync('/proc/self/status')) return
  const before = runnersParent()
  const watch = setInterval(() => {
    if (runnersParent() === before) return
    clearInterval(watch)
    stop()
  }, 500)
  watch.unref()
}

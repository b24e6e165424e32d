import { startEmbedded } from '../db/embedded'
import { openDatabase } from '../db/orm'
import { ConfigError, readConfig, type Config } from './config'
import { createLog, type Log } from './log'
import { serve } from './serve'

const config = configured()
const log = createLog(config.LOG_LEVEL, process.stdout.isTTY && config.NODE_ENV === 'development')

try {
  const embedded = config.DATABASE_URL ? undefined : await startEmbedded(config.DATA_DIR)
  const serving = serve(config, openDatabase(config.DATABASE_URL ?? embedded!.url), log)
  const stop = once(async () => {
    log.info('Stopping: requests in flight are finished first')
    await serving.stop()
    await embedded?.release()
    log.info('Stopped')
    process.exit(0)
  })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  if (embedded) log.info(`PostgreSQL runs on the data in ${embedded.folder}`)
  await serving.ready
  greet(log, config, serving.publicUrl)
} catch (error) {
  const taken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  fail(taken ? `PORT ${config.PORT} is already in use` : error instanceof Error ? error.message : String(error))
}

function configured(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message)
    throw error
  }
}

function fail(message: string): never {
  process.stderr.write(`Kiraya cannot start: ${message}\n`)
  process.exit(1)
}

function greet(log: Log, config: Config, url: string) {
  log.info(`Kiraya listens on ${url}`)
  log.info(`The API's documentation is at ${url}/docs`)
  log.info(config.sandbox.messages
    ? `Sign in: npx kiraya login --phone 9876543210 (the sandbox's one-time password is ${config.production ? 'SANDBOX_OTP' : config.SANDBOX_OTP})`
    : 'Sign in: npx kiraya login --phone <your number>')
}

function once(work: () => Promise<void>) {
  let running: Promise<void> | undefined
  return () => void (running ??= work().catch(error => fail(error instanceof Error ? error.message : String(error))))
}

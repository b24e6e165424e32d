import { OldPostgresError } from '../db/version'
import { readConfig, type Config } from './config'
import { createLog } from './observability/log'
import { LoggableError, toErrorText } from './observability/safe-errors'
import { runCommand } from './process/commands'
import { stopWithRunner } from './process/orphan'
import { startInstance } from './process/start'
import { connectToSupervisor, isWorker } from './process/supervisor'

/** Where the command line looks without `--url`. */
const CLI_DEFAULT_URL = 'http://localhost:3000'

const args = process.argv.slice(2)
// A worker of the single program has the program's path as an argument.
if (args.length > 0 && !isWorker) await runCommand(args)

const config = loadConfig()
const log = createLog(config.LOG_LEVEL, process.stdout.isTTY && config.NODE_ENV === 'development')

let stopping: Promise<never> | undefined
const connection = isWorker ? connectToSupervisor(stop) : undefined
const starting = startInstance(config, process.env, log, connection)
handleSignals()
handleErrors()
if (!isWorker && process.env.npm_execpath?.includes('npm-cli')) stopWithRunner(stop)

try {
  const { server } = await starting
  await server.ready
  await (stopping ?? greet(server.publicUrl))
} catch (error) {
  exitWithError(error)
}

function loadConfig(): Config {
  try {
    return readConfig(process.env)
  } catch (error) {
    return exitWithError(error)
  }
}

function handleSignals() {
  // A terminal also signals the workers, which wait for their supervisor instead.
  const ignored = isWorker ? ['SIGINT', 'SIGHUP'] : []
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, ignored.includes(signal) ? () => {} : stop)
  }
}

/** The runtime would print whole errors, with the personal data that they quote. */
function handleErrors() {
  process.on('unhandledRejection', error => log.error({ err: error }, 'Unhandled promise rejection'))
  // After an exception the state of the process is uncertain, unlike after a rejection.
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'Uncaught exception; stopping')
    process.exitCode = 1
    stop()
  })
}

function stop() {
  stopping ??= shutDown().catch(exitWithError)
}

/** Finishes the requests in flight; an embedded PostgreSQL stops with its last user. */
async function shutDown() {
  log.info('Stopping')
  const { embedded, server, tracing } = await starting
  await server.stop()
  const tracingError = await tracing?.stop()
  if (tracingError) log.warn({ err: tracingError }, 'The last traces could not be sent')
  await embedded?.release()
  log.info('Stopped')
  return process.exit()
}

/** Prints one line that says what is wrong. */
function exitWithError(error: unknown): never {
  process.stderr.write(`Kiraya cannot start: ${describeStartError(error)}\n`)
  return process.exit(1)
}

function describeStartError(error: unknown) {
  const isPortInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (isPortInUse) return `PORT ${config.PORT} is already in use`
  const isOurs = error instanceof LoggableError || error instanceof OldPostgresError
  return isOurs ? error.message : toErrorText(error)
}

function greet(publicUrl: string) {
  if (connection) return connection.reportReady(publicUrl)
  const otp = config.isProduction ? 'SANDBOX_OTP' : config.SANDBOX_OTP
  log.info(`Kiraya listens on ${publicUrl}`)
  log.info(`The API's documentation is at ${publicUrl}/docs`)
  if (config.sandbox.kyc) log.info(describeIdentityChecks(config))
  const command = `npx kiraya login${publicUrl === CLI_DEFAULT_URL ? '' : ` --url ${publicUrl}`}`
  log.info(
    config.sandbox.messages
      ? `Sign in: ${command} --phone 9876543210 (the sandbox's one-time password is ${otp})`
      : `Sign in: ${command} --phone <your number>`,
  )
}

function describeIdentityChecks({ SANDBOX_EKYC: mode }: Config) {
  return mode === 'auto'
    ? 'Identity checks approve themselves in the sandbox (SANDBOX_EKYC=auto; manual waits for its page)'
    : "Identity checks wait for the sandbox's page (SANDBOX_EKYC=manual)"
}

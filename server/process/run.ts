import { UnsuitableDatabase } from '../../db/version'
import { createConfig, readSettings, type Config, type Environment } from '../config'
import { createLog, type Log } from '../observability/log'
import { LoggableError, toErrorText } from '../observability/safe-errors'
import type { Constants } from '../settings/constants'
import type { SettingValues } from '../settings/table'
import { runCommand } from './commands'
import { findFreePort } from './free-port'
import { stopWithRunner } from './orphan'
import { startInstance, type Instance } from './start'
import { connectToSupervisor, isWorker, type SupervisorConnection } from './supervisor'

/** Where the command line looks without `--url`. */
const CLI_DEFAULT_URL = 'http://localhost:3000'

/** What this process does from its start to its end: a command, or an instance until a signal stops it. */
export async function runServer(env: Environment, constants?: Partial<Constants>) {
  const args = process.argv.slice(2)
  // A worker of the single program has the program's path as an argument.
  if (args.length > 0 && !isWorker) await runCommand(args)

  const config = loadConfig(env, constants)
  const log = createLog(config.LOG_LEVEL, process.stdout.isTTY && config.NODE_ENV === 'development')
  const exitWithError = (error: unknown) => exitWith(describeStartError(error, config))

  let stopping: Promise<never> | undefined
  const stop = () => void (stopping ??= shutDown(starting, log).catch(exitWithError))
  const connection = isWorker ? connectToSupervisor(stop) : undefined
  const starting = startInstance(config, env, log, connection)
  handleSignals(stop)
  handleErrors(stop, log)
  if (!isWorker && env.npm_execpath?.includes('npm-cli')) stopWithRunner(stop)

  try {
    const { server } = await starting
    await server.ready
    await (stopping ?? greet(config, log, connection, server.publicUrl))
  } catch (error) {
    exitWithError(error)
  }
}

/** A start that is refused leaves nothing behind: secrets are generated last. */
function loadConfig(env: Environment, constants?: Partial<Constants>): Config {
  let settings: SettingValues | undefined
  try {
    settings = readSettings(env)
    if (!isWorker) findFreePort(settings)
    return createConfig(settings, constants)
  } catch (error) {
    return exitWith(describeStartError(error, settings))
  }
}

function handleSignals(stop: () => void) {
  // A terminal also signals the workers, which wait for their supervisor instead.
  const ignored = isWorker ? ['SIGINT', 'SIGHUP'] : []
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, ignored.includes(signal) ? () => {} : stop)
  }
}

/** The runtime would print whole errors, with the personal data that they quote. */
function handleErrors(stop: () => void, log: Log) {
  process.on('unhandledRejection', error => log.error({ err: error }, 'Unhandled promise rejection'))
  // After an exception the state of the process is uncertain, unlike after a rejection.
  process.on('uncaughtException', error => {
    log.fatal({ err: error }, 'Uncaught exception; stopping')
    process.exitCode = 1
    stop()
  })
}

/** Finishes the requests in flight; an embedded PostgreSQL stops with its last user. */
async function shutDown(starting: Promise<Instance>, log: Log): Promise<never> {
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
function exitWith(reason: string): never {
  process.stderr.write(`Kiraya cannot start: ${reason}\n`)
  return process.exit(1)
}

function describeStartError(error: unknown, settings?: Pick<Config, 'PORT'>) {
  const isPortInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  if (isPortInUse && settings) return `PORT ${settings.PORT} is already in use`
  const isOurs = error instanceof LoggableError || error instanceof UnsuitableDatabase
  return isOurs ? error.message : toErrorText(error)
}

function greet(config: Config, log: Log, connection: SupervisorConnection | undefined, publicUrl: string) {
  if (connection) return connection.reportReady(publicUrl)
  const otp = config.isProduction ? 'SANDBOX_OTP' : config.SANDBOX_OTP
  log.info(`Kiraya listens on ${publicUrl}`)
  log.info(`The API's documentation is at ${publicUrl}/docs`)
  if (config.sandbox.kyc)
    log.info('Identity checks approve themselves in the sandbox, unless npx kiraya sandbox ekyc manual')
  const command = `npx kiraya login${publicUrl === CLI_DEFAULT_URL ? '' : ` --url ${publicUrl}`}`
  log.info(
    config.sandbox.messages
      ? `Sign in: ${command} --phone 9876543210 (the sandbox's one-time password is ${otp})`
      : `Sign in: ${command} --phone <your number>`,
  )
}

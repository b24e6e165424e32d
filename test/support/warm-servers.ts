import type { Database } from '../../db/database'
import { readConfig, type Config, type settings as declared } from '../../server/config'
import type { Deps } from '../../server/deps'
import { createLog, type Log } from '../../server/observability/log'
import { startServer, type RunningServer } from '../../server/process/server'
import { createProviders } from '../../server/providers/index'
import type { Constants } from '../../server/settings/constants'
import { freshDatabase } from './database'
import { registerServer } from './description'
import { cheapPasswords } from './passwords'
import { createEraser } from './eraser'
import { openWatched } from './lock-order'

// A server and its database serve one test file after another in a worker: to start them costs more than most files.

export type Env = Partial<Record<keyof typeof declared, string>>
type Lent = {
  running: RunningServer
  orm: Database
  /** Waits until nothing is under way, and lends the server to the next one. */
  giveBack: () => Promise<void>
}

/** Settings that a server reads when it starts; servers that differ in one are kept apart. Others are swapped. */
const READ_AT_START: (keyof Env)[] = [
  'API_VARIANT',
  'ESIGN_PROTOCOL',
  'FRONTEND_ORIGIN',
  'JWT_SECRET',
  'OPS_TOKEN',
  'PUBLIC_URL',
  'SANDBOX_TOKEN',
  'TRUSTED_PROXIES',
]
/** Settings and constants that only a server of its own can have. */
const OWN =
  /^(NODE_ENV|PORT|HOST|WORKERS|RUN_JOBS|DATA_DIR|LOG_LEVEL|DATABASE_.*URL|OTEL_.*|SHUTDOWN_.*|PASSWORD_.*)$/
/** Dependencies that services read when they use them; routes keep others from the start. */
const SWAPPED_OVERRIDES = 'now log passwords signing otherSigning kyc sendMessage'.split(' ')
const MAX_IDLE = 4
const PAUSE_MS = 5
const MAX_TRIES = 1000

type WarmServer = Awaited<ReturnType<typeof startWarmServer>>
const idle: WarmServer[] = []

export function canBeShared(given: object, overrides: Partial<Deps>) {
  return (
    !Object.keys(given).some(name => OWN.test(name)) &&
    Object.keys(overrides).every(name => SWAPPED_OVERRIDES.includes(name))
  )
}

/** Lends a server with an empty database, with these settings, constants and dependencies. */
export async function lendServer(
  settings: Env,
  env: Env,
  constants: Partial<Constants>,
  overrides: Partial<Deps>,
): Promise<Lent> {
  const config = readConfig({ ...settings, ...env }, constants)
  const kind = JSON.stringify([config.sandbox, ...READ_AT_START.map(name => env[name])])
  const index = idle.findLastIndex(server => server.kind === kind)
  const [known] = index < 0 ? [] : idle.splice(index, 1)
  const server = known ?? (await startWarmServer(kind, { ...settings, ...env }))
  await server.prepare({ ...config, DATABASE_URL: server.orm.url }, overrides)
  let given: Promise<void> | undefined
  return { running: server.running, orm: server.orm, giveBack: () => (given ??= giveBack(server)) }
}

async function giveBack(server: WarmServer) {
  const leftover = server.isStopped() ? undefined : await server.findLeftover()
  const isReusable = !server.isStopped() && !leftover && !(await server.hasChangedSchema())
  if (isReusable) idle.push(server)
  else await server.end()
  if (idle.length > MAX_IDLE) await idle.shift()!.end()
  if (leftover) throw new Error(`This file ends while ${leftover}`)
}

/** Starts a server on a database; from then on its answers are compared with its description. */
export async function startOn(
  orm: Database,
  settings: Env,
  constants: Partial<Constants> = {},
  overrides: Partial<Deps> = {},
) {
  const config = readConfig(settings, constants)
  const passwords = cheapPasswords(config.PASSWORD_HASH_CONCURRENCY)
  const log = overrides.log ?? createLog(config.LOG_LEVEL, false)
  const running = startServer(config, orm, log, { passwords, ...overrides })
  await running.ready
  registerServer(running)
  return running
}

async function startWarmServer(kind: string, settings: Env) {
  const database = await freshDatabase()
  const { database: orm, listBroken } = openWatched(database.url)
  const clock = createSwappable(() => new Date())
  const log = createSwappableLog(createLog(settings.LOG_LEVEL!, false))
  const overrides = { now: () => clock.get()(), log: log.log }
  const { starting, countRequests } = startObserved(() =>
    startOn(orm, { ...settings, DATABASE_URL: database.url }, {}, overrides),
  )
  const running = await starting
  const eraser = await createEraser(database.url)
  const original = { ...running.deps }
  let isStopped = false
  const { stop, startDraining } = running
  running.startDraining = () => {
    isStopped = true
    startDraining()
  }
  running.stop = () => {
    isStopped = true
    return stop()
  }

  async function prepare(next: Config, overrides: Partial<Deps>) {
    await eraser.erase()
    const { now, log: nextLog, ...others } = overrides
    const { deps } = running
    clock.set(now)
    log.set(nextLog)
    Object.assign(deps.config, next)
    Object.assign(deps, original)
    deps.clock.setOffset(0)
    const { requests, providerCalls, webhooks, messages, serviceLimits } = deps.metrics
    for (const counted of [requests, providerCalls, webhooks, messages, serviceLimits]) counted.reset()
    const providers = createProviders(deps)
    Object.assign(deps, providers, others)
  }

  const end = async () => {
    await running.stop()
    await eraser.close()
    await database.drop()
  }
  const { hasChangedSchema, findRunningStatement } = eraser
  const findLeftover = async () =>
    listBroken()[0] ?? findWorkUnderWay(orm, countRequests, findRunningStatement)
  return { kind, orm, running, prepare, findLeftover, hasChangedSchema, isStopped: () => isStopped, end }
}

/** Describes what a file has left under way once it has had some time to end, or a database that it has closed. */
async function findWorkUnderWay(
  orm: Database,
  countRequests: () => number,
  findStatement: () => Promise<string | undefined>,
) {
  const answer = orm.sendStatement('select', [])
  const hasAnswered = await answer.then(
    () => true,
    () => false,
  )
  if (!hasAnswered) return 'the database of its server is closed'
  return waitUntilNothing(async () => {
    const requests = countRequests()
    return requests > 0 ? `${requests} requests are under way` : findStatement()
  })
}

/** Waits until there is nothing to describe; returns what is left after some seconds. */
async function waitUntilNothing(describe: () => Promise<string | undefined>) {
  let leftover = await describe()
  for (let tries = 0; leftover && tries < MAX_TRIES; tries++) {
    await Bun.sleep(PAUSE_MS)
    leftover = await describe()
  }
  return leftover
}

/** Starts a server, and counts the requests that it has not answered yet. */
function startObserved(start: () => Promise<RunningServer>) {
  const { serve } = Bun
  let listening: Bun.Server<unknown> | undefined
  try {
    Bun.serve = ((options: Parameters<typeof serve>[0]) => (listening = serve(options))) as typeof serve
    const starting = start()
    return { starting, countRequests: () => listening!.pendingRequests }
  } finally {
    Bun.serve = serve
  }
}

function createSwappable<T>(original: T) {
  let current = original
  return { get: () => current, set: (next: T | undefined) => void (current = next ?? original) }
}

/** A log that writes to another one, which can be swapped. */
function createSwappableLog(original: Log) {
  const { get, set } = createSwappable(original)
  const names = ['debug', 'info', 'warn', 'error', 'fatal', 'audit'] as const
  const writers = names.map(name => [name, (...line: unknown[]) => (get()[name] as Function)(...line)])
  return { log: Object.fromEntries(writers) as Log, set }
}

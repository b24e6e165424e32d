import { afterAll, beforeAll } from 'bun:test'
import { getKysely, openDatabase, type Db, type EntityManager, type Observe } from '../../db/database'
import { freshDatabase } from './database'
import type { Deps } from '../../server/deps'
import type { RunningServer } from '../../server/process/server'
import type { Constants } from '../../server/settings/constants'
import { openWatched } from './lock-order'
import { canBeShared, lendServer, startOn, type Env } from './warm-servers'

/** Settings and constants of every server that tests start; they differ from production's where waiting would cost time. */
const testSettings = {
  NODE_ENV: 'test',
  PORT: '0',
  HOST: '127.0.0.1',
  RUN_JOBS: 'false',
  LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
  DATABASE_TIMEOUT_MS: '15000',
  JWT_SECRET: 'a secret that only the tests know of more than 32 bytes',
  ESIGN_WEBHOOK_SECRET: 'another secret that only the tests know and as long',
}
const testConstants = { PROVIDER_TIMEOUT_MS: 10_000, PROVIDER_TOTAL_TIMEOUT_MS: 20_000 }

type Options = {
  env?: Env
  constants?: Partial<Constants>
  overrides?: Partial<Deps>
  poolSize?: number
  observe?: Observe
  /** Whether the database must be one that nothing has used before; another pool or observer needs that, too. */
  own?: boolean
}

export type TestServer = RunningServer & {
  /** An entity manager of its own. */
  em: () => EntityManager
  /** Typed queries, each by itself. */
  db: Db
  /** Hands the server on to the next file. One of its own stops, and its database is dropped. */
  end: () => Promise<void>
}

/** A clock that tests move. */
export function clock(start = new Date()) {
  let time = start.getTime()
  return {
    now: () => new Date(time),
    advance: (ms: number) => void (time += ms),
    set: (instant: Date) => void (time = instant.getTime()),
  }
}

/** A server for a whole test file, on an empty database of its own. */
export function testServer(options: Options = {}) {
  const server = {} as TestServer
  beforeAll(async () => void Object.assign(server, await startTestServer(options)))
  afterAll(() => server.end())
  return server
}

/**
 * A server that the test itself ends. It comes from those that earlier files have left, unless the options need one
 * of its own.
 */
export async function startTestServer(options: Options = {}): Promise<TestServer> {
  const { env = {}, overrides = {}, poolSize, observe, own = Boolean(observe ?? poolSize) } = options
  const constants = { ...testConstants, ...options.constants }
  if (own || !canBeShared({ ...env, ...options.constants }, overrides))
    return startOwnServer({ ...options, constants })
  const { running, orm, giveBack } = await lendServer(testSettings, env, constants, overrides)
  return { ...running, em: () => orm.fork(), db: getKysely(orm), end: giveBack }
}

async function startOwnServer({
  env,
  constants,
  overrides,
  poolSize,
  observe,
}: Options): Promise<TestServer> {
  const database = await freshDatabase()
  const { database: orm, listBroken } = openWatched(database.url, { poolSize, observe })
  const settings = { ...testSettings, DATABASE_URL: database.url, ...env }
  const running = await startOn(orm, settings, constants, overrides)
  const end = async () => {
    await running.stop()
    await database.drop()
    const [broken] = listBroken()
    if (broken) throw new Error(`In this file ${broken}`)
  }
  return { ...running, em: () => orm.fork(), db: getKysely(orm), end }
}

/** Another instance on the database of a running one, with its clock, and with settings and constants of its own. */
export async function startSecondInstance(
  { deps }: RunningServer,
  env: Env = {},
  constants: Partial<Constants> = {},
) {
  const { DATABASE_URL, JWT_SECRET } = deps.config
  if (!DATABASE_URL) throw new Error('The first instance has no database of its own')
  const settings = { ...testSettings, DATABASE_URL, JWT_SECRET, ...env }
  const given = { ...testConstants, ...constants }
  return startOn(openDatabase(DATABASE_URL), settings, given, { now: deps.clock.getMachineTime })
}

import { afterAll, beforeAll } from 'bun:test'
import { openDatabase, type Em, type Observe } from '../../db/orm'
import { readConfig } from '../../server/config'
import type { Deps } from '../../server/deps'
import { createLog } from '../../server/observability/log'
import { startServer, type RunningServer } from '../../server/process/server'
import { freshDatabase } from './database'

const secrets = {
  JWT_SECRET: 'a secret that only the tests know, of more than 32 bytes',
  ESIGN_WEBHOOK_SECRET: 'another secret that only the tests know, as long',
}

type Options = {
  env?: Record<string, string>
  overrides?: Partial<Deps>
  poolSize?: number
  observe?: Observe
}

/** A clock that tests move. */
export const clock = (start = new Date()) => {
  let at = start.getTime()
  return { now: () => new Date(at), advance: (ms: number) => void (at += ms) }
}

/** A real server listening on a real, migrated, empty database. */
export async function startTestServer({ env, overrides, poolSize = 10, observe }: Options = {}): Promise<
  RunningServer & { em: () => Em; end: () => Promise<void> }
> {
  const database = await freshDatabase()
  const orm = openDatabase(database.url, { poolSize, observe })
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    RUN_JOBS: 'false',
    DATABASE_URL: database.url,
    DATABASE_TIMEOUT_MS: '15000',
    PROVIDER_TIMEOUT_MS: '2000',
    PROVIDER_TOTAL_TIMEOUT_MS: '4000',
    ...secrets,
    ...env,
  })
  const serving = startServer(config, orm, createLog(config.LOG_LEVEL, false), overrides)
  await serving.ready
  return {
    ...serving,
    em: () => orm.em.fork(),
    end: async () => {
      await serving.stop()
      await database.drop()
    },
  }
}

/** The same for a whole test file. */
export function server(options: Options = {}) {
  const it = {} as Awaited<ReturnType<typeof startTestServer>>
  beforeAll(async () => void Object.assign(it, await startTestServer(options)))
  afterAll(() => it.end())
  return it
}

/** Another instance on the same database, with what is set otherwise for it. */
export async function startSecondInstance({ deps }: RunningServer, env: Record<string, string> = {}) {
  const { DATABASE_URL, JWT_SECRET } = deps.config
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    RUN_JOBS: 'false',
    DATABASE_URL,
    ...secrets,
    JWT_SECRET,
    ...env,
  })
  const serving = startServer(config, openDatabase(DATABASE_URL!), createLog('silent', false), {
    now: deps.now,
  })
  await serving.ready
  return serving
}

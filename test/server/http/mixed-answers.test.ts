import { test } from 'bun:test'
import { openDatabase } from '../../../db/database'
import { readConfig } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { startServer } from '../../../server/process/server'
import { freshDatabase } from '../../support/database'
import { startFaultyProxy } from '../../support/mixed/faulty-proxy'
import { expectUnmixedAnswers, type Chaos } from '../../support/mixed/mixing'
import { serverSettings } from '../../support/process'
import { chooseSeed, createRandom } from '../../support/random'

const REQUESTS = 400
/** However slow the machine is, so many requests pass from one broken connection to the next. */
const REQUESTS_BETWEEN = 10
/** The short round cuts more, so that it meets each fault. */
const CUT_SHARE = 0.01
const seed = chooseSeed()

/** Terminates one connection of the server after the other. */
function startTerminating(sql: Bun.SQL, name: string, countLeft: () => number): Chaos {
  const counts = { terminated: 0 }
  let isRunning = true
  const running = (async () => {
    for (let next = countLeft(); isRunning; await Bun.sleep(5)) {
      if (countLeft() > next) continue
      next -= REQUESTS_BETWEEN
      const ended = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = ${name} and application_name = 'kiraya' order by random() limit 1`
      counts.terminated += ended.length
    }
  })()
  const stop = () => {
    isRunning = false
    return running
  }
  return { counts, stop }
}

test(`each response belongs to its request, while connections break and clients leave (seed ${seed})`, async () => {
  const random = createRandom(seed)
  const database = await freshDatabase()
  const socket = `${new URL(database.url).searchParams.get('host')}/.s.PGSQL.5432`
  const proxy = await startFaultyProxy(socket, random, CUT_SHARE)
  proxy.calm(true)
  const url = `postgresql://kiraya@localhost/${database.name}?host=${encodeURIComponent(proxy.folder)}`
  const config = readConfig({ ...serverSettings, PORT: '0', DATABASE_URL: url, RUN_JOBS: 'false' })
  const server = startServer(config, openDatabase(url), createLog('silent', false))
  await server.ready
  const sql = new Bun.SQL({ path: socket, username: 'kiraya', database: database.name, max: 1 })

  await expectUnmixedAnswers({
    url: server.url,
    proxy,
    startChaos: countLeft => startTerminating(sql, database.name, countLeft),
    requests: REQUESTS,
    clients: 4,
    lanes: 3,
    random,
    loadUnits: query => sql.unsafe(query),
  })

  await sql.end()
  await server.stop()
  await proxy.stop()
  await database.drop()
}, 60_000)

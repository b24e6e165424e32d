import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import { PgBoss } from 'pg-boss'
import { Database } from '../../../db/database'
import { UnsuitableDatabase } from '../../../db/version'
import type { Deps } from '../../../server/deps'
import { startServer } from '../../../server/process/server'
import { waitUntil } from '../../support/round'
import { startTestServer, type TestServer } from '../../support/server'
import { sendRequest } from '../../support/users'
import { createCompletedUser } from '../accounts/profile/fixtures'
import { createKycProvider } from '../accounts/profile/kyc-provider'

const provider = createKycProvider()
afterEach(() => mock.restore())

/** Whether a server stops soon, and not only after its delays of half a minute. */
const stopsSoon = ({ stop }: TestServer) => Promise.race([stop().then(() => true), Bun.sleep(10_000)])

test('503: a server that drains is not ready, and still answers', async () => {
  const server = await startTestServer()
  server.startDraining()

  const [ready, live] = [
    await sendRequest(server, 'GET', '/health/ready'),
    await sendRequest(server, 'GET', '/health/live'),
  ]

  expect([ready.status, ready.error.reason, live.status]).toEqual([503, 'server_stopping', 200])
  await server.end()
})

test('the delay of a shutdown counts from the moment when the server first drains', async () => {
  const server = await startTestServer({ constants: { SHUTDOWN_DELAY_MS: 30_000 } })
  const now = performance.now.bind(performance)
  let skippedMs = 0
  spyOn(performance, 'now').mockImplementation(() => now() + skippedMs)

  server.startDraining()
  skippedMs = 29_000
  server.startDraining()
  skippedMs = 30_000

  expect(await stopsSoon(server)).toBe(true)
  await server.end()
})

test('a server that is told twice to stop does so once', async () => {
  const server = await startTestServer()
  expect(server.stop()).toBe(server.stop())
  await server.end()
})

test('a request that does not end in time is cut off', async () => {
  const server = await startTestServer({
    env: provider.env,
    constants: { PROVIDER_TIMEOUT_MS: 30_000, SHUTDOWN_TIMEOUT_MS: 100 },
  })
  const user = await createCompletedUser(server)
  let isAsked = false
  provider.replies.start = () => {
    isAsked = true
    return new Promise<Response>(() => {})
  }
  const cut = user.post('/profile/ekyc').then(
    () => 'answered',
    () => 'cut off',
  )
  await waitUntil(() => isAsked, 'the call to the provider')

  expect(await stopsSoon(server)).toBe(true)

  expect(await Promise.race([cut, Bun.sleep(1000)])).toBe('cut off')
  await server.end()
})

test('the jobs end before the database that they use, and the replica with it', async () => {
  const ended: string[] = []
  const end = async (what: string) => {
    await Bun.sleep(0)
    ended.push(what)
  }
  const { stop } = PgBoss.prototype
  spyOn(PgBoss.prototype, 'stop').mockImplementation(async function (this: PgBoss, options) {
    await stop.call(this, options)
    await end('jobs')
  })
  const { close } = Database.prototype
  spyOn(Database.prototype, 'close').mockImplementation(async function (this: Database) {
    await end('database')
    await close.call(this)
  })
  const replica: Deps['replica'] = {
    sendStatement: (text, values) => server.deps.db.sendStatement(text, values),
    close: () => end('replica'),
  }
  const server = await startTestServer({ env: { RUN_JOBS: 'true' }, overrides: { replica } })
  const isQueueThere = async () => {
    const [queue] = await server.deps.db.sendStatement(`select to_regclass('jobs.job') as queue`, [])
    return Boolean((queue as { queue: unknown }).queue)
  }
  await waitUntil(isQueueThere, 'the queue of the jobs')
  ended.length = 0

  await server.stop()

  expect([ended[0], ended.slice(1).toSorted()]).toEqual(['jobs', ['database', 'replica']])
  await server.end()
})

test('a server on a PostgreSQL that is too old does not become ready', async () => {
  const server = await startTestServer({ own: true }) // its database is closed by another
  const { config, db, log } = server.deps
  spyOn(db, 'sendStatement').mockResolvedValue([{ number: 140_020 }])

  const old = startServer(config, db, log)

  await expect(old.ready).rejects.toBeInstanceOf(UnsuitableDatabase)
  mock.restore()
  await old.stop()
  await server.end()
})

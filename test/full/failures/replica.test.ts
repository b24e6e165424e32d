import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sendRequest, createLandlord, createUnit, signInUser, type TestUser } from '../../support/users'
import { startOwnCluster, PORT, STANDBY } from '../../support/cluster'
import { startUnreliableProxy } from '../../support/mixed/unreliable-proxy'
import { getPort, serverProcess, type ServerProcess } from '../../support/process'
import { report, waitUntil } from '../../support/round'

const ROUNDS = 300
const SETTLE_MS = 1500
let cluster: Awaited<ReturnType<typeof startOwnCluster>>
let forwarder: Awaited<ReturnType<typeof startUnreliableProxy>>
let one: Instance
let two: Instance
let owner: TestUser
let unit: any

type Instance = ServerProcess & { url: string }
async function startInstance(): Promise<Instance> {
  const databases = {
    DATABASE_URL: cluster.urlAt(forwarder.folder),
    DATABASE_REPLICA_URL: cluster.urlAt(cluster.socket, STANDBY),
  }
  const server = serverProcess(
    { PORT: '0', RUN_JOBS: 'false', ...databases },
    { REPLICA_SETTLE_MS: SETTLE_MS },
  )
  await server.listening
  return { ...server, url: `http://127.0.0.1:${getPort(server)}` }
}
function waitFor(isDone: () => boolean | Promise<boolean>) {
  return waitUntil(isDone, 'the expected state', 40_000)
}
/** Returns the database that an instance reads from, as its log names it. */
function getReadSource({ log }: Instance) {
  return [...log().matchAll(/Reads go to the (replica|primary: [^"]+)/g)].at(-1)?.[1]
}
function waitForReadSource(pattern: RegExp) {
  return waitFor(() => [one, two].every(instance => pattern.test(getReadSource(instance) ?? '')))
}
function getUnitPath() {
  return `/properties/${unit.property_id}/units/${unit.id}`
}
let written = 0
async function write(name = `U-${++written}`) {
  const body = { unit_name: name }
  return (await sendRequest(one.url, 'PATCH', getUnitPath(), { token: owner.token, body })).status
}
async function read() {
  const { status, body } = await sendRequest(two.url, 'GET', getUnitPath(), { token: owner.token })
  return status === 200 ? body.data.unit_name : status
}
async function expectCurrentRead() {
  expect([await write(), await read()]).toEqual([200, `U-${written}`])
}

beforeAll(async () => {
  cluster = await startOwnCluster()
  forwarder = await startUnreliableProxy(`${cluster.socket}/.s.PGSQL.${PORT}`)
  const first = serverProcess({ PORT: '0', RUN_JOBS: 'false', DATABASE_URL: cluster.urlAt(cluster.socket) })
  // The first server migrates the database.
  await first.listening
  await first.end('SIGTERM')
  await cluster.follow()
  ;[one, two] = await Promise.all([startInstance(), startInstance()])
  owner = await createLandlord(one.url)
  unit = (await createUnit(owner)).unit
  expect(await write()).toBe(200)
}, 120_000)
afterAll(async () => {
  for (const { child } of [one, two]) child.kill('SIGKILL')
  await forwarder.stop()
  await cluster.end()
})

// Each test begins and ends with reads from the replica, except the last, which promotes it.
beforeEach(() => waitForReadSource(/^replica$/), 60_000)

/** Counts the session lookups of the standby; every read makes one. */
async function countStandbyReads() {
  const [row] = await cluster.ask(
    `select coalesce(sum(idx_scan + seq_scan), 0)::int as count from pg_stat_user_tables where relname = 'auth_sessions'`,
    STANDBY,
  )
  return Number(row?.count)
}

test('a read from the replica sees every acknowledged change, and no ended session', async () => {
  const readsBefore = await countStandbyReads()
  for (let round = 0; round < ROUNDS; round++) {
    await expectCurrentRead()
    if (round % 4) continue
    const person = await signInUser(one.url)
    expect((await sendRequest(two.url, 'GET', '/auth/me', { token: person.token })).status).toBe(200)
    await sendRequest(one.url, 'POST', '/auth/logout', { token: person.token })
    expect((await sendRequest(two.url, 'GET', '/auth/me', { token: person.token })).status).toBe(401)
  }
  await waitFor(async () => (await countStandbyReads()) > readsBefore)
  report('reads through a replica', { rounds: ROUNDS, stale: 0 })
}, 120_000)

test('503: changes while the replica is down, until the operator removes it; reads go to the primary', async () => {
  await cluster.stop(cluster.standby)
  // The instances have not noticed yet.
  expect(await read()).toBe(`U-${written}`)
  await waitForReadSource(/^primary/)
  const before = `U-${written}`
  expect(await write('not confirmed')).toBe(503)
  // The primary may show what it could not confirm.
  expect([before, 'not confirmed']).toContain(await read())
  await cluster.waitFor('')
  await waitFor(async () => (await write()) === 200)
  expect(await read()).toBe(`U-${written}`)
  await cluster.startStandby()
  await cluster.waitFor('*')
}, 60_000)

test('reads go to the primary unless it waits until the replica has applied a change', async () => {
  const readWhileBehind = async (durationMs: number) => {
    await cluster.ask('select pg_wal_replay_pause()', STANDBY)
    for (const began = performance.now(); performance.now() - began < durationMs; await Bun.sleep(200))
      await expectCurrentRead()
    await cluster.ask('select pg_wal_replay_resume()', STANDBY)
  }
  await cluster.waitFor('')
  await waitForReadSource(/^primary: the primary does not wait/)
  await readWhileBehind(2000)
  await cluster.ask(`alter system set synchronous_commit = 'on'`)
  await cluster.waitFor('*')
  // Time alone must not be enough.
  await Bun.sleep(SETTLE_MS + 2500)
  await readWhileBehind(2000)
  await cluster.ask(`alter system set synchronous_commit = 'remote_apply'`)
  await cluster.waitFor('*')
  await waitForReadSource(/^replica$/)
  await expectCurrentRead()
}, 60_000)

test('reads go to the primary once a change was given up that the replica does not show', async () => {
  await cluster.ask('select pg_wal_replay_pause()', STANDBY)
  try {
    expect(await write()).toBe(503)
    await waitForReadSource(/^primary: the replica is catching up/)
    // The primary shows the change once it has given up waiting for the replica.
    await waitFor(async () => (await read()) === `U-${written}`)
    for (let times = 0; times < 20; times++) {
      expect(await read()).toBe(`U-${written}`)
      await Bun.sleep(200)
    }
  } finally {
    await cluster.ask('select pg_wal_replay_resume()', STANDBY)
  }
  await waitForReadSource(/^replica$/)
  await expectCurrentRead()
}, 60_000)

test('reads are correct after the promotion of the replica, and no acknowledged change is lost', async () => {
  await cluster.signal('SIGKILL')
  forwarder.lead(`${cluster.socket}/.s.PGSQL.${STANDBY}`)
  await cluster.promote()
  await waitFor(async () => (await read()) === `U-${written}`)
  await waitFor(async () => (await write()) === 200)
  expect(await read()).toBe(`U-${written}`)
  await waitForReadSource(/^primary: the replica does not follow/)
  expect([await one.end('SIGTERM'), await two.end('SIGTERM')]).toEqual([0, 0])
}, 60_000)

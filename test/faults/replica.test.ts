import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sendRequest, createLandlord, createUnit, signInUser, type TestUser } from '../support/users'
import { startForwarder, startOwnCluster, PORT, STANDBY } from './cluster'
import { serverProcess, type ServerProcess } from './process'

const full = process.env.FAULTS === 'full'
const ROUNDS = full ? 500 : 60
let it: Awaited<ReturnType<typeof startOwnCluster>>
let door: Awaited<ReturnType<typeof startForwarder>>
let one: Instance
let two: Instance
let owner: TestUser
let unit: any

type Instance = ServerProcess & { url: string }
async function start(): Promise<Instance> {
  const server = serverProcess({
    PORT: '0',
    RUN_JOBS: 'false',
    DATABASE_URL: it.urlAt(door.folder),
    DATABASE_REPLICA_URL: it.urlAt(it.socket, STANDBY),
  })
  await server.listening
  return {
    ...server,
    url: `http://127.0.0.1:${/Kiraya listens on http:\/\/[\w.]+:(\d+)/.exec(server.log())![1]}`,
  }
}
const until = async (holds: () => boolean | Promise<boolean>) => {
  for (const began = performance.now(); !(await holds()); await Bun.sleep(50))
    if (performance.now() - began > 40_000) throw new Error('not within 40 s')
}
const readsOf = ({ log }: Instance) =>
  [...log().matchAll(/Reads go to the (replica|primary: [^"]+)/g)].at(-1)?.[1]
const reading = (what: RegExp) =>
  until(() => [one, two].every(instance => what.test(readsOf(instance) ?? '')))
const path = () => `/properties/${unit.property_id}/units/${unit.id}`
let written = 0
const write = (name = `U-${++written}`) =>
  sendRequest(one.url, 'PATCH', path(), { token: owner.token, body: { unit_name: name } }).then(
    ({ status }) => status,
  )
const read = () =>
  sendRequest(two.url, 'GET', path(), { token: owner.token }).then(({ status, body }) =>
    status === 200 ? body.data.unit_name : status,
  )

beforeAll(async () => {
  it = await startOwnCluster()
  door = await startForwarder(`${it.socket}/.s.PGSQL.${PORT}`)
  const first = serverProcess({ PORT: '0', RUN_JOBS: 'false', DATABASE_URL: it.urlAt(it.socket) })
  await first.listening // migrates
  await first.end('SIGTERM')
  await it.follow()
  ;[one, two] = await Promise.all([start(), start()])
  owner = await createLandlord(one.url)
  unit = (await createUnit(owner)).unit
}, 120_000)
afterAll(async () => {
  for (const { child } of [one, two]) child.kill('SIGKILL')
  await door.end()
  await it.end()
})

/** Counts the standby's own look-ups of sessions: every read makes one. */
async function countStandbyReads() {
  const [row] = await it.ask(
    `select coalesce(sum(idx_scan + seq_scan), 0)::int as count from pg_stat_user_tables where relname = 'auth_sessions'`,
    STANDBY,
  )
  return Number(row?.count)
}

describe('reads through a replica', () => {
  test('see at once what any instance has acknowledged, and no session that was ended', async () => {
    await reading(/^replica$/)
    const readsBefore = await countStandbyReads()
    for (let round = 0; round < ROUNDS; round++) {
      expect([await write(), await read()]).toEqual([200, `U-${written}`])
      if (round % 4) continue
      const person = await signInUser(one.url)
      expect((await sendRequest(two.url, 'GET', '/auth/me', { token: person.token })).status).toBe(200)
      await sendRequest(one.url, 'POST', '/auth/logout', { token: person.token })
      expect((await sendRequest(two.url, 'GET', '/auth/me', { token: person.token })).status).toBe(401)
    }
    await until(async () => (await countStandbyReads()) > readsBefore)
    console.log(JSON.stringify({ promise: 'reads through a replica', rounds: ROUNDS, stale: 0 }))
  }, 120_000)

  test('go to the primary while the replica is away; changes are refused at once, until the operator lets go of it', async () => {
    await it.stop(it.standby)
    expect(await read()).toBe(`U-${written}`) // before anybody has looked
    await reading(/^primary/)
    const began = performance.now()
    const refused = await Promise.all(Array.from({ length: 40 }, () => write('not confirmed')))
    expect([new Set(refused), await read()]).toEqual([new Set([503]), `U-${written}`])
    if (full) expect(performance.now() - began).toBeLessThan(1000)
    await it.waitFor('')
    await until(async () => (await write()) === 200)
    expect(await read()).toBe(`U-${written}`)
  }, 60_000)

  test('wait until the replica that came back shows what was acknowledged meanwhile, and what it fell behind later', async () => {
    await it.startStandby()
    await it.ask('select pg_wal_replay_pause()', STANDBY)
    expect(await write()).toBe(200)
    await it.waitFor('*') // the primary waits for it again, but it shows less than was acknowledged
    for (const began = performance.now(); performance.now() - began < 9000; await Bun.sleep(200))
      expect(await read()).toBe(`U-${written}`)
    expect([readsOf(one), readsOf(two)]).toEqual([
      'primary: the replica is catching up',
      'primary: the replica is catching up',
    ])
    await it.ask('select pg_wal_replay_resume()', STANDBY)
    await reading(/^replica$/)
    expect([await write(), await read()]).toEqual([200, `U-${written}`])
  }, 60_000)

  test('go to the primary while it does not wait for the replica, or not until the replica shows what is confirmed', async () => {
    const behind = async (forMs: number) => {
      await it.ask('select pg_wal_replay_pause()', STANDBY)
      for (const began = performance.now(); performance.now() - began < forMs; await Bun.sleep(200))
        expect([await write(), await read()]).toEqual([200, `U-${written}`])
      await it.ask('select pg_wal_replay_resume()', STANDBY)
    }
    await it.waitFor('')
    await reading(/^primary: the primary does not wait/)
    await behind(2000)
    await it.ask(`alter system set synchronous_commit = 'on'`)
    await it.waitFor('*')
    await Bun.sleep(7500) // long enough to be trusted, if that were enough
    await behind(2000)
    await it.ask(`alter system set synchronous_commit = 'remote_apply'`)
    await it.waitFor('*')
    await reading(/^replica$/)
    expect([await write(), await read()]).toEqual([200, `U-${written}`])
  }, 60_000)

  test('are answered by the primary when the replica is frozen', async () => {
    await it.signal('SIGSTOP', it.standby)
    try {
      expect(new Set(await Promise.all(Array.from({ length: 8 }, read)))).toEqual(new Set([`U-${written}`]))
      await reading(/^primary/)
    } finally {
      await it.signal('SIGCONT', it.standby)
    }
    await reading(/^replica$/)
    expect([await write(), await read()]).toEqual([200, `U-${written}`])
  }, 60_000)

  test('are right after the replica was promoted, and all that was acknowledged is there', async () => {
    await it.signal('SIGKILL')
    door.lead(`${it.socket}/.s.PGSQL.${STANDBY}`)
    await it.promote()
    await until(async () => (await read()) === `U-${written}`)
    await until(async () => (await write()) === 200)
    expect(await read()).toBe(`U-${written}`)
    await reading(/^primary: the replica does not follow/)
    expect([await one.end('SIGTERM'), await two.end('SIGTERM')]).toEqual([0, 0])
  }, 60_000)
})

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sendRequest, createLandlord, createUnit, type TestUser } from '../support/users'
import { startForwarder, startOwnCluster, PORT, STANDBY } from './cluster'
import { freePort, serverProcess, type ServerProcess } from './process'

const full = process.env.FAULTS === 'full'
const AT_ONCE = full ? 16 : 8
const OUTAGE_MS = full ? 8000 : 3500
const BEFORE_MS = full ? 1000 : 500
const AFTER_MS = full ? 3000 : 1000
/** Whoever has no answer by then hangs. */
const HUNG_MS = 15_000

let it: Awaited<ReturnType<typeof startOwnCluster>>
const servers = new Set<ServerProcess>()
beforeAll(async () => void (it = await startOwnCluster()))
afterAll(async () => {
  for (const { child } of servers) child.kill('SIGKILL')
  await it.end()
})

async function start(databaseUrl: string, env: Record<string, string> = {}) {
  const port = freePort()
  const server = serverProcess({ PORT: port, DATABASE_URL: databaseUrl, RUN_JOBS: 'false', ...env })
  servers.add(server)
  return { ...server, url: `http://127.0.0.1:${port}` }
}
const readiness = (url: string) =>
  fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(HUNG_MS) }).then(
    ({ status }) => status,
    () => 0,
  )
async function becomes(status: number, url: string) {
  const began = performance.now()
  while ((await readiness(url)) !== status) {
    if (performance.now() - began > 30_000) throw new Error(`not ${status} after 30 s`)
    await Bun.sleep(20)
  }
  return Math.round(performance.now() - began)
}

type Seen = { path: string; status: number; at: number; ms: number; isRight: boolean }
/** Requests of every kind from many at once until it is told to end. */
function load(url: string, people: { person: TestUser; unit: any }[]) {
  const seen: Seen[] = []
  const made: number[] = []
  const lost: (() => Promise<number>)[] = []
  let busy = true
  const ask = async (person: TestUser, method: string, path: string, body?: unknown, headers = {}) => {
    const began = performance.now()
    const answer = await fetch(url + path, {
      method,
      signal: AbortSignal.timeout(HUNG_MS),
      headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    }).then(
      async response => ({
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as any,
      }),
      error => ({ status: 0, headers: new Headers(), body: String(error) }),
    )
    const isRight =
      answer.status === 503
        ? answer.body?.success === false &&
          answer.body.error?.code === 'SERVICE_UNAVAILABLE' &&
          Number(answer.headers.get('retry-after')) > 0
        : [200, 201].includes(answer.status)
    seen.push({
      path: `${method} ${path.replace(/\d+/g, ':id')}`,
      status: answer.status,
      at: performance.now(),
      ms: performance.now() - began,
      isRight,
    })
    return answer
  }
  const kinds: ((one: { person: TestUser; unit: any }) => Promise<unknown>)[] = [
    ({ person }) => ask(person, 'GET', '/properties?limit=5'),
    ({ person, unit }) =>
      ask(person, 'PATCH', `/properties/${unit.property_id}/units/${unit.id}`, {
        unit_name: `U-${Math.random()}`,
      }),
    async ({ person }) => {
      const key = crypto.randomUUID()
      const create = async () => {
        const answer = await ask(
          person,
          'POST',
          '/properties',
          {
            pin_code: 560048,
            property_type: 'pg',
            property_units: Array.from({ length: 10 }, (_, n) => ({ unit_name: `U-${n}` })),
          },
          { 'idempotency-key': key },
        )
        if (answer.status === 201) made.push(answer.body.data.id)
        return answer.status
      }
      if ((await create()) === 503) lost.push(create)
    },
    ({ person }) => ask(person, 'GET', '/dashboard'),
    ({ person }) =>
      ask(person, 'PUT', '/profile/complete', {
        first_name: 'Asha',
        last_name: 'Rao',
        email: 'asha@example.com',
      }),
    ({ person }) => ask(person, 'GET', '/health/ready'),
  ]
  const all = Promise.all(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      for (let turn = n; busy; turn++) {
        await kinds[turn % kinds.length]!(people[n % people.length]!)
        await Bun.sleep(30)
      }
    }),
  )
  return { seen, made, lost, end: async () => ((busy = false), await all) }
}

/** Puts a server under load, lets `outage` happen, and tells how it was answered meanwhile and afterwards. */
async function through(name: string, url: string, outage: () => Promise<void>, back: () => Promise<void>) {
  const people = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const person = await createLandlord(url)
      return { person, unit: (await createUnit(person)).unit }
    }),
  )
  const under = load(url, people)
  await Bun.sleep(BEFORE_MS)
  const lostAt = performance.now()
  await outage()
  await Bun.sleep(OUTAGE_MS)
  await back()
  const backAt = performance.now()
  const healthy_ms = await becomes(200, url)
  await Bun.sleep(AFTER_MS)
  await under.end()
  const { seen, made } = under
  const last503 = Math.max(
    backAt,
    ...seen.filter(({ status, at }) => status === 503 && at > backAt).map(({ at }) => at),
  )

  // What was refused is sent again under its key, and waits for nobody.
  const left = under.lost.splice(0, 20)
  const again: number[] = []
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let create = left.shift(); create; create = left.shift()) {
        let status = await create()
        for (let tries = 0; tries < 2 && status === 503; tries++) status = await create()
        again.push(status)
      }
    }),
  )
  expect(again.filter(status => status !== 201)).toEqual([])

  const slowest = Math.max(...seen.map(({ ms }) => ms))
  const during = seen.filter(({ at }) => at > lostAt && at < backAt)
  console.log(
    JSON.stringify({
      promise: `database ${name}`,
      requests: seen.length,
      refused_503: seen.filter(({ status }) => status === 503).length,
      slowest_ms: Math.round(slowest),
      healthy_ms,
      last_503_after_return_ms: Math.round(last503 - backAt),
      sent_again: again.length,
    }),
  )
  expect(
    seen
      .filter(({ isRight }) => !isRight)
      .map(
        ({ path, status, ms, at }) =>
          `${path} ${status} in ${Math.round(ms)} ms, ${Math.round(at - lostAt)} ms after`,
      ),
  ).toEqual([])
  expect(during.some(({ status }) => status === 503)).toBe(true)
  expect(seen.filter(({ at }) => at > last503).length).toBeGreaterThan(5)
  if (full) expect([slowest < 3000, healthy_ms < 2000, last503 - backAt < 2000]).toEqual([true, true, true])
  return { made }
}

/** Which of these properties are there with all of their units. */
const whole = async (port: number, made: number[]) =>
  (
    await it.ask(
      `select p.id from properties p join property_units u on u.property_id = p.id where p.id = any('{${made}}') group by p.id having count(*) = 10`,
      port,
    )
  ).length

describe('a database that', () => {
  test('is down at the start is waited for: 503, no exit, ready by itself', async () => {
    await it.stop()
    const server = await start(it.urlAt(it.socket))
    for (let tries = 0; tries < 200 && (await readiness(server.url)) === 0; tries++) await Bun.sleep(50)
    await Bun.sleep(300)
    const ready = await sendRequest(server.url, 'GET', '/health/ready')
    expect([ready.status, ready.body.error.code, Number(ready.headers.get('retry-after')) > 0]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      true,
    ])
    expect([
      (await sendRequest(server.url, 'GET', '/health/live')).status,
      (await sendRequest(server.url, 'POST', '/auth/send-otp', { body: { phone_number: '9876543210' } }))
        .status,
      server.child.exitCode,
    ]).toEqual([200, 503, null])
    await it.start()
    console.log(
      JSON.stringify({ promise: 'database down at start', healthy_ms: await becomes(200, server.url) }),
    )
    expect(await server.end('SIGTERM')).toBe(0)
  }, 60_000)

  test('is killed under load is answered for with 503, and everything works when it is back, the jobs too', async () => {
    const server = await start(it.urlAt(it.socket), { RUN_JOBS: 'true' })
    await server.listening
    for (
      let tries = 0;
      tries < 100 &&
      !(
        await it.ask(
          `select 1 from information_schema.tables where table_schema = 'jobs' and table_name = 'schedule'`,
        )
      ).length;
      tries++
    )
      await Bun.sleep(100)
    const { made } = await through('killed', server.url, () => it.signal('SIGKILL', it.data, 1), it.start)
    expect(await whole(PORT, made)).toBe(made.length)

    const [{ id }] = (await it.ask(
      `insert into jobs.job (name, policy) values ('purge', 'short') on conflict do nothing returning id`,
    )) as [{ id: string }]
    let state = ''
    for (let tries = 0; tries < 150 && state !== 'completed'; tries++) {
      await Bun.sleep(100)
      state = (await it.ask(`select state from jobs.job where id = '${id}'`))[0]?.state
    }
    expect(state).toBe('completed')
    expect(await server.end('SIGTERM')).toBe(0)
  }, 120_000)

  test('is frozen under load is answered for with 503, and everything works when it goes on', async () => {
    const server = await start(it.urlAt(it.socket))
    await server.listening
    const { made } = await through(
      'frozen',
      server.url,
      () => it.signal('SIGSTOP'),
      () => it.signal('SIGCONT'),
    )
    expect(await whole(PORT, made)).toBe(made.length)
    expect(
      await it.ask(
        `select pid, query from pg_stat_activity where application_name = 'kiraya' and state like 'idle in transaction%' and state_change < now() - interval '2 seconds'`,
      ),
    ).toEqual([])
    expect(await server.end('SIGTERM')).toBe(0)
  }, 120_000)

  test('is frozen does not keep a stop waiting', async () => {
    const server = await start(it.urlAt(it.socket), { RUN_JOBS: 'true' })
    await server.listening
    await createLandlord(server.url)
    await it.signal('SIGSTOP')
    const asked = sendRequest(server.url, 'GET', '/health/ready')
    await Bun.sleep(300)
    try {
      expect(await server.end('SIGTERM')).toBe(0)
      expect((await asked).status).toBe(503)
    } finally {
      await it.signal('SIGCONT')
    }
  }, 60_000)

  test('fails over to its follower under load, without a word and read-only at first, loses nothing that was acknowledged', async () => {
    await it.follow()
    const door = await startForwarder(`${it.socket}/.s.PGSQL.${PORT}`)
    const server = await start(it.urlAt(door.folder))
    await server.listening
    try {
      const { made } = await through(
        'failed over',
        server.url,
        async () => {
          await it.signal('SIGSTOP')
          await Bun.sleep(1000)
          door.lead(`${it.socket}/.s.PGSQL.${STANDBY}`)
        },
        it.promote,
      )
      expect(await whole(STANDBY, made)).toBe(made.length)
      expect(await server.end('SIGTERM')).toBe(0)
    } finally {
      await door.end()
    }
  }, 120_000)
})

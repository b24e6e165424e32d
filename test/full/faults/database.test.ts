import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sendRequest, createLandlord, createUnit, type TestUser } from '../../support/users'
import { startForwarder, startOwnCluster, PORT, STANDBY } from '../../support/cluster'
import { freePort, serverProcess, type ServerProcess } from '../../support/process'
import { report, runTogether, waitUntil } from '../../support/round'

const CLIENTS = 16
const OUTAGE_MS = 8000
const BEFORE_MS = 1000
const AFTER_MS = 3000
/** A request without a response for so long hangs. */
const HUNG_MS = 15_000

let cluster: Awaited<ReturnType<typeof startOwnCluster>>
const servers = new Set<ServerProcess>()
beforeAll(async () => void (cluster = await startOwnCluster()))
afterAll(async () => {
  for (const { child } of servers) child.kill('SIGKILL')
  await cluster.end()
})

async function startServer(databaseUrl: string, RUN_JOBS = 'false') {
  const port = freePort()
  const server = serverProcess({ PORT: port, DATABASE_URL: databaseUrl, RUN_JOBS })
  servers.add(server)
  return { ...server, url: `http://127.0.0.1:${port}` }
}
/** Returns the status of /health/ready, or 0 without a response. */
async function checkReadiness(url: string) {
  const request = fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(HUNG_MS) })
  return request.then(
    ({ status }) => status,
    () => 0,
  )
}
async function waitForReadiness(url: string) {
  const start = performance.now()
  await waitUntil(async () => (await checkReadiness(url)) === 200, 'the server is ready')
  return Math.round(performance.now() - start)
}

type Sample = { path: string; status: number; at: number; ms: number; isValid: boolean }
type Client = { person: TestUser; unit: any }
type Load = { url: string; samples: Sample[]; created: number[]; rejected: (() => Promise<number>)[] }
const newProperty = {
  pin_code: 560048,
  property_type: 'pg',
  property_units: Array.from({ length: 10 }, (_, index) => ({ unit_name: `U-${index}` })),
}
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

type Response = { status: number; headers: Headers; body: any }
function isValidResponse({ status, headers, body }: Response) {
  if (status !== 503) return [200, 201].includes(status)
  const isEnvelope = body?.success === false && body.error?.code === 'SERVICE_UNAVAILABLE'
  return isEnvelope && Number(headers.get('retry-after')) > 0
}
async function fetchJson(url: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(HUNG_MS) })
    return { status: response.status, headers: response.headers, body: await response.json() }
  } catch (error) {
    return { status: 0, headers: new Headers(), body: String(error) }
  }
}
async function sendSample(
  { url, samples }: Load,
  { person }: Client,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const start = performance.now()
  const response = await fetchJson(url + path, {
    method,
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const at = performance.now()
  samples.push({
    path: `${method} ${path.replace(/\d+/g, ':id')}`,
    status: response.status,
    at,
    ms: at - start,
    isValid: isValidResponse(response),
  })
  return response
}
/** Creates a property; keeps the request for a retry with the same key if the status is 503. */
async function createProperty(load: Load, client: Client) {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const create = async () => {
    const { status, body } = await sendSample(load, client, 'POST', '/properties', newProperty, headers)
    if (status === 201) load.created.push(body.data.id)
    return status
  }
  if ((await create()) === 503) load.rejected.push(create)
}

const requests: ((load: Load, client: Client) => Promise<unknown>)[] = [
  (load, client) => sendSample(load, client, 'GET', '/properties?limit=5'),
  (load, client) =>
    sendSample(load, client, 'PATCH', `/properties/${client.unit.property_id}/units/${client.unit.id}`, {
      unit_name: `U-${Math.random()}`,
    }),
  createProperty,
  (load, client) => sendSample(load, client, 'GET', '/dashboard'),
  (load, client) => sendSample(load, client, 'PUT', '/profile/complete', profile),
  (load, client) => sendSample(load, client, 'GET', '/health/ready'),
]

/** Sends requests of every kind from several clients until the end. */
function startLoad(url: string, clients: Client[]) {
  const load: Load = { url, samples: [], created: [], rejected: [] }
  let isBusy = true
  const all = runTogether(CLIENTS, async index => {
    for (let turn = index; isBusy; turn++) {
      await requests[turn % requests.length]!(load, clients[index % clients.length]!)
      await Bun.sleep(30)
    }
  })
  const end = async () => {
    isBusy = false
    await all
  }
  return { load, end }
}

/** Sends rejected requests again with their keys; all must succeed. */
async function retryRejected({ rejected }: Load) {
  const left = rejected.splice(0, 20)
  const statuses: number[] = []
  await runTogether(4, async () => {
    for (let create = left.shift(); create; create = left.shift()) {
      let status = await create()
      for (let tries = 0; tries < 2 && status === 503; tries++) status = await create()
      statuses.push(status)
    }
  })
  expect(statuses.filter(status => status !== 201)).toEqual([])
  return statuses.length
}

type Outage = { name: string; begin: () => Promise<void>; end: () => Promise<void> }
/** Runs an outage under load; every response must be valid, during and after the outage. */
async function runOutage(url: string, { name, begin, end }: Outage) {
  const clients = await runTogether(4, async () => {
    const person = await createLandlord(url)
    return { person, unit: (await createUnit(person)).unit }
  })
  const { load, end: endLoad } = startLoad(url, clients)
  await Bun.sleep(BEFORE_MS)
  const beganAt = performance.now()
  await begin()
  await Bun.sleep(OUTAGE_MS)
  await end()
  const endedAt = performance.now()
  const healthyMs = await waitForReadiness(url)
  await Bun.sleep(AFTER_MS)
  await endLoad()

  const { samples } = load
  const is503 = ({ status }: Sample) => status === 503
  const late503 = samples.filter(sample => is503(sample) && sample.at > endedAt)
  const last503 = Math.max(endedAt, ...late503.map(({ at }) => at))
  const retried = await retryRejected(load)
  const slowestMs = Math.max(...samples.map(({ ms }) => ms))
  report(`database ${name}`, {
    requests: samples.length,
    refused_503: samples.filter(is503).length,
    slowest_ms: Math.round(slowestMs),
    healthy_ms: healthyMs,
    last_503_after_return_ms: Math.round(last503 - endedAt),
    sent_again: retried,
  })
  const describeSample = ({ path, status, ms, at }: Sample) =>
    `${path} ${status} in ${Math.round(ms)} ms, ${Math.round(at - beganAt)} ms after`
  expect(samples.filter(({ isValid }) => !isValid).map(describeSample)).toEqual([])
  expect(samples.some(sample => is503(sample) && sample.at > beganAt && sample.at < endedAt)).toBe(true)
  expect(samples.filter(({ at }) => at > last503).length).toBeGreaterThan(5)
  return load
}

/** Counts the properties that have all of their units. */
async function countComplete(port: number, ids: number[]) {
  const rows = await cluster.ask(
    `select p.id from properties p join property_units u on u.property_id = p.id where p.id = any('{${ids}}') group by p.id having count(*) = 10`,
    port,
  )
  return rows.length
}

test('503: the server waits for a database that is down at the start, and becomes ready by itself', async () => {
  await cluster.stop()
  const server = await startServer(cluster.urlAt(cluster.socket))
  await waitUntil(async () => (await checkReadiness(server.url)) !== 0, 'an answer')
  const ready = await sendRequest(server.url, 'GET', '/health/ready')
  expect([ready.status, ready.body.error.code, Number(ready.headers.get('retry-after')) > 0]).toEqual([
    503,
    'SERVICE_UNAVAILABLE',
    true,
  ])
  const phone = { phone_number: '9876543210' }
  expect([
    (await sendRequest(server.url, 'GET', '/health/live')).status,
    (await sendRequest(server.url, 'POST', '/auth/send-otp', { body: phone })).status,
    server.child.exitCode,
  ]).toEqual([200, 503, null])
  await cluster.start()
  report('database down at start', { healthy_ms: await waitForReadiness(server.url) })
  expect(await server.end('SIGTERM')).toBe(0)
}, 60_000)

const waitForJobQueue = () =>
  waitUntil(
    async () => (await cluster.ask(`select to_regclass('jobs.schedule') as name`))[0]?.name,
    'the queue of the jobs',
  )
async function expectJobRuns() {
  const [{ id }] = (await cluster.ask(
    `insert into jobs.job (name, policy) values ('purge', 'short') on conflict do nothing returning id`,
  )) as [{ id: string }]
  const isCompleted = async () =>
    (await cluster.ask(`select state from jobs.job where id = '${id}'`))[0]?.state === 'completed'
  await waitUntil(isCompleted, 'the end of the job')
}

test('503: the database is killed under load; requests and jobs work again when it is back', async () => {
  const server = await startServer(cluster.urlAt(cluster.socket), 'true')
  await server.listening
  await waitForJobQueue()
  const { created } = await runOutage(server.url, {
    name: 'killed',
    begin: () => cluster.signal('SIGKILL', cluster.data, 1),
    end: cluster.start,
  })
  expect(await countComplete(PORT, created)).toBe(created.length)
  await expectJobRuns()
  expect(await server.end('SIGTERM')).toBe(0)
}, 120_000)

test('503: the database is frozen under load; requests work again when it continues', async () => {
  const server = await startServer(cluster.urlAt(cluster.socket))
  await server.listening
  const { created } = await runOutage(server.url, {
    name: 'frozen',
    begin: () => cluster.signal('SIGSTOP'),
    end: () => cluster.signal('SIGCONT'),
  })
  expect(await countComplete(PORT, created)).toBe(created.length)
  expect(
    await cluster.ask(
      `select pid, query from pg_stat_activity where application_name = 'kiraya' and state like 'idle in transaction%' and state_change < now() - interval '2 seconds'`,
    ),
  ).toEqual([])
  expect(await server.end('SIGTERM')).toBe(0)
}, 120_000)

test('a frozen database does not delay a shutdown', async () => {
  const server = await startServer(cluster.urlAt(cluster.socket), 'true')
  await server.listening
  await createLandlord(server.url)
  await cluster.signal('SIGSTOP')
  const ready = sendRequest(server.url, 'GET', '/health/ready')
  await Bun.sleep(300)
  try {
    expect(await server.end('SIGTERM')).toBe(0)
    expect((await ready).status).toBe(503)
  } finally {
    await cluster.signal('SIGCONT')
  }
}, 60_000)

test('a failover to a standby that is read-only at first loses no acknowledged change', async () => {
  await cluster.follow()
  const forwarder = await startForwarder(`${cluster.socket}/.s.PGSQL.${PORT}`)
  const server = await startServer(cluster.urlAt(forwarder.folder))
  await server.listening
  try {
    const { created } = await runOutage(server.url, {
      name: 'failed over',
      begin: async () => {
        await cluster.signal('SIGSTOP')
        await Bun.sleep(1000)
        forwarder.lead(`${cluster.socket}/.s.PGSQL.${STANDBY}`)
      },
      end: cluster.promote,
    })
    expect(await countComplete(STANDBY, created)).toBe(created.length)
    expect(await server.end('SIGTERM')).toBe(0)
  } finally {
    await forwarder.end()
  }
}, 120_000)

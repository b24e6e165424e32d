import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sendRequest, createLandlord, createUnit, type TestUser } from '../../support/users'
import { startOwnCluster, PORT, STANDBY } from '../../support/cluster'
import { startUnreliableProxy } from '../../support/mixed/unreliable-proxy'
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

type Client = { person: TestUser; unit: { id: number; property_id: number } }
type Sample = { request: string; status: number; at: number; isValid: boolean }
type Load = { url: string; samples: Sample[]; created: number[]; rejected: (() => Promise<number>)[] }
const newProperty = {
  pin_code: 560048,
  property_type: 'pg',
  property_units: Array.from({ length: 10 }, (_, index) => ({ unit_name: `U-${index}` })),
}
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

/** Sends a request and notes whether its response is one that a client may get; status 0 is no response. */
async function sendSample(
  { url, samples }: Load,
  { person }: Client,
  request: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const [method, path] = request.split(' ') as [string, string]
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json', ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(HUNG_MS),
  }).catch(() => undefined)
  const answer = await response?.json().catch(() => undefined)
  const isRefused =
    answer?.error?.code === 'SERVICE_UNAVAILABLE' && Number(response?.headers.get('retry-after')) > 0
  const status = response?.status ?? 0
  const isValid = status === 503 ? isRefused : [200, 201].includes(status)
  samples.push({ request, status, at: performance.now(), isValid })
  return { status, data: answer?.data }
}

/** Creates a property; keeps the request for a retry with the same key if the status is 503. */
async function createProperty(load: Load, client: Client) {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const create = async () => {
    const { status, data } = await sendSample(load, client, 'POST /properties', newProperty, headers)
    if (status === 201) load.created.push(data.id)
    return status
  }
  if ((await create()) === 503) load.rejected.push(create)
}

function renameUnit(load: Load, client: Client) {
  const { id, property_id } = client.unit
  const body = { unit_name: `U-${Math.random()}` }
  return sendSample(load, client, `PATCH /properties/${property_id}/units/${id}`, body)
}

const requests: ((load: Load, client: Client) => Promise<unknown>)[] = [
  (load, client) => sendSample(load, client, 'GET /properties?limit=5'),
  renameUnit,
  createProperty,
  (load, client) => sendSample(load, client, 'GET /dashboard'),
  (load, client) => sendSample(load, client, 'PUT /profile/complete', profile),
  (load, client) => sendSample(load, client, 'GET /health/ready'),
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

type Outage = { name: string; begin: () => Promise<void>; end: () => Promise<void> }
/** Runs an outage under load; every response must be valid, and what was refused must succeed when it is sent again. */
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
  await waitUntil(async () => (await checkReadiness(url)) === 200, 'the server is ready')
  const healthyAt = performance.now()
  await Bun.sleep(AFTER_MS)
  await endLoad()

  const { samples, rejected } = load
  const refused = samples.filter(({ status }) => status === 503)
  expect(samples.filter(({ isValid }) => !isValid)).toEqual([])
  expect(refused.some(({ at }) => at > beganAt && at < endedAt)).toBe(true)
  const last503 = Math.max(endedAt, ...refused.map(({ at }) => at))
  expect(samples.filter(({ at }) => at > last503).length).toBeGreaterThan(5)
  for (const create of rejected.slice(0, 20)) expect(await create()).toBe(201)
  const healthy_ms = Math.round(healthyAt - endedAt)
  report(`database ${name}`, { requests: samples.length, refused_503: refused.length, healthy_ms })
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
  const forwarder = await startUnreliableProxy(`${cluster.socket}/.s.PGSQL.${PORT}`)
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
    await forwarder.stop()
  }
}, 120_000)

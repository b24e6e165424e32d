import { afterAll, expect, test } from 'bun:test'
import net from 'node:net'
import type { Constants } from '../../../server/settings/constants'
import { freshDatabase } from '../../support/database'
import { signInUser, type TestUser } from '../../support/users'
import { getPort, serverProcess } from '../../support/process'
import { report, runTogether, waitUntil } from '../../support/round'

const ROUNDS = 10
const KEEP_ALIVE_CLIENTS = 60
const NEW_CONNECTION_CLIENTS = 12
const SLOW_REQUESTS = 4
const DELAY_MS = 1200
const PROVIDER_MS = 2500

/** A KYC provider that responds slowly. */
const provider = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async () => {
    await Bun.sleep(PROVIDER_MS)
    return Response.json(
      { id: crypto.randomUUID(), status: 'CREATED', kycURL: 'https://kyc.example.com', data: null },
      { status: 201 },
    )
  },
})
const children = new Set<Bun.Subprocess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  return provider.stop(true)
})

/** Sends one raw request on a connection. */
function sendRaw(socket: net.Socket, text: string) {
  const { promise, resolve } = Promise.withResolvers<
    { status: number; closes: boolean } | { error: string }
  >()
  let got = ''
  const read = (piece: Buffer) => {
    got += piece
    const [head, body] = got.split('\r\n\r\n', 2)
    const length = Number(/^content-length: (\d+)/im.exec(head!)?.[1] ?? NaN)
    if (body !== undefined && Buffer.byteLength(body) >= length)
      settle({ status: Number(got.slice(9, 12)), closes: /^connection: close/im.test(head!) })
  }
  const failed = (error: NodeJS.ErrnoException) => settle({ error: error.code ?? error.message })
  const ended = () => settle({ error: got ? 'cut off' : 'closed unanswered' })
  const settle = (outcome: Parameters<typeof resolve>[0]) => {
    socket.off('data', read).off('error', failed).off('close', ended)
    // The connection is not used any longer.
    socket.on('error', () => {})
    resolve(outcome)
  }
  socket.on('data', read).on('error', failed).on('close', ended)
  if (socket.destroyed) ended()
  socket.write(text)
  return promise
}
function connect(port: string) {
  return new Promise<net.Socket | string>(resolve => {
    const socket: net.Socket = net.connect(Number(port), '127.0.0.1', () =>
      resolve(socket.off('error', failed).on('error', () => {})),
    )
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    socket.on('error', failed)
  })
}
function createRequest(person: TestUser, method: string, path: string, body?: unknown) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${person.token}`]
  if (text) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(text)}`)
  return `${lines.join('\r\n')}\r\n\r\n${text}`
}
const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const newProperty = { pin_code: 560048, property_type: 'pg', property_units: [{ unit_name: 'A' }] }
const kycSettings = {
  EKYC_API_URL: `http://127.0.0.1:${provider.port}`,
  EKYC_CLIENT_ID: 'i',
  EKYC_CLIENT_SECRET: 's',
  EKYC_PRODUCT_INSTANCE_ID: 'p',
}

async function startServer(constants: Partial<Constants>, settings: Record<string, string> = {}) {
  const database = await freshDatabase()
  const server = serverProcess({ PORT: '0', DATABASE_URL: database.url, ...settings }, constants)
  children.add(server.child)
  await server.listening
  const port = getPort(server)
  return { ...server, database, port, url: `http://127.0.0.1:${port}` }
}
async function createPersonWithProfile(url: string) {
  const person = await signInUser(url)
  await person.call('PUT', '/profile/complete', profile)
  return person
}

type Outcome = { client: 'keep-alive' | 'new' | 'slow'; sentAt: number; outcome: string }
/** One server under load, and the outcomes of its requests. */
type Load = {
  port: string
  url: string
  people: TestUser[]
  outcomes: Outcome[]
  refusedConnections: number
  isBusy: boolean
  isReady: boolean
}

function pickRequest({ people }: Load, turn: number) {
  const person = people[turn % people.length]!
  if (turn % 3) return createRequest(person, 'GET', '/properties?limit=3')
  return createRequest(person, 'POST', '/properties', newProperty)
}
function toOutcome(response: Awaited<ReturnType<typeof sendRaw>>) {
  if ('error' in response) return response.error
  return [200, 201].includes(response.status) ? 'answered' : String(response.status)
}
/** Sends a request and notes its outcome; returns whether the connection stays open. */
async function sendAndNote({ outcomes }: Load, client: Outcome['client'], socket: net.Socket, text: string) {
  const sentAt = performance.now()
  const response = await sendRaw(socket, text)
  outcomes.push({ client, sentAt, outcome: toOutcome(response) })
  return 'closes' in response && !response.closes
}

/** Reuses its connection while it may, as a load balancer does; opens none to a server that is not ready. */
async function runKeepAliveClient(load: Load, index: number) {
  for (let turn = index; load.isBusy && load.isReady;) {
    const socket = await connect(load.port)
    if (typeof socket === 'string') return
    while (load.isBusy && !socket.destroyed) {
      const staysOpen = await sendAndNote(load, 'keep-alive', socket, pickRequest(load, turn++))
      if (!staysOpen) break
      // Some connections are idle for most of the delay.
      await Bun.sleep(Math.random() * (index % 2 ? 20 : 800))
    }
    socket.destroy()
  }
}
/** Opens a connection for every request, and ignores readiness. */
async function runNewConnectionClient(load: Load, index: number) {
  for (let turn = index; load.isBusy; turn++) {
    const socket = await connect(load.port)
    if (typeof socket === 'string') {
      load.refusedConnections++
      if (socket !== 'ECONNREFUSED')
        load.outcomes.push({ client: 'new', sentAt: performance.now(), outcome: socket })
      return
    }
    await sendAndNote(load, 'new', socket, pickRequest(load, turn))
    socket.destroy()
    await Bun.sleep(Math.random() * 10)
  }
}
async function watchReadiness(load: Load) {
  while (load.isBusy && load.isReady) {
    await Bun.sleep(50)
    load.isReady = await fetch(`${load.url}/health/ready`).then(
      ({ status }) => status !== 503,
      () => false,
    )
  }
}
async function sendSlowRequest(load: Load, person: TestUser) {
  const socket = (await connect(load.port)) as net.Socket
  return sendAndNote(load, 'slow', socket, createRequest(person, 'POST', '/profile/ekyc', {}))
}

/** Stops a server under load; returns the load and the times of the stop. */
async function stopUnderLoad(workers: number) {
  const constants = { SHUTDOWN_DELAY_MS: DELAY_MS, SHUTDOWN_TIMEOUT_MS: 10_000 }
  const settings = { WORKERS: String(workers), DATABASE_TIMEOUT_MS: '10000', ...kycSettings }
  const server = await startServer(constants, settings)
  const { port, url } = server
  const people = await runTogether(4, () => signInUser(url))
  const slowPeople = await runTogether(SLOW_REQUESTS, () => createPersonWithProfile(url))
  const load: Load = { port, url, people, outcomes: [], refusedConnections: 0, isBusy: true, isReady: true }
  const clients = [
    watchReadiness(load),
    runTogether(KEEP_ALIVE_CLIENTS, index => runKeepAliveClient(load, index)),
    runTogether(NEW_CONNECTION_CLIENTS, index => runNewConnectionClient(load, index)),
  ]
  await Bun.sleep(500)
  const slow = slowPeople.map(person => sendSlowRequest(load, person))
  await Bun.sleep(200)
  const signalledAt = performance.now()
  server.child.kill('SIGTERM')
  const status = await server.child.exited
  const stopMs = performance.now() - signalledAt
  load.isBusy = false
  await Promise.all([...clients, ...slow])
  await server.database.drop()
  expect(status).toBe(0)
  return { load, signalledAt, stopMs }
}

/** Requires a response to every request; returns the number of connections that the closing listener reset. */
function expectResponses({ outcomes }: Load, signalledAt: number) {
  // A connection that arrives while the listener closes belongs to no process yet.
  const isReset = ({ client, outcome, sentAt }: Outcome) =>
    client === 'new' &&
    sentAt > signalledAt + DELAY_MS - 50 &&
    ['ECONNRESET', 'closed unanswered'].includes(outcome)
  const failed = outcomes.filter(({ outcome }) => outcome !== 'answered')
  const resets = failed.filter(isReset)
  const failures = failed
    .filter(each => !isReset(each))
    .map(({ client, outcome, sentAt }) => {
      return `${client}: ${outcome}, sent ${Math.round(sentAt - signalledAt)} ms after the signal`
    })
  expect(failures).toEqual([])
  expect(outcomes.filter(({ client }) => client === 'slow').length).toBe(SLOW_REQUESTS)
  return { answered: outcomes.length - failed.length, resets: resets.length }
}

test(`a shutdown of one process, or of two workers, under load fails no request, ${ROUNDS} times`, async () => {
  const totals = {
    answered: 0,
    on_kept_connections: 0,
    after_the_signal: 0,
    waiting_for_the_provider: 0,
    refused_connections: 0,
    reset_before_answer_for_those_who_ignore_readiness: 0,
    slowest_stop_ms: 0,
  }
  for (let round = 0; round < ROUNDS; round++) {
    const { load, signalledAt, stopMs } = await stopUnderLoad(1 + (round % 2))
    expect(stopMs).toBeLessThan(DELAY_MS + 10_000 + 9000)
    const { answered, resets } = expectResponses(load, signalledAt)
    const { outcomes } = load
    totals.answered += answered
    totals.on_kept_connections += outcomes.filter(({ client }) => client === 'keep-alive').length
    totals.after_the_signal += outcomes.filter(({ sentAt }) => sentAt > signalledAt).length
    totals.waiting_for_the_provider += SLOW_REQUESTS
    totals.refused_connections += load.refusedConnections
    totals.reset_before_answer_for_those_who_ignore_readiness += resets
    totals.slowest_stop_ms = Math.max(totals.slowest_stop_ms, Math.round(stopMs))
  }
  report('stopping', { rounds: ROUNDS, ...totals })
}, 600_000)

test('during the shutdown delay every response closes its connection, and readiness is 503', async () => {
  const server = await startServer({ SHUTDOWN_DELAY_MS: 3000 })
  const open = async () => (await connect(server.port)) as net.Socket
  const get = (socket: net.Socket, path: string) =>
    sendRaw(socket, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  const used = [await open(), await open()] as const
  const unused = await open()
  for (const socket of used) expect(await get(socket, '/health/live')).toEqual({ status: 200, closes: false })
  server.child.kill('SIGTERM')
  await waitUntil(() => server.log().includes('"Stopping"'), 'the begin of the shutdown')
  expect(await get(used[0], '/health/ready')).toEqual({ status: 503, closes: true })
  expect(await get(used[1], '/health/live')).toEqual({ status: 200, closes: true })
  expect(await get(unused, '/health/live')).toEqual({ status: 200, closes: true })
  expect(await get(await open(), '/nothing')).toEqual({ status: 404, closes: true })
  expect(await server.child.exited).toBe(0)
  expect(await connect(server.port)).toBe('ECONNREFUSED')
  await server.database.drop()
}, 30_000)

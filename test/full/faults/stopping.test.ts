import { afterAll, expect, test } from 'bun:test'
import net from 'node:net'
import type { Constants } from '../../../server/settings/constants'
import { freshDatabase } from '../../support/database'
import { signInUser, type TestUser } from '../../support/users'
import { getPort, serverProcess } from '../../support/process'
import { report, runTogether, waitUntil } from '../../support/round'

const ROUNDS = 10
const CLIENTS = 60
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

/** One server under load, and what became of its requests: `answered`, another status, or how the connection failed. */
type Load = { port: string; people: TestUser[]; outcomes: string[]; isBusy: boolean; isReady: boolean }

function pickRequest({ people }: Load, turn: number) {
  const person = people[turn % people.length]!
  if (turn % 3) return createRequest(person, 'GET', '/properties?limit=3')
  return createRequest(person, 'POST', '/properties', newProperty)
}

/** Sends a request and notes its outcome; returns whether the connection stays open. */
async function sendAndNote({ outcomes }: Load, socket: net.Socket, text: string) {
  const response = await sendRaw(socket, text)
  if ('error' in response) outcomes.push(response.error)
  else outcomes.push([200, 201].includes(response.status) ? 'answered' : String(response.status))
  return 'closes' in response && !response.closes
}

/** Reuses its connection while it may, as a load balancer does; opens none to a server that is not ready. */
async function runClient(load: Load, index: number) {
  for (let turn = index; load.isBusy && load.isReady;) {
    const socket = await connect(load.port)
    if (typeof socket === 'string') return
    while (load.isBusy && !socket.destroyed) {
      const staysOpen = await sendAndNote(load, socket, pickRequest(load, turn++))
      if (!staysOpen) break
      // Some connections are idle for most of the delay.
      await Bun.sleep(Math.random() * (index % 2 ? 20 : 800))
    }
    socket.destroy()
  }
}
async function watchReadiness(load: Load, url: string) {
  while (load.isBusy && load.isReady) {
    await Bun.sleep(50)
    load.isReady = await fetch(`${url}/health/ready`).then(
      ({ status }) => status !== 503,
      () => false,
    )
  }
}
async function sendSlowRequest(load: Load, person: TestUser) {
  const socket = (await connect(load.port)) as net.Socket
  return sendAndNote(load, socket, createRequest(person, 'POST', '/profile/ekyc', {}))
}

/** Stops a server under load; returns the outcomes of all requests, and how many came before the signal. */
async function stopUnderLoad(workers: number) {
  const constants = { SHUTDOWN_DELAY_MS: DELAY_MS, SHUTDOWN_TIMEOUT_MS: 10_000 }
  const settings = { WORKERS: String(workers), DATABASE_TIMEOUT_MS: '10000', ...kycSettings }
  const server = await startServer(constants, settings)
  const { port, url } = server
  const people = await runTogether(4, () => signInUser(url))
  const slowPeople = await runTogether(SLOW_REQUESTS, () => createPersonWithProfile(url))
  const load: Load = { port, people, outcomes: [], isBusy: true, isReady: true }
  const clients = [watchReadiness(load, url), runTogether(CLIENTS, index => runClient(load, index))]
  await Bun.sleep(500)
  const slow = slowPeople.map(person => sendSlowRequest(load, person))
  await Bun.sleep(200)
  const before = load.outcomes.length
  server.child.kill('SIGTERM')
  expect(await server.child.exited).toBe(0)
  load.isBusy = false
  await Promise.all([...clients, ...slow])
  await server.database.drop()
  return { outcomes: load.outcomes, before }
}

test(`a shutdown of one process, or of two workers, under load fails no request, ${ROUNDS} times`, async () => {
  const totals = { answered: 0, after_the_signal: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const { outcomes, before } = await stopUnderLoad(1 + (round % 2))
    expect(outcomes.filter(outcome => outcome !== 'answered')).toEqual([])
    // The slow requests alone take longer than the delay.
    expect(outcomes.length - before).toBeGreaterThan(SLOW_REQUESTS)
    totals.answered += outcomes.length
    totals.after_the_signal += outcomes.length - before
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

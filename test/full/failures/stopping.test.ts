import { afterAll, expect, test } from 'bun:test'
import type { Constants } from '../../../server/settings/constants'
import { freshDatabase } from '../../support/database'
import { signInUser, type TestUser } from '../../support/users'
import { createRawClient } from '../../support/raw-client'
import { getPort, serverProcess } from '../../support/process'
import { report, runTogether } from '../../support/round'

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
  return { ...server, database, url: `http://127.0.0.1:${getPort(server)}` }
}
async function createPersonWithProfile(url: string) {
  const person = await signInUser(url)
  await person.call('PUT', '/profile/complete', profile)
  return person
}

/** One server under load, and what became of its requests: `answered`, another status, or how the connection failed. */
type Load = { url: string; people: TestUser[]; outcomes: string[]; isBusy: boolean; isReady: boolean }

type RawRequest = Parameters<ReturnType<typeof createRawClient>['send']>[0]

function toRequest({ token }: TestUser, method: string, target: string, body?: unknown): RawRequest {
  const headers: [string, string][] = [['authorization', `Bearer ${token}`]]
  if (body !== undefined) headers.push(['content-type', 'application/json'])
  return { method, target, headers, body: body === undefined ? '' : JSON.stringify(body) }
}

function pickRequest({ people }: Load, turn: number) {
  const person = people[turn % people.length]!
  if (turn % 3) return toRequest(person, 'GET', '/properties?limit=3')
  return toRequest(person, 'POST', '/properties', newProperty)
}

/** Sends a request and notes its outcome; returns whether there is a server to connect to. */
async function sendAndNote(
  { outcomes }: Load,
  client: ReturnType<typeof createRawClient>,
  request: RawRequest,
) {
  try {
    const { status } = await client.send(request)
    outcomes.push([200, 201].includes(status) ? 'answered' : String(status))
  } catch (error) {
    if ((error as { code?: string }).code === 'ECONNREFUSED') return false
    outcomes.push(String(error))
  }
  return true
}

/** Reuses its connection while it may, as a load balancer does; opens none to a server that is not ready. */
async function runClient(load: Load, index: number) {
  const client = createRawClient(load.url)
  for (let turn = index; load.isBusy && (load.isReady || client.isOpen()); turn++) {
    if (!(await sendAndNote(load, client, pickRequest(load, turn)))) break
    // Some connections are idle for most of the delay.
    await Bun.sleep(Math.random() * (index % 2 ? 20 : 800))
  }
  client.close()
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

const sendSlowRequest = (load: Load, person: TestUser) =>
  sendAndNote(load, createRawClient(load.url), toRequest(person, 'POST', '/profile/ekyc', {}))

/** Stops a server under load; returns the outcomes of all requests, and how many came before the signal. */
async function stopUnderLoad(workers: number) {
  const constants = { SHUTDOWN_DELAY_MS: DELAY_MS, SHUTDOWN_TIMEOUT_MS: 10_000 }
  const settings = { WORKERS: String(workers), DATABASE_TIMEOUT_MS: '10000', ...kycSettings }
  const server = await startServer(constants, settings)
  const { url } = server
  const people = await runTogether(4, () => signInUser(url))
  const slowPeople = await runTogether(SLOW_REQUESTS, () => createPersonWithProfile(url))
  const load: Load = { url, people, outcomes: [], isBusy: true, isReady: true }
  const clients = [watchReadiness(load), runTogether(CLIENTS, index => runClient(load, index))]
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

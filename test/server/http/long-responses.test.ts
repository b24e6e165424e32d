import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import type { Db } from '../../../db/database'
import {
  createChanges,
  createDashboards,
  createExports,
  createLongResponses,
  createSignInCounts,
  type Turns,
} from '../../../server/http/turns'
import { waitUntil } from '../../support/round'
import { findWaitingBackends, interrupt } from '../../support/locks'
import { testServer } from '../../support/server'
import { createLandlord, createProperty, signInUser, type TestUser } from '../../support/users'

const MAX_OF_USER = 2
const MAX_WAITING = 200
const CHARGE = { type: 'other', description: 'Painting', amount: 100, due_date: '2026-12-01' }
/** More than there are connections. */
const MANY = 20

let arrived = 0
const toCounted =
  (run: Turns): Turns =>
  (userId, work) => {
    arrived++
    return run(userId, work)
  }
const server = testServer({
  env: { DATABASE_TIMEOUT_MS: '5000' },
  overrides: {
    runLongResponse: toCounted(createLongResponses()),
    runDashboard: toCounted(createDashboards()),
    runExport: toCounted(createExports()),
    runChange: toCounted(createChanges()),
    runSignInCount: toCounted(createSignInCounts()),
  },
})

const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))
const lockUnits = (tx: Db) => sql`lock table property_units in access exclusive mode`.execute(tx)
const lockCounters = (tx: Db) => sql`lock table rate_limits in access exclusive mode`.execute(tx)
const lockContacts = (tx: Db) => sql`lock table tenant_contacts in access exclusive mode`.execute(tx)

async function createUsers() {
  const [greedy, other] = [await createLandlord(server), await signInUser(server)]
  return { greedy, other, ...(await createProperty(greedy)) }
}

/** Sends many requests that take long, and meanwhile one of another user. */
async function sendMany(other: TestUser, send: () => Promise<{ status: number }>, waitingCount: number) {
  let meanwhile: number[] = []
  arrived = 0
  const responses = await interrupt(server, {
    lock: async tx => [await lockUnits(tx), await lockContacts(tx), await lockCounters(tx)],
    start: () => times(MANY, send),
    waitingCount,
    meanwhile: async () => {
      await waitUntil(() => arrived === MANY, 'the arrival of all requests', 10_000)
      const { status } = await other.get('/auth/me')
      meanwhile = [status, (await findWaitingBackends(server)).length]
    },
  })
  return { meanwhile, statuses: new Set(responses.map(({ status }) => status)) }
}

test.each<[string, number, (user: TestUser, path: string) => Promise<{ status: number }>]>([
  ['reads of a property', MAX_OF_USER, (user, path) => user.get(path)],
  ['reads of its units', MAX_OF_USER, (user, path) => user.get(`${path}/units`)],
  ['reads of properties', MAX_OF_USER, user => user.get('/properties')],
  ['searches for buildings', MAX_OF_USER, user => user.get('/properties/search?pin_code=560048&name=Tower')],
  ['reads of agreements', MAX_OF_USER, user => user.get('/agreements')],
  ['reads of tenants', MAX_OF_USER, user => user.get('/tenants')],
  ['reads of the dashboard', MAX_OF_USER, user => user.get('/dashboard')],
  ['changes of a property', MAX_OF_USER, (user, path) => user.patch(path, {})],
  ['exports', 1, user => user.call('GET', '/auth/me/export')],
  ['requests for an OTP', 3, ({ call, phone }) => call('POST', '/auth/send-otp', { phone_number: phone })],
])('%s of one user do not keep another from the database', async (_, waitingCount, send) => {
  const { greedy, other, path } = await createUsers()

  const { meanwhile, statuses } = await sendMany(other, () => send(greedy, path), waitingCount)

  expect([meanwhile, [...statuses]]).toEqual([[200, waitingCount], [200]])
})

test.each<[string, (user: TestUser, path: string) => Promise<{ status: number }>]>([
  ['reads of a schedule', (user, path) => user.get(`${path}/schedule`)],
  ['reads of withheld tax', (user, path) => user.get(`${path}/tds`)],
  ['new charges', (user, path) => user.post(`${path}/charges`, CHARGE)],
  ['terminations', (user, path) => user.post(`${path}/terminate`, {})],
])('%s wait their turn', async (_, send) => {
  const { greedy, other } = await createUsers()
  const path = `/agreements/${crypto.randomUUID()}`

  const { meanwhile, statuses } = await sendMany(other, () => send(greedy, path), MAX_OF_USER)

  expect([meanwhile, [...statuses]]).toEqual([[200, MAX_OF_USER], [404]])
})

test('429: more long responses at once than may wait', async () => {
  const { greedy, path } = await createUsers()
  const count = MAX_OF_USER + MAX_WAITING + 1
  arrived = 0

  const responses = await interrupt(server, {
    lock: lockUnits,
    start: () => times(count, () => greedy.get(path)),
    waitingCount: MAX_OF_USER,
    meanwhile: () => waitUntil(() => arrived === count, 'the arrival of all requests', 10_000),
  })

  const [refused, ...others] = responses.toSorted((one, another) => another.status - one.status)
  expect([refused!.status, refused!.headers.get('retry-after')]).toEqual([429, '2'])
  expect(refused!.error.reason).toBe('too_many_long_responses')
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([200]))
}, 60_000)

test('an export may take longer than other requests', async () => {
  const user = await signInUser(server)

  const { status } = await interrupt(server, {
    lock: lockContacts,
    start: () => user.call('GET', '/auth/me/export'),
    meanwhile: async () => expect((await user.get('/tenants')).status).toBe(503),
  })

  expect(status).toBe(200)
}, 60_000)

import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { purgeExpired } from '../../../server/jobs/purge-expired'
import { operations } from '../../operations'
import { createFixture, fillBody, toPath } from '../../operations/fixture'
import type { OperationRow } from '../../operations/row'
import { clock, testServer } from '../../support/server'
import { PROFILE } from '../../support/sign-ins'
import {
  createLandlord,
  signInThree,
  createUnit,
  requireSuccess,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'

/** Before the month in which the leases begin, so that no rent is posted. */
const time = clock(new Date('2026-11-22T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

const send = (user: TestUser, path: string, body: unknown, key: string, method = 'POST') =>
  sendRequest(server, method, path, { token: user.token, body, headers: { 'idempotency-key': key } })

/** Counts the rows of each table, but for what a request leaves beside its records. */
async function countRows() {
  const { rows } = await sql<{ name: string; count: number }>`
    select tablename as name,
      (xpath('//c/text()', query_to_xml('select count(*) as c from ' || tablename, false, true, '')))[1]::text::int as count
    from pg_tables where schemaname = 'public' and tablename not in ('rate_limits', 'received_webhooks')`.execute(
    server.db,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** Sends a request of an operation as often at once, and once more; returns how many rows each table has more. */
async function sendAtOnce(route: string, { access, ...operation }: OperationRow, count: number) {
  const { statuses, body, ...needs } = { ...operation, ...access[0]! }
  const [owner, manager, tenant] = await signInThree(server)
  await server.db.updateTable('users').set(PROFILE).execute()
  const fixture = await createFixture(server, { owner, manager, tenant }, needs)
  const sender = [owner, manager, tenant].find((_, index) => statuses[2 + index]! < 300)!
  const [method = '', path = ''] = route.split(' ')
  const [target, filled, key] = [toPath(path, fixture), fillBody(body, fixture), crypto.randomUUID()]
  const request = () => send(sender, target, filled, key, method)

  const before = await countRows()
  const answers = await Promise.all(Array.from({ length: count }, request))
  answers.push(await request())
  const after = await countRows()

  const first = requireSuccess(answers[0]!, route)
  for (const answer of answers) expect([answer.status, answer.body]).toEqual([first.status, first.body])
  return Object.entries(after).map(([name, rows]) => [name, rows - before[name]!])
}

/** Whether an operation takes a key, and succeeds for a party of the records that there are. */
const isKeyed = ([route, { sdk, access }]: [string, OperationRow]) =>
  /^(once|bare|key) /.test(sdk[0] ?? '') &&
  !/ \/(operations|sandbox)/.test(route) &&
  access[0]!.statuses.some(status => status < 300)

test.each(Object.entries(operations).filter(isKeyed))(
  '%s with one Idempotency-Key happens once, also by two requests at the same time',
  async (route, row) => {
    expect(await sendAtOnce(route, row, 2)).toEqual(await sendAtOnce(route, row, 1))
  },
)

const property = { pin_code: 560048, property_type: 'pg' }

test('a key belongs to one user and one path', async () => {
  const [one, other] = [await signInUser(server), await signInUser(server)]
  const key = crypto.randomUUID()
  const created = [
    await send(one, '/properties', property, key),
    await send(other, '/properties', property, key),
  ]
  expect(new Set(created.map(({ data }) => data.id)).size).toBe(2)

  const units = [await createUnit(one), await createUnit(one)]
  const unitKey = crypto.randomUUID()
  const answers = []
  for (const { property: listed } of units)
    answers.push(await send(one, `/properties/${listed.id}/units`, { unit_name: 'B' }, unitKey))
  expect(answers).toMatchObject([
    { status: 201 },
    { status: 400, error: { reason: 'idempotency_key_reused' } },
  ])
})

test('a key of a failed request can be used again', async () => {
  const user = await signInUser(server)
  const key = crypto.randomUUID()
  expect((await send(user, '/properties/9999999/units', { unit_name: 'A' }, key)).status).toBe(404)
  expect((await send(user, '/properties', { pin_code: 999999, property_type: 'pg' }, key)).status).toBe(400)
  expect((await send(user, '/properties', property, key)).status).toBe(201)
})

test('400: a malformed key', async () => {
  const user = await signInUser(server)
  for (const key of ['', ' ', 'a b', 'x'.repeat(256), 'é', 'a\tb'])
    expect([key, (await send(user, '/properties', property, key)).error?.reason]).toEqual([
      key,
      'idempotency_key_invalid',
    ])
  for (const key of ['x', 'x'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~'])
    expect([key, (await send(user, '/properties', property, key)).status]).toEqual([key, 201])
})

test('a key expires after a day', async () => {
  const user = await signInUser(server)
  const key = crypto.randomUUID()
  const first = await send(user, '/properties', property, key)
  time.advance(24 * 3_600_000 - 1)
  await purgeExpired(server.deps)
  expect((await send(user, '/properties', property, key)).body).toEqual(first.body)

  time.advance(1)
  await purgeExpired(server.deps)

  const signedInAgain = await signInUser(server, user.phone)
  expect((await send(signedInAgain, '/properties', property, key)).data.id).not.toBe(first.data.id)
})

test('a key of a change that creates nothing: a repetition changes nothing, and says that it is one', async () => {
  const user = await signInUser(server)
  const { property: listed } = await createUnit(user)
  const path = `/properties/${listed.id}`
  const key = crypto.randomUUID()
  const first = await send(user, path, { landmark: 'a' }, key, 'PATCH')
  await user.patch(path, { landmark: 'b' })

  const again = await send(user, path, { landmark: 'a' }, key, 'PATCH')

  expect([again.status, again.body]).toEqual([200, first.body])
  const isReplayed = ({ headers }: typeof first) => headers.get('idempotency-replayed')
  expect([isReplayed(first), isReplayed(again)]).toEqual([null, 'true'])
  expect((await user.get(path)).data.landmark).toBe('b')
  const other = await send(user, path, { landmark: 'c' }, key, 'PATCH')
  expect([other.status, other.error.reason]).toEqual([400, 'idempotency_key_reused'])
})

test('a one-time password that two requests of one key send at once is used once, and is right for both', async () => {
  const user = await createLandlord(server)
  const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
  await user.call('PUT', '/profile/complete', { ...profile, password: 'correct horse' })
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  const body = { ...profile, password: 'battery staple', otp: '123456' }
  const change = () => send(user, '/profile/complete', body, 'one-key', 'PUT')
  const [first, second] = await Promise.all([change(), change()])
  expect([first.status, second.status, second.body]).toEqual([200, 200, first.body])
})

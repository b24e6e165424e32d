import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { type Tables } from '../../../db/database'
import { purgeExpired } from '../../../server/jobs/purge-expired'
import { interrupt } from '../../support/locks'
import { clock, testServer } from '../../support/server'
import { toTimestamps } from '../../support/timestamps'
import { freshPhone, sendRequest, signInUser } from '../../support/users'
import { DAY_MS } from './durations'

const time = clock()
const server = testServer({ overrides: { now: time.now } })

type Insert = (userId: number, at: Date) => Record<string, unknown>
const phone_number = freshPhone()

test.each<[table: keyof Tables, keptMs: number, toRow: Insert]>([
  ['otp_sessions', DAY_MS, (_, expire_at) => ({ phone_number, otp: 'x', expire_at, ...toTimestamps() })],
  [
    'auth_sessions',
    0,
    (user_id, token_expires_at) => ({
      user_id,
      auth_token: 'x',
      expires_by: token_expires_at,
      token_expires_at,
      ...toTimestamps(),
    }),
  ],
  [
    'invitations',
    7 * DAY_MS,
    (_, expires_at) => ({
      phone_number,
      first_name: 'x',
      last_name: 'x',
      email: 'x',
      expires_at,
      ...toTimestamps(),
    }),
  ],
  [
    'idempotency_keys',
    DAY_MS,
    (user_id, created_at) => ({ user_id, key: 'x', digest: 'x', answer: {}, created_at }),
  ],
  ['rate_limits', 0, (_, resets_at) => ({ key: 'x', count: 1, resets_at, created_at: resets_at })],
])('rows of %s are purged %d ms after their time, and not before', async (table, keptMs, toRow) => {
  const { id } = await signInUser(server)
  const rows = server.db.selectFrom(table)
  await server.db.deleteFrom(table).execute()
  await server.db
    .insertInto(table)
    .values(toRow(id, new Date(time.now().getTime() - keptMs + 1)) as never)
    .execute()
  const countAfter = async (ms: number) => {
    time.advance(ms)
    await purgeExpired(server.deps)
    return (await rows.select(sql`1`.as('n')).execute()).length
  }

  expect([await countAfter(0), await countAfter(1)]).toEqual([1, 0])
})

test('what has not expired still works: a session, a one-time password and a repeated request', async () => {
  const user = await signInUser(server)
  const headers = { 'idempotency-key': 'once' }
  const body = { phone_number: freshPhone(), first_name: 'Tara' }
  const createTenant = () => sendRequest(server, 'POST', '/tenants', { token: user.token, headers, body })
  const first = await createTenant()
  const signIn = { phone_number: freshPhone(), otp: '123456' }
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: signIn.phone_number } })

  await purgeExpired(server.deps)

  expect(await createTenant()).toMatchObject({ status: 201, data: first.data })
  expect((await sendRequest(server, 'POST', '/auth/verify', { body: signIn })).status).toBe(200)
})

test('all that has expired is purged, however much it is', async () => {
  await sql`
    insert into rate_limits (key, count, created_at, resets_at)
    select 'many ' || n, 1, now(), ${time.now()} from generate_series(1, 50001) n`.execute(server.db)

  await purgeExpired(server.deps)

  const left = server.db.selectFrom('rate_limits').where('key', 'like', 'many %').select('key')
  expect(await left.execute()).toEqual([])
})

test('a limit that is used again while it is purged stays', async () => {
  const limit = { key: 'used again', count: 1, created_at: time.now(), resets_at: time.now() }
  await server.db.insertInto('rate_limits').values(limit).execute()
  const later = new Date(time.now().getTime() + DAY_MS)
  await interrupt(server, {
    lock: tx => tx.selectFrom('rate_limits').where('key', '=', limit.key).forUpdate().select('key').execute(),
    start: () => purgeExpired(server.deps),
    meanwhile: tx =>
      tx.updateTable('rate_limits').set({ resets_at: later }).where('key', '=', limit.key).execute(),
  })

  const left = server.db.selectFrom('rate_limits').where('key', '=', limit.key).select('key')
  expect(await left.execute()).toHaveLength(1)
})

import { afterEach, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { sendRequest, signInUser } from '../../support/users'

const server = testServer()
const db = () => getKysely(server.em())

/** Lets PostgreSQL report a deadlock for the first attempts to erase a user. */
async function failAttempts(count: number) {
  await sql`create sequence attempts`.execute(db())
  await sql`create function fail_attempt() returns trigger language plpgsql as ${sql.lit(`begin
    if nextval('attempts') <= ${count} then raise exception using errcode = 'deadlock_detected'; end if;
    return new;
  end`)}`.execute(db())
  await sql`create trigger fail_attempt before update on users for each row
    when (new.phone like 'erased-%') execute function fail_attempt()`.execute(db())
}

afterEach(async () => {
  await sql`drop function fail_attempt cascade`.execute(db())
  await sql`drop sequence attempts`.execute(db())
})

test.each([
  [1, 200],
  [4, 200],
  [5, 503],
])('after %d deadlocks an erasure is answered with %d', async (deadlocks, status) => {
  const user = await signInUser(server)
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  await failAttempts(deadlocks)

  const erased = await user.call('DELETE', '/auth/me', { otp: '123456' })

  expect(erased.status).toBe(status)
  expect((await user.get('/auth/me')).status).toBe(status === 200 ? 401 : 200)
})

test('an erasure that gave up leaves the one-time password valid', async () => {
  const user = await signInUser(server)
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  await failAttempts(5)
  const erase = () => user.call('DELETE', '/auth/me', { otp: '123456' })

  expect((await erase()).status).toBe(503)
  expect((await erase()).status).toBe(200)
})

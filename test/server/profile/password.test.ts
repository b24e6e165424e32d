import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { waitUntil } from '../../support/round'
import { clock, testServer } from '../../support/server'
import { completeProfile, sendRequest, signInUser, type TestUser } from '../../support/users'

const time = clock()
const server = testServer({
  // Each limit counts twenty times.
  env: { LOGIN_LIMIT_PER_NETWORK: '1', WRONG_OTP_LIMIT_PER_SITE: '1' },
  overrides: { now: time.now },
})
const LIMIT = 20
const FIRST = 'the first password'
const SECOND = 'the second password'

async function createUserWithPassword() {
  const user = await signInUser(server)
  await completeProfile(user, { password: FIRST })
  return user
}
const sendOtp = ({ phone }: TestUser) =>
  sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
const canLogIn = async ({ phone }: TestUser, password: string) => {
  const { status } = await sendRequest(server, 'POST', '/auth/login', {
    body: { phone_number: phone, password },
  })
  return status === 200
}

test('200: the first password needs nothing but the session', async () => {
  const user = await signInUser(server)
  expect((await completeProfile(user, { password: FIRST, current_password: null })).status).toBe(200)
  expect(await canLogIn(user, FIRST)).toBe(true)
})

test('400: a change of the password by the session alone, which changes nothing', async () => {
  const user = await createUserWithPassword()
  for (const proof of [{}, { current_password: null, otp: null }]) {
    const response = await completeProfile(user, { password: SECOND, first_name: 'Usha', ...proof })
    expect([response.status, response.error.code]).toEqual([400, 'BAD_REQUEST'])
    expect(response.error.message).toContain('current_password')
  }
  expect([await canLogIn(user, FIRST), await canLogIn(user, SECOND)]).toEqual([true, false])
  expect((await user.get('/auth/me')).data.user.first_name).toBe('Asha')
})

test('200: with the current password, which ends the other sessions', async () => {
  const user = await createUserWithPassword()
  const other = await signInUser(server, user.phone)
  const response = await completeProfile(user, { password: SECOND, current_password: FIRST })
  expect(response.status).toBe(200)
  expect((await other.get('/auth/me')).status).toBe(401)
  expect([await canLogIn(user, FIRST), await canLogIn(user, SECOND)]).toEqual([false, true])
})

test('200: with an OTP, once', async () => {
  const user = await createUserWithPassword()
  await sendOtp(user)
  expect((await completeProfile(user, { password: SECOND, otp: '123456' })).status).toBe(200)
  expect(await canLogIn(user, SECOND)).toBe(true)
  expect((await completeProfile(user, { password: FIRST, otp: '123456' })).status).toBe(401)
})

test('200: with the current password; an OTP beside it is neither compared nor used up', async () => {
  const user = await createUserWithPassword()
  await sendOtp(user)
  const both = { current_password: FIRST, otp: '000000' }
  expect((await completeProfile(user, { password: SECOND, ...both })).status).toBe(200)
  expect((await completeProfile(user, { password: FIRST, otp: '123456' })).status).toBe(200)
})

test('an OTP is not used up if the profile is refused', async () => {
  const user = await createUserWithPassword()
  await getKysely(server.em())
    .updateTable('users')
    .set({ kyc_verified: true })
    .where('id', '=', user.id)
    .execute()
  await sendOtp(user)
  const renamed = await completeProfile(user, { password: SECOND, otp: '123456', first_name: 'Usha' })
  expect(renamed.status).toBe(400)
  expect((await completeProfile(user, { password: SECOND, otp: '123456' })).status).toBe(200)
})

test.each([
  ['current_password', { current_password: 'not the password' }],
  ['otp', { otp: '000000' }],
])('401: a wrong %s, which changes nothing', async (_, proof) => {
  const user = await createUserWithPassword()
  await sendOtp(user)
  const response = await completeProfile(user, { password: SECOND, first_name: 'Usha', ...proof })
  expect([response.status, response.error.code]).toEqual([401, 'UNAUTHORIZED'])
  expect([await canLogIn(user, FIRST), await canLogIn(user, SECOND)]).toEqual([true, false])
  expect((await user.get('/auth/me')).data.user.first_name).toBe('Asha')
})

test('401: five wrong OTPs make the right one invalid', async () => {
  const user = await createUserWithPassword()
  await sendOtp(user)
  for (let attempt = 0; attempt < 5; attempt++)
    await completeProfile(user, { password: SECOND, otp: '000000' })
  expect((await completeProfile(user, { password: SECOND, otp: '123456' })).status).toBe(401)
})

test.each([
  ['passwords', { current_password: 'not the password' }, { current_password: FIRST }],
  ['OTPs', { otp: '000000' }, { otp: '123456' }],
])('429: too many wrong %s', async (_, wrong, right) => {
  time.advance(3_600_000)
  const user = await createUserWithPassword()
  for (let attempt = 0; attempt < LIMIT; attempt++)
    expect((await completeProfile(user, { password: SECOND, ...wrong })).status).toBe(401)
  await sendOtp(user)

  expect((await completeProfile(user, { password: SECOND, ...right })).status).toBe(429)
  time.advance(900_000)
  await sendOtp(user)
  expect((await completeProfile(user, { password: SECOND, ...right })).status).toBe(200)
})

test.each([
  ['first passwords', null, {}],
  ['changes by the current password', FIRST, { current_password: FIRST }],
])('of two %s at once one succeeds', async (_, first, proof) => {
  const user = await signInUser(server)
  if (first) await completeProfile(user, { password: first })

  const requests = await getKysely(server.em())
    .transaction()
    .execute(async tx => {
      await tx.selectFrom('users').where('id', '=', user.id).select('id').forUpdate().execute()
      const sent = ['one password', 'another password'].map(password =>
        completeProfile(user, { password, ...proof }),
      )
      await waitUntil(async () => (await countWaiting()) === 2, 'two requests wait for the user')
      return sent
    })

  const statuses = (await Promise.all(requests)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 400])
})

/** How many connections to this database wait for a lock. */
async function countWaiting() {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(getKysely(server.em()))
  return rows[0]!.count
}

import { describe, expect, test } from 'bun:test'
import { interrupt, lockRow } from '../../../support/locks'
import { clock, testServer } from '../../../support/server'
import { completeProfile, sendRequest, signInUser, type TestUser } from '../../../support/users'

const QUARTER_MS = 15 * 60_000
/** In development each limit counts twenty times. */
const LIMIT = 20
const FIRST = 'the first password'
const SECOND = 'the second password'
const OTP = '123456'

const time = clock()
const server = testServer({
  constants: { SIGN_IN_LIMIT: 1 },
  overrides: { now: time.now },
})

async function createUserWithPassword() {
  const user = await signInUser(server)
  await completeProfile(user, { password: FIRST })
  return user
}
const setPassword = (user: TestUser, proof: object, password = SECOND) =>
  completeProfile(user, { password, ...proof })
const sendOtp = ({ phone }: TestUser) =>
  sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
async function canLogIn({ phone }: TestUser, password: string) {
  const body = { phone_number: phone, password }
  return (await sendRequest(server, 'POST', '/auth/login', { body })).status === 200
}
async function expectUnchanged(user: TestUser) {
  expect([await canLogIn(user, FIRST), await canLogIn(user, SECOND)]).toEqual([true, false])
  expect((await user.get('/auth/me')).data.user.first_name).toBe('Asha')
}

describe('200: a password is set', () => {
  test('for the first time by the session alone, which ends the other sessions of the user', async () => {
    const older = await signInUser(server)
    const [newer, other] = [await signInUser(server, older.phone), await signInUser(server)]
    expect((await setPassword(older, { current_password: null })).status).toBe(200)
    expect(await canLogIn(older, SECOND)).toBe(true)
    const statuses = [older, newer, other].map(async user => (await user.get('/auth/me')).status)
    expect(await Promise.all(statuses)).toEqual([200, 401, 200])
  })

  test('with the current one, which ends the other sessions', async () => {
    const user = await createUserWithPassword()
    const other = await signInUser(server, user.phone)
    expect((await setPassword(user, { current_password: FIRST })).status).toBe(200)
    expect((await other.get('/auth/me')).status).toBe(401)
    expect([await canLogIn(user, FIRST), await canLogIn(user, SECOND)]).toEqual([false, true])
  })

  test('with an OTP, once', async () => {
    const user = await createUserWithPassword()
    await sendOtp(user)
    expect((await setPassword(user, { otp: OTP })).status).toBe(200)
    expect(await canLogIn(user, SECOND)).toBe(true)
    expect((await setPassword(user, { otp: OTP }, FIRST)).status).toBe(401)
  })

  test('with the current one; an OTP beside it is neither compared nor used up', async () => {
    const user = await createUserWithPassword()
    await sendOtp(user)
    expect((await setPassword(user, { current_password: FIRST, otp: '000000' })).status).toBe(200)
    expect((await setPassword(user, { otp: OTP }, FIRST)).status).toBe(200)
  })

  test('only if the profile has one: otherwise it and all sessions stay', async () => {
    const user = await createUserWithPassword()
    const other = await signInUser(server, user.phone)
    await completeProfile(user)
    await completeProfile(user, { password: null })
    expect([await canLogIn(user, FIRST), (await other.get('/auth/me')).status]).toEqual([true, 200])
  })
})

test.each([[{}], [{ current_password: null, otp: null }]])(
  '400: a change by the session alone, with %j, changes nothing',
  async proof => {
    const user = await createUserWithPassword()
    const { status, error } = await setPassword(user, { first_name: 'Usha', ...proof })
    expect([status, error.code, error.message]).toEqual([
      400,
      'BAD_REQUEST',
      expect.stringContaining('current_password'),
    ])
    await expectUnchanged(user)
  },
)

test.each([
  ['current_password', { current_password: 'not the password' }],
  ['otp', { otp: '000000' }],
])('401: a wrong %s changes nothing', async (_, proof) => {
  const user = await createUserWithPassword()
  await sendOtp(user)
  const { status, error } = await setPassword(user, { first_name: 'Usha', ...proof })
  expect([status, error.code]).toEqual([401, 'UNAUTHORIZED'])
  await expectUnchanged(user)
})

test('401: five wrong OTPs make the right one invalid', async () => {
  const user = await createUserWithPassword()
  await sendOtp(user)
  for (let attempt = 0; attempt < 5; attempt++) await setPassword(user, { otp: '000000' })
  expect((await setPassword(user, { otp: OTP })).status).toBe(401)
})

test('400: an OTP is not used up if the profile is refused', async () => {
  const user = await createUserWithPassword()
  const users = server.db.updateTable('users').where('id', '=', user.id)
  await users.set({ kyc_verified: true }).execute()
  await sendOtp(user)
  expect((await setPassword(user, { otp: OTP, first_name: 'Usha' })).status).toBe(400)
  expect((await setPassword(user, { otp: OTP })).status).toBe(200)
})

test.each([
  ['passwords', { current_password: 'not the password' }, { current_password: FIRST }],
  ['OTPs', { otp: '000000' }, { otp: OTP }],
])('429: too many wrong %s', async (_, wrong, right) => {
  time.advance(QUARTER_MS)
  const user = await createUserWithPassword()
  for (let attempt = 0; attempt < LIMIT; attempt++) expect((await setPassword(user, wrong)).status).toBe(401)
  await sendOtp(user)

  expect((await setPassword(user, right)).status).toBe(429)
  time.advance(QUARTER_MS)
  await sendOtp(user)
  expect((await setPassword(user, right)).status).toBe(200)
})

test.each([
  ['first passwords', {}, {}],
  ['changes by the current password', { password: FIRST }, { current_password: FIRST }],
])('of two %s at once one succeeds', async (_, before, proof) => {
  const user = await signInUser(server)
  await completeProfile(user, before)

  const responses = await interrupt(server, {
    lock: lockRow('users', user.id),
    start: () => Promise.all([SECOND, 'another password'].map(each => setPassword(user, proof, each))),
    waitingCount: 2,
  })

  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 400])
})

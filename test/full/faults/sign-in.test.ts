import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { createPasswords } from '../../../server/accounts/auth/passwords'
import { startWhatsAppStub } from '../../server/auth/whatsapp'
import { getQuantile, report, roundTo, runTogether } from '../../support/round'
import { startSecondInstance, testServer } from '../../support/server'
import { completeProfile, freshPhone, sendRequest, signInUser, type TestResponse } from '../../support/users'
import { OTP_LIMIT_TOTAL, wideLimits } from '../../support/wide-limits'

// What short tests do once, with many requests at once at two instances, and with real hashes.

const GUESSES = 100
const REPLAY_ROUNDS = 20
const VERIFIES = 100
const FLOOD_ROUNDS = 10
const LOGOUTS = 25
const SIGN_IN_ROUNDS = 10
/** One hash is being made, and fifty logins wait for theirs. */
const ADMITTED = 51
/** As many of one network as may wait to be counted. */
const LOGINS = 64

const whatsapp = startWhatsAppStub()
const env = { ...whatsapp.env, OTP_LIMIT_TOTAL }
const constants = {
  ...wideLimits,
  PROVIDER_TIMEOUT_MS: 20_000,
  PROVIDER_TOTAL_TIMEOUT_MS: 30_000,
  PASSWORD_HASH_CONCURRENCY: 1,
}
const server = testServer({ env, constants, overrides: { passwords: createPasswords(1) }, poolSize: 30 })
let second: Awaited<ReturnType<typeof startSecondInstance>>
beforeAll(async () => void (second = await startSecondInstance(server, env, constants)))
afterAll(() => second.stop())

/** Alternates between both instances. */
const getInstance = (index: number) => (index % 2 ? second : server)
/** On a cold pool requests queue for the first connection, and a naive read-then-write looks right. */
const warmPool = () => runTogether(30, () => sendRequest(server, 'GET', '/health/ready'))
const countStatus = (responses: TestResponse[], wanted: number) =>
  responses.filter(({ status }) => status === wanted).length

const sendOtp = (phone_number: string, at: { url: string } = server) =>
  sendRequest(at.url, 'POST', '/auth/send-otp', { body: { phone_number } })
const verifyOtp = (phone_number: string, otp: string, at: { url: string } = server) =>
  sendRequest(at.url, 'POST', '/auth/verify', { body: { phone_number, otp } })
const logIn = (phone_number: string, password: string, at: { url: string } = server) =>
  sendRequest(at.url, 'POST', '/auth/login', { body: { phone_number, password } })

async function createUserWithPassword(password: string) {
  const user = await signInUser(server)
  await completeProfile(user, { password })
  return user
}

async function measureMs(work: () => Promise<unknown>) {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

test(`401: of ${GUESSES} guesses at once at most five are compared, and then even the right one is refused`, async () => {
  await warmPool()
  const phone = freshPhone()
  await sendOtp(phone)
  const otp = whatsapp.otpOf(phone)!
  const guess = (index: number) => String((Number(otp) + 1 + index) % 1_000_000).padStart(6, '0')

  const responses = await runTogether(GUESSES, index => verifyOtp(phone, guess(index), getInstance(index)))

  expect(countStatus(responses, 401)).toBe(GUESSES)
  const session = getKysely(server.em()).selectFrom('otp_sessions').where('phone_number', '=', phone)
  expect(await session.select('attempts').execute()).toEqual([{ attempts: 5 }])
  expect((await verifyOtp(phone, otp)).status).toBe(401)
})

test(`${VERIFIES} verifies of one OTP at once: one 200, one user, and never again`, async () => {
  for (let round = 0; round < REPLAY_ROUNDS; round++) {
    await warmPool()
    const phone = freshPhone()
    await sendOtp(phone)
    const otp = whatsapp.otpOf(phone)!

    const responses = await runTogether(VERIFIES, index => verifyOtp(phone, otp, getInstance(index)))

    expect([countStatus(responses, 200), countStatus(responses, 401)]).toEqual([1, VERIFIES - 1])
    const users = getKysely(server.em()).selectFrom('users').where('phone', '=', phone).select('role')
    expect(await users.execute()).toEqual([{ role: 'LANDLORD' }])
    expect((await verifyOtp(phone, otp)).status).toBe(401)
  }
})

test('429: two instances send together as many OTPs as one limit allows', async () => {
  const limited = { ...constants, SIGN_IN_LIMIT: 20 }
  const start = () => startSecondInstance(server, env, limited)
  const [one, two] = [await start(), await start()]
  for (let round = 0; round < FLOOD_ROUNDS; round++) {
    const phone = freshPhone()
    const responses = await runTogether(60, index => sendOtp(phone, index % 2 ? one : two))
    const sent = whatsapp.sent.filter(message => message.phone === phone)
    expect([countStatus(responses, 200), countStatus(responses, 429), sent.length]).toEqual([20, 40, 20])
  }
  await Promise.all([one.stop(), two.stop()])
})

test('401: a logout at one instance ends the token at both', async () => {
  for (let round = 0; round < LOGOUTS; round++) {
    const { token } = await signInUser(server)
    expect((await sendRequest(second, 'GET', '/auth/me', { token })).status).toBe(200)
    await sendRequest(server, 'POST', '/auth/logout', { token })
    const after = await runTogether(20, index =>
      sendRequest(getInstance(index), 'GET', '/auth/me', { token }),
    )
    expect(countStatus(after, 401)).toBe(20)
  }
})

test('sign-ins by OTP and by password at once leave one active session', async () => {
  const password = 'a password that is long'
  const user = await createUserWithPassword(password)
  for (let round = 0; round < SIGN_IN_ROUNDS; round++) {
    await sendOtp(user.phone)
    const otp = whatsapp.otpOf(user.phone)!
    const responses = await runTogether(12, index =>
      index % 2
        ? logIn(user.phone, password, getInstance(index >> 1))
        : verifyOtp(user.phone, otp, getInstance(index >> 1)),
    )
    expect(countStatus(responses, 200)).toBe(7) // six by password, one by OTP
    const sessions = getKysely(server.em()).selectFrom('auth_sessions').where('user_id', '=', user.id)
    expect(await sessions.where('is_active', '=', true).select('id').execute()).toHaveLength(1)
  }
})

test('503: a flood of logins makes one hash at a time, counts none that it refuses, and others are served', async () => {
  const hashing = spyOn(Bun.password, 'verify')
  const { token } = await signInUser(server)
  const db = getKysely(server.em())
  await db.deleteFrom('rate_limits').execute()
  let isFlooded = true
  const flood = runTogether(LOGINS, () => logIn(freshPhone(), 'wrong')).finally(() => (isFlooded = false))
  const served: number[] = []
  while (isFlooded)
    served.push(
      await measureMs(async () => {
        expect((await sendRequest(server, 'GET', '/auth/me', { token })).status).toBe(200)
      }),
    )

  const responses = await flood
  const hashed = countStatus(responses, 401)
  const refused = responses.filter(({ status }) => status === 503)
  expect([hashed + refused.length, hashed >= ADMITTED]).toEqual([LOGINS, true])
  for (const { headers, error } of refused)
    expect([headers.get('retry-after'), error.reason]).toEqual(['2', 'passwords_busy'])
  expect(hashing).toHaveBeenCalledTimes(hashed)
  const counts = await db.selectFrom('rate_limits').select(['key', 'count']).execute()
  const ofPhones = counts.filter(({ key, count }) => /^login:[\da-f]{64}$/.test(key) && count > 0)
  expect(ofPhones).toHaveLength(hashed)
  report('passwords', { logins: LOGINS, hashed, others_p99_ms: roundTo(getQuantile(served, 0.99)) })
  hashing.mockRestore()
})

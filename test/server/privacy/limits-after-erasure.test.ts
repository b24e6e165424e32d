import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import {
  agreementTerms,
  createUnit,
  freshPhone,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../support/users'

/** Limits are twenty times as high with the sandbox channel. */
const MAX = 20
const HOUR_MS = 3_600_000
const time = clock()
const server = testServer({
  env: { TENANT_LIMIT_PER_LANDLORD: '1', STRANGER_REQUEST_LIMIT: '1', OTP_LIMIT_PER_NETWORK: '1' },
  overrides: { now: time.now },
})
const numbers = Array.from({ length: MAX }, (_, index) => index)

const sendOtp = (phone_number: string) =>
  sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number } })

/** Erases a user, who signs up anew. */
async function startAnew(user: TestUser) {
  expect((await sendOtp(user.phone)).status).toBe(200)
  expect((await user.call('DELETE', '/auth/me', { otp: '123456' })).status).toBe(200)
  const anew = await signInUser(server, user.phone)
  expect(anew.id).not.toBe(user.id)
  return anew
}

test('after an erasure the same phone number can name no more tenants, until the window ends', async () => {
  const user = await signInUser(server)
  const nameTenant = async (by: TestUser) =>
    (await by.post('/tenants', { phone_number: freshPhone() })).status
  for (const _ of numbers) expect(await nameTenant(user)).toBe(201)

  const anew = await startAnew(user)

  expect(await nameTenant(anew)).toBe(429)
  time.advance(HOUR_MS)
  expect(await nameTenant(anew)).toBe(201)
})

async function askToSign(landlord: TestUser, stranger: TestUser) {
  const { unit } = await createUnit(landlord)
  const { data: agreement } = await landlord.post('/agreements', agreementTerms(unit.id, [stranger.id]))
  const path = `/agreements/${agreement.id}`
  const { status, data } = await landlord.post(`${path}/sign`, { signer_id: stranger.id })
  if (status === 200) await landlord.post(`${path}/terminate`)
  return { status, data }
}

test('after an erasure the same landlord can ask a stranger for no more signatures', async () => {
  const [landlord, stranger] = [await signInUser(server), await signInUser(server)]
  for (const _ of numbers) expect((await askToSign(landlord, stranger)).status).toBe(200)

  const anew = await startAnew(landlord)

  expect((await askToSign(anew, stranger)).status).toBe(429)
})

test('after an erasure the same phone number gets no more OTPs than before', async () => {
  const user = await signInUser(server)
  for (const _ of numbers.slice(2)) expect((await sendOtp(user.phone)).status).toBe(200)

  expect((await sendOtp(user.phone)).status).toBe(200)
  expect((await user.call('DELETE', '/auth/me', { otp: '123456' })).status).toBe(200)

  expect((await sendOtp(user.phone)).status).toBe(429)
})

import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { freshPhone, requireSuccess, sendRequest, type Target, type TestResponse } from '../../support/users'
import { startWhatsAppStub } from './whatsapp'

const HOUR_MS = 3_600_000
const TOTAL = 4
/** With the sandbox channel each limit counts twenty times. */
const WRONG_TOTAL = 20
/** From here the user has signed in. */
const HOME = '203.0.113.7'
const ELSEWHERE = '192.0.2.1'

const whatsapp = startWhatsAppStub()
const time = clock()
const settings = { TRUSTED_PROXIES: '1', OTP_LIMIT_PER_NETWORK: '100' }
const server = testServer({
  env: { ...whatsapp.env, ...settings, OTP_LIMIT_TOTAL: String(TOTAL) },
  overrides: { now: time.now },
})
const sandboxed = testServer({
  env: { ...settings, WRONG_OTP_LIMIT_TOTAL: '1' },
  overrides: { now: time.now },
})

const post = (target: Target, path: string, body: unknown, address: string) =>
  sendRequest(target, 'POST', path, { body, headers: { 'x-forwarded-for': address } })
const requestOtp = (target: Target, phone: string, address: string) =>
  post(target, '/auth/send-otp', { phone_number: phone }, address)
const verify = (target: Target, phone: string, otp: string, address: string) =>
  post(target, '/auth/verify', { phone_number: phone, otp }, address)

/** A user who has signed in, in an hour of its own. */
async function createUser(target: Target, findOtp: (phone: string) => string, address = HOME) {
  const phone = freshPhone()
  time.advance(HOUR_MS)
  requireSuccess(await requestOtp(target, phone, address), 'Sending an OTP')
  requireSuccess(await verify(target, phone, findOtp(phone), address), 'The sign-in')
  time.advance(HOUR_MS)
  return phone
}
const createOwner = (address?: string) => createUser(server, phone => whatsapp.otpOf(phone)!, address)

async function collectStatuses(count: number, work: (index: number) => Promise<TestResponse>) {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await work(index)).status)
  return statuses
}
const repeat = <T>(count: number, value: T) => Array.from({ length: count }, () => value)

/** Strangers of as many blocks of addresses request an OTP each. */
const useUpTotal = async () => {
  const statuses = await collectStatuses(TOTAL + 1, index =>
    requestOtp(server, freshPhone(), `11.${index}.100.7`),
  )
  expect(statuses).toEqual([...repeat(TOTAL, 200), 429])
}

test("200: a user in a known network, when strangers used up the service's OTPs; elsewhere it is 429", async () => {
  const phone = await createOwner()
  await useUpTotal()

  expect((await requestOtp(server, phone, ELSEWHERE)).status).toBe(429)
  expect((await requestOtp(server, freshPhone(), HOME)).status).toBe(429)
  expect((await requestOtp(server, phone, HOME)).status).toBe(200)
  expect((await verify(server, phone, whatsapp.otpOf(phone)!, HOME)).status).toBe(200)
})

test('429: known networks together have as many again', async () => {
  const users: { phone: string; address: string }[] = []
  for (let index = 0; index <= TOTAL; index++) {
    const address = `12.${index}.100.7`
    users.push({ phone: await createOwner(address), address })
  }
  await useUpTotal()

  const statuses = await collectStatuses(users.length, index => {
    const { phone, address } = users[index]!
    return requestOtp(server, phone, address)
  })
  expect(statuses).toEqual([...repeat(TOTAL, 200), 429])
})

test('200: a user in a known network of a block that has used up its share', async () => {
  const phone = await createOwner()
  const neighbour = '203.0.5.1'
  expect((await requestOtp(server, freshPhone(), neighbour)).status).toBe(200)

  expect((await requestOtp(server, freshPhone(), neighbour)).status).toBe(429)
  expect((await requestOtp(server, phone, HOME)).status).toBe(200)
})

test('200: a user in a known network, when strangers used up the wrong OTPs of the sandbox channel', async () => {
  const phone = await createUser(sandboxed, () => '123456')
  await requestOtp(sandboxed, phone, HOME)
  await collectStatuses(WRONG_TOTAL, index => verify(sandboxed, freshPhone(), '000000', `11.${index}.100.7`))

  expect((await verify(sandboxed, phone, '123456', ELSEWHERE)).status).toBe(429)
  expect((await verify(sandboxed, phone, '123456', HOME)).status).toBe(200)
})

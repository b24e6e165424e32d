import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { clock, testServer } from '../../support/server'
import { freshPhone, sendRequest, signInUser } from '../../support/users'
import { startWhatsAppStub } from './whatsapp'

const whatsapp = startWhatsAppStub()
const time = clock()
const settings = { TRUSTED_PROXIES: '1', OTP_LIMIT_PER_NETWORK: '100' }
const server = testServer({ env: { ...whatsapp.env, ...settings }, overrides: { now: time.now } })
const strict = testServer({
  env: { ...whatsapp.env, ...settings, WRONG_OTP_LIMIT_PER_SITE: '3' },
  overrides: { now: time.now },
})
/** In development with the sandbox channel each limit counts twenty times. */
const sandboxed = testServer({
  env: { TRUSTED_PROXIES: '1', WRONG_OTP_LIMIT_PER_SITE: '100', WRONG_OTP_LIMIT_TOTAL: '1' },
  overrides: { now: time.now },
})
const SANDBOX_FACTOR = 20
const OWN = '203.0.113.7'

const from = (address: string) => ({ 'x-forwarded-for': address })
/** Requests an OTP and returns it with the number. */
async function requestOtp(target: { url: string }) {
  const phone = freshPhone()
  await sendRequest(target, 'POST', '/auth/send-otp', { body: { phone_number: phone }, headers: from(OWN) })
  return { phone, otp: whatsapp.otpOf(phone)! }
}
const verify = (target: { url: string }, phone: string, otp: string, address = OWN) =>
  sendRequest(target, 'POST', '/auth/verify', { body: { phone_number: phone, otp }, headers: from(address) })
const toWrong = (otp: string) => (otp === '000000' ? '000001' : '000000')
async function guess(target: { url: string }, phone: string, otp: string, addresses: string[]) {
  const statuses: number[] = []
  for (const address of addresses) statuses.push((await verify(target, phone, toWrong(otp), address)).status)
  return statuses
}
const networks = (count: number) => Array.from({ length: count }, (_, index) => `198.51.${index}.7`)
const repeat = <T>(count: number, value: T) => Array.from({ length: count }, () => value)

test("200: the owner's OTP, after a stranger of another network used up five guesses", async () => {
  const { phone, otp } = await requestOtp(server)
  await guess(server, phone, otp, repeat(8, '198.51.100.7'))

  expect((await verify(server, phone, otp, '198.51.100.200')).status).toBe(401)
  expect((await verify(server, phone, otp)).status).toBe(200)
})

test('an IPv6 /64 is one network', async () => {
  const { phone, otp } = await requestOtp(server)
  const addresses = Array.from({ length: 5 }, (_, index) => `2001:db8:1:2::${index}`)
  await guess(server, phone, otp, addresses)

  expect((await verify(server, phone, otp, '2001:db8:1:2:ffff::1')).status).toBe(401)
  expect((await verify(server, phone, otp, '2001:db8:1:3::1')).status).toBe(200)
})

test.each([
  [19, 200],
  [20, 401],
])('after %d guesses from as many networks the right OTP is %d', async (guesses, status) => {
  const { phone, otp } = await requestOtp(server)
  await guess(server, phone, otp, networks(guesses))

  expect((await verify(server, phone, otp)).status).toBe(status)
})

const loadAttempts = (phone: string) =>
  getKysely(server.em())
    .selectFrom('otp_sessions')
    .where('phone_number', '=', phone)
    .select(['attempts', 'attempts_by_network'])
    .executeTakeFirstOrThrow()

test('of parallel guesses from eight networks at most five a network and twenty in all count', async () => {
  const { phone, otp } = await requestOtp(server)
  await Promise.all(
    networks(8).flatMap(address => repeat(6, address).map(each => verify(server, phone, toWrong(otp), each))),
  )

  const { attempts, attempts_by_network } = await loadAttempts(phone)
  const counts = Object.values(attempts_by_network)
  expect(attempts).toBe(20)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20)
  expect(Math.max(...counts)).toBeLessThanOrEqual(5)
})

test('of parallel guesses from a known network, beyond twenty in all, five count', async () => {
  const { phone, otp: first } = await requestOtp(server)
  await verify(server, phone, first)
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone }, headers: from(OWN) })
  const otp = whatsapp.otpOf(phone)!
  await guess(server, phone, otp, networks(20))
  await Promise.all(repeat(12, OWN).map(address => verify(server, phone, toWrong(otp), address)))

  const { attempts, attempts_by_network } = await loadAttempts(phone)
  expect([attempts, attempts_by_network['203.0.113.0/24']]).toEqual([25, 5])
})

test('a new OTP starts to count anew', async () => {
  const { phone, otp } = await requestOtp(server)
  await guess(server, phone, otp, [...repeat(5, OWN), ...networks(15)])
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone }, headers: from(OWN) })

  expect((await verify(server, phone, whatsapp.otpOf(phone)!)).status).toBe(200)
})

test('429: wrong OTPs of one network count together, whatever the phone; right ones do not count', async () => {
  const site = (index: number) => `2001:db8:77:${index}::1`
  const wrong = await Promise.all([requestOtp(strict), requestOtp(strict)])
  for (const [index, { phone, otp }] of wrong.entries())
    expect((await verify(strict, phone, toWrong(otp), site(index))).status).toBe(401)
  for (let index = 0; index < 3; index++) {
    const { phone, otp } = await requestOtp(strict)
    expect((await verify(strict, phone, otp, site(index))).status).toBe(200)
  }
  const { phone, otp } = await requestOtp(strict)
  expect((await verify(strict, phone, toWrong(otp), site(7))).status).toBe(401)

  const refused = await verify(strict, phone, otp, site(8))
  expect([refused.status, refused.error.code, refused.headers.get('retry-after')]).toEqual([
    429,
    'TOO_MANY_REQUESTS',
    '900',
  ])
  expect((await verify(strict, phone, otp, '2001:db8:78::1')).status).toBe(200)
})

test('429: wrong OTPs of an erasure count for the network, too', async () => {
  const { phone, otp } = await requestOtp(strict)
  const { data } = await verify(strict, phone, otp)
  const erase = (address: string) =>
    sendRequest(strict, 'DELETE', '/auth/me', {
      token: data.access_token,
      body: { otp: '000000' },
      headers: from(address),
    })
  for (let attempt = 0; attempt < 3; attempt++) expect((await erase('192.0.2.1')).status).not.toBe(429)

  expect((await erase('192.0.2.1')).status).toBe(429)
  expect((await erase('203.0.113.200')).status).toBe(401)
})

test('429: with the sandbox channel wrong OTPs of the whole service count together for an hour', async () => {
  const { phone } = await signInUser(sandboxed)
  for (const address of networks(SANDBOX_FACTOR)) await verify(sandboxed, freshPhone(), '000000', address)

  const refused = await verify(sandboxed, phone, '123456')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
  time.advance(3_600_000)
  await signInUser(sandboxed, phone)
})

test('without the sandbox channel wrong OTPs elsewhere do not keep anyone out', async () => {
  const { phone, otp } = await requestOtp(server)
  for (const address of networks(101)) await verify(server, freshPhone(), '000000', address)

  expect((await verify(server, phone, otp)).status).toBe(200)
})

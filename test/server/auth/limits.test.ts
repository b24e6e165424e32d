import { describe, expect, test } from 'bun:test'
import { sendRequest, freshPhone, type TestResponse } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { enveloped, plain } from '../http/forms'
import { startWhatsAppStub } from './whatsapp'
import { refuse } from '../../../server/faults'
import { toNetworkPrefix } from '../../../server/http/client-ip'

const chat = startWhatsAppStub()
const time = clock()
const limited = (env: Record<string, string>) =>
  testServer({ env: { ...chat.env, ...env }, overrides: { now: time.now }, poolSize: 20 })
const byNetwork = limited({ OTP_LIMIT_PER_NETWORK: '3', LOGIN_LIMIT_PER_NETWORK: '3' })
const byPhone = limited({
  OTP_LIMIT_PER_NETWORK: '2',
  OTP_LIMIT_PER_PHONE: '3',
  LOGIN_LIMIT_PER_NETWORK: '2',
  LOGIN_LIMIT_PER_PHONE: '3',
})
const byAddress = limited({ OTP_LIMIT_PER_ADDRESS: '3' })
const acrossPhones = limited({ LOGIN_LIMIT_ACROSS_PHONES: '3', TRUSTED_PROXIES: '1' })
const specified = limited({})
type Server = ReturnType<typeof testServer>

const FIFTEEN_MINUTES_MS = 15 * 60_000
const DAY_MS = 24 * 3_600_000
const requestOtp = ({ url }: Server, phone: string) =>
  sendRequest(url, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
const login = ({ url }: Server, phone: string, password = 'not the password') =>
  sendRequest(url, 'POST', '/auth/login', { body: { phone_number: phone, password } })
async function collectStatuses(count: number, work: () => Promise<TestResponse>) {
  const statuses: number[] = []
  for (let done = 0; done < count; done++) statuses.push((await work()).status)
  return statuses
}
const getRetryAfterS = ({ headers }: TestResponse) => Number(headers.get('retry-after'))

describe('the OTP limit of a phone and network', () => {
  test('429: applies for 15 minutes; the response has Retry-After, and nothing is sent', async () => {
    const phone = freshPhone()
    expect(await collectStatuses(3, () => requestOtp(byNetwork, phone))).toEqual([200, 200, 200])
    time.advance(60_000)
    const sent = chat.sent.filter(message => message.phone === phone).length
    const rejected = await requestOtp(byNetwork, phone)
    expect([rejected.status, rejected.body, getRetryAfterS(rejected)]).toEqual([429, enveloped(429), 14 * 60])
    expect(chat.sent.filter(message => message.phone === phone)).toHaveLength(sent)
    const inA = await sendRequest(byNetwork.url, 'POST', '/auth', { body: { phoneNumber: phone } })
    expect([inA.status, inA.body, getRetryAfterS(inA)]).toEqual([429, plain(429), 14 * 60])
    expect((await requestOtp(byNetwork, freshPhone())).status).toBe(200)
  })

  test('rejected requests do not count: after 15 minutes the whole limit is available again', async () => {
    const phone = freshPhone()
    expect(await collectStatuses(6, () => requestOtp(byNetwork, phone))).toEqual([
      200, 200, 200, 429, 429, 429,
    ])
    time.advance(FIFTEEN_MINUTES_MS)
    expect(await collectStatuses(4, () => requestOtp(byNetwork, phone))).toEqual([200, 200, 200, 429])
  })

  test('the last OTP stays valid while further requests are rejected', async () => {
    const phone = freshPhone()
    await collectStatuses(5, () => requestOtp(byNetwork, phone))
    expect(
      (
        await sendRequest(byNetwork.url, 'POST', '/auth/verify', {
          body: { phone_number: phone, otp: chat.otpOf(phone) },
        })
      ).status,
    ).toBe(200)
  })

  test('of concurrent requests exactly as many pass as the limit allows', async () => {
    for (let round = 0; round < 3; round++) {
      const phone = freshPhone()
      const answers = await Promise.all(Array.from({ length: 15 }, () => requestOtp(byNetwork, phone)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
      expect(answers.filter(({ status }) => ![200, 429].includes(status))).toEqual([])
    }
  })
})

describe('the other OTP limits', () => {
  test('429: beyond the daily limit of a phone, but for one in 15 minutes', async () => {
    const phone = freshPhone()
    await collectStatuses(2, () => requestOtp(byPhone, phone))
    time.advance(FIFTEEN_MINUTES_MS)
    expect(await collectStatuses(2, () => requestOtp(byPhone, phone))).toEqual([200, 200])
    time.advance(FIFTEEN_MINUTES_MS)
    expect((await requestOtp(byPhone, phone)).status).toBe(200)
    const rejected = await requestOtp(byPhone, phone)
    expect([rejected.status, getRetryAfterS(rejected)]).toEqual([429, FIFTEEN_MINUTES_MS / 1000])
    time.advance(DAY_MS - 2 * FIFTEEN_MINUTES_MS)
    expect(await collectStatuses(2, () => requestOtp(byPhone, phone))).toEqual([200, 200])
  })

  test('a request that one limit rejects does not count against the daily limit', async () => {
    const phone = freshPhone()
    expect(await collectStatuses(6, () => requestOtp(byPhone, phone))).toEqual([200, 200, 429, 429, 429, 429])
    time.advance(FIFTEEN_MINUTES_MS)
    // The last of the day, and the one that a phone over its limit still gets.
    expect(await collectStatuses(3, () => requestOtp(byPhone, phone))).toEqual([200, 200, 429])
  })

  test('429: beyond the limit of an IP address, for any phone', async () => {
    expect(await collectStatuses(4, () => requestOtp(byAddress, freshPhone()))).toEqual([200, 200, 200, 429])
    time.advance(FIFTEEN_MINUTES_MS)
    expect((await requestOtp(byAddress, freshPhone())).status).toBe(200)
  })

  test('429: by default the sixth request', async () => {
    const phone = freshPhone()
    expect(await collectStatuses(6, () => requestOtp(specified, phone))).toEqual([
      200, 200, 200, 200, 200, 429,
    ])
  })

  test('400: malformed requests do not count', async () => {
    expect(await collectStatuses(5, () => requestOtp(byAddress, 'x'))).toEqual([400, 400, 400, 400, 400])
  })
})

describe('the limit of failed logins', () => {
  test('429: beyond the limit of a phone and network, also for an unknown number, with Retry-After', async () => {
    const phone = freshPhone()
    expect(await collectStatuses(3, () => login(byNetwork, phone))).toEqual([401, 401, 401])
    const rejected = await login(byNetwork, phone)
    expect([rejected.status, rejected.body, getRetryAfterS(rejected)]).toEqual([429, enveloped(429), 900])
    expect((await login(byNetwork, freshPhone())).status).toBe(401)
    time.advance(FIFTEEN_MINUTES_MS)
    expect((await login(byNetwork, phone)).status).toBe(401)
  })

  test('429: beyond the daily limit of a phone', async () => {
    const phone = freshPhone()
    await collectStatuses(2, () => login(byPhone, phone))
    time.advance(FIFTEEN_MINUTES_MS)
    expect(await collectStatuses(2, () => login(byPhone, phone))).toEqual([401, 429])
    time.advance(DAY_MS)
    expect((await login(byPhone, phone)).status).toBe(401)
  })

  test('429: the right password beyond the limit; successful logins do not count', async () => {
    const phone = freshPhone()
    const password = 'the right password'
    await requestOtp(byNetwork, phone)
    const { body } = await sendRequest(byNetwork.url, 'POST', '/auth/verify', {
      body: { phone_number: phone, otp: chat.otpOf(phone) },
    })
    await sendRequest(byNetwork.url, 'PUT', '/profile/complete', {
      token: body.data.access_token,
      body: { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com', password },
    })
    expect(await collectStatuses(4, () => login(byNetwork, phone, password))).toEqual([200, 200, 200, 200])
    await collectStatuses(3, () => login(byNetwork, phone))
    expect((await login(byNetwork, phone, password)).status).toBe(429)
    time.advance(FIFTEEN_MINUTES_MS)
    expect((await login(byNetwork, phone, password)).status).toBe(200)
  })

  test('503: a login that the server is too busy to compare does not count', async () => {
    const phone = freshPhone()
    const { deps } = byNetwork
    const { passwords } = deps
    deps.passwords = { ...passwords, verify: () => Promise.reject(refuse('passwords_busy')) }
    const busy = await collectStatuses(4, () => login(byNetwork, phone))
    deps.passwords = passwords
    expect(busy).toEqual([503, 503, 503, 503])
    expect(await collectStatuses(4, () => login(byNetwork, phone))).toEqual([401, 401, 401, 429])
  })

  test('429: concurrent guesses do not exceed the limit', async () => {
    const phone = freshPhone()
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => login(byNetwork, phone)))).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted()).toEqual([401, 401, 401, 429, 429, 429, 429, 429, 429, 429])
  })
})

describe('the limit of failed logins across phones', () => {
  const loginFrom = (address: string) =>
    sendRequest(acrossPhones.url, 'POST', '/auth/login', {
      body: { phone_number: freshPhone(), password: 'not the password' },
      headers: { 'x-forwarded-for': address },
    })

  test.each([
    ['IPv4 /24', ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'], '203.0.114.1'],
    ['IPv6 /48', ['2001:db8:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:1:4::1'], '2001:db8:2::1'],
  ])('429: beyond the limit of an %s; another network is not concerned', async (_, [...addresses], other) => {
    const statuses: number[] = []
    for (const address of addresses) statuses.push((await loginFrom(address)).status)

    expect(statuses).toEqual([401, 401, 401, 429])
    expect((await loginFrom(other)).status).toBe(401)
    time.advance(FIFTEEN_MINUTES_MS)
    expect((await loginFrom(addresses[3]!)).status).toBe(401)
  })
})

describe('the network of an address', () => {
  const table = {
    '203.0.113.7': '203.0.113.0/24',
    '203.0.113.255': '203.0.113.0/24',
    '203.0.114.7': '203.0.114.0/24',
    '::ffff:203.0.113.7': '203.0.113.0/24',
    '::FFFF:203.0.113.9': '203.0.113.0/24',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:db8:1:2::1': '2001:db8:1:2::/64',
    '2001:DB8:0001:0002::': '2001:db8:1:2::/64',
    '2001:db8::1': '2001:db8::/64',
    '::ffff:cb00:7107': '203.0.113.0/24',
    '2001:db8:1:3::1': '2001:db8:1:3::/64',
    '::1': '::/64',
    '::': '::/64',
    'fe80::1%eth0': 'fe80::/64',
    'fe80::1': 'fe80::/64',
    unknown: 'unknown',
  }
  for (const [address, network] of Object.entries(table))
    test(`${address} is in ${network}`, () => expect(toNetworkPrefix(address)).toBe(network))
})

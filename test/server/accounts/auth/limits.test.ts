import { beforeEach, describe, expect, test } from 'bun:test'
import { refuse } from '../../../../server/errors'
import { recordLog } from '../../../support/log'
import { RecipientError } from '../../../../server/providers/messaging/port'
import { clock, testServer } from '../../../support/server'
import { freshPhone, sendRequest, type TestResponse } from '../../../support/users'
import { enveloped, plain } from '../../http/forms'
import { startWhatsAppStub } from './whatsapp'

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS
/** Of a phone in a network, in a quarter of an hour. */
const ATTEMPTS = 5
/** Of a network, in a quarter of an hour. */
const ATTEMPTS_OF_NETWORK = 6
/** Of the whole service, in an hour, which is more than a network has. */
const OTPS_OF_SERVICE = 28
const OPS_TOKEN = 'the token of operations'

const chat = startWhatsAppStub()
const time = clock()
const { lines, log } = recordLog('error')
const server = testServer({
  env: { ...chat.env, OPS_TOKEN, TRUSTED_PROXIES: '1', OTP_LIMIT_TOTAL: String(OTPS_OF_SERVICE) },
  constants: {
    PROVIDER_RETRIES: 0,
    SIGN_IN_LIMIT_PER_NETWORK: ATTEMPTS_OF_NETWORK,
  },
  overrides: {
    now: time.now,
    log,
  },
})
// What is counted, for how long, is tested in sign-in-limits.test, and how in http/rate-limits.test.

/** Each test has the limits of the service anew. */
beforeEach(() => time.advance(HOUR_MS))

let nextNetwork = 0
const freshAddress = () => `11.${nextNetwork++}.100.7`
const post = (path: string, address: string, body: object) =>
  sendRequest(server, 'POST', path, { body, headers: { 'x-forwarded-for': address } })
const requestOtp = (phone: string, address: string) =>
  post('/auth/send-otp', address, { phone_number: phone })
const verify = (phone: string, otp: string, address: string) =>
  post('/auth/verify', address, { phone_number: phone, otp })
const logIn = (phone: string, address: string, password = 'not the password') =>
  post('/auth/login', address, { phone_number: phone, password })
const toWrong = (otp: string) => (otp === '000000' ? '000001' : '000000')

async function collectStatuses(count: number, work: (index: number) => Promise<TestResponse>) {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await work(index)).status)
  return statuses
}
const repeat = <T>(count: number, value: T) => Array.from({ length: count }, () => value)
const getRetryAfterS = ({ headers }: TestResponse) => Number(headers.get('retry-after'))

async function signIn(address: string) {
  const phone = freshPhone()
  await requestOtp(phone, address)
  const { data } = await verify(phone, chat.otpOf(phone)!, address)
  return { phone, token: data.access_token as string }
}

const toIpv4 = (index: number) => `203.0.113.${index}`
const toIpv6 = (index: number) => `2001:db8:5:${index}::1`
const networks = [
  ['an IPv4 /24', toIpv4, '203.1.113.1'],
  ['an IPv6 /48', toIpv6, '2001:db9:5::1'],
] as const

describe('429: too many OTPs', () => {
  test('of a phone in a network, for 15 minutes; nothing more is sent, and the last OTP stays valid', async () => {
    const [phone, address] = [freshPhone(), freshAddress()]
    expect(await collectStatuses(ATTEMPTS, () => requestOtp(phone, address))).toEqual(repeat(ATTEMPTS, 200))
    time.advance(MINUTE_MS)
    const sent = chat.sent.length

    const inB = await requestOtp(phone, address)
    const inA = await post('/auth', address, { phoneNumber: phone })

    expect([inB.status, inB.body, getRetryAfterS(inB)]).toEqual([429, enveloped(429), 14 * 60])
    expect([inA.status, inA.body, getRetryAfterS(inA)]).toEqual([429, plain(429), 14 * 60])
    expect(chat.sent).toHaveLength(sent)
    expect((await requestOtp(freshPhone(), address)).status).toBe(200)
    expect((await verify(phone, chat.otpOf(phone)!, address)).status).toBe(200)
    time.advance(QUARTER_MS)
    const anew = await collectStatuses(ATTEMPTS + 1, () => requestOtp(phone, address))
    expect(anew).toEqual([...repeat(ATTEMPTS, 200), 429])
  })

  test('of the whole service, for an hour; an audit line and a metric say so', async () => {
    const statuses = await collectStatuses(OTPS_OF_SERVICE, () => requestOtp(freshPhone(), freshAddress()))
    expect(statuses).toEqual(repeat(OTPS_OF_SERVICE, 200))
    lines.length = 0

    const refused = await requestOtp(freshPhone(), '203.0.113.9')

    expect([refused.status, getRetryAfterS(refused)]).toEqual([429, 3600])
    expect(lines).toMatchObject([
      { audit: 'limit_reached', limit: 'otp_total', route: '/auth/send-otp', network: '203.0.113.0/24' },
    ])
    const headers = { authorization: `Bearer ${OPS_TOKEN}` }
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text()
    expect(metrics).toContain('kiraya_service_limit_refusals_total{limit="otp_total"} 1')
    time.advance(HOUR_MS)
    expect((await requestOtp(freshPhone(), freshAddress())).status).toBe(200)
  })
})

describe('an OTP request that is not answered with 200', () => {
  const unreached = new RecipientError('phone_number_unreachable', ['Check the number', 'नंबर जाँचें'])
  const unreachable = refuse('provider_unreachable', { provider: 'messaging' })
  test.each([
    ['counts, if the number may be the reason', unreached, 400],
    ['does not count, if the provider fails', unreachable, 503],
    ['does not count after an unexpected error', new Error('unexpected'), 500],
  ])('%s', async (_, error, status) => {
    const [phone, address] = [freshPhone(), freshAddress()]
    const { deps } = server
    const { sendMessage } = deps
    deps.sendMessage = () => Promise.reject(error)
    const failed = await collectStatuses(ATTEMPTS, () => requestOtp(phone, address))
    deps.sendMessage = sendMessage

    expect(failed).toEqual(repeat(ATTEMPTS, status))
    const statuses = await collectStatuses(ATTEMPTS + 1, () => requestOtp(phone, address))
    expect(statuses).toEqual(status === 400 ? repeat(ATTEMPTS + 1, 429) : [...repeat(ATTEMPTS, 200), 429])
  })

  test('400: does not count, if it is malformed', async () => {
    const address = freshAddress()
    expect(await collectStatuses(ATTEMPTS_OF_NETWORK, () => requestOtp('x', address))).toEqual(
      repeat(ATTEMPTS_OF_NETWORK, 400),
    )
    expect((await requestOtp(freshPhone(), address)).status).toBe(200)
  })
})

describe('429: too many failed logins', () => {
  test('of a phone in a network, also of an unknown one, for 15 minutes', async () => {
    const [phone, address] = [freshPhone(), freshAddress()]
    expect(await collectStatuses(ATTEMPTS, () => logIn(phone, address))).toEqual(repeat(ATTEMPTS, 401))

    const refused = await logIn(phone, address)

    expect([refused.status, refused.body, getRetryAfterS(refused)]).toEqual([429, enveloped(429), 900])
    expect((await logIn(freshPhone(), address)).status).toBe(401)
    time.advance(QUARTER_MS)
    expect((await logIn(phone, address)).status).toBe(401)
  })

  test('even with the right password; successful logins do not count', async () => {
    const address = freshAddress()
    const { phone, token } = await signIn(address)
    const password = 'the right password'
    const body = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com', password }
    await sendRequest(server, 'PUT', '/profile/complete', { token, body })

    const right = await collectStatuses(ATTEMPTS + 1, () => logIn(phone, address, password))
    expect(right).toEqual(repeat(ATTEMPTS + 1, 200))
    await collectStatuses(ATTEMPTS, () => logIn(phone, address))
    expect((await logIn(phone, address, password)).status).toBe(429)
    time.advance(QUARTER_MS)
    expect((await logIn(phone, address, password)).status).toBe(200)
  })

  test('503: a login that the server is too busy to compare does not count', async () => {
    const [phone, address] = [freshPhone(), freshAddress()]
    const { deps } = server
    const { passwords } = deps
    deps.passwords = { ...passwords, verify: () => Promise.reject(refuse('passwords_busy')) }
    const busy = await collectStatuses(ATTEMPTS, () => logIn(phone, address))
    deps.passwords = passwords

    expect(busy).toEqual(repeat(ATTEMPTS, 503))
    expect(await collectStatuses(ATTEMPTS + 1, () => logIn(phone, address))).toEqual([
      ...repeat(ATTEMPTS, 401),
      429,
    ])
  })
})

describe.each([
  ['OTPs', requestOtp, 200],
  ['failed logins', logIn, 401],
] as const)('429: too many %s', (_, send, status) => {
  test('of a phone and network at once: no more are handled than the limit allows', async () => {
    const [phone, address] = [freshPhone(), freshAddress()]
    const responses = await Promise.all(repeat(ATTEMPTS + 2, 0).map(() => send(phone, address)))
    const statuses = responses.map(response => response.status)
    expect(statuses.toSorted()).toEqual([...repeat(ATTEMPTS, status), 429, 429])
  })
})

describe('429: too many wrong OTPs of a network', () => {
  test.each(networks)('%s, whatever the phone; right OTPs do not count', async (_, toAddress, elsewhere) => {
    const otps: [phone: string, otp: string][] = []
    for (let index = 0; index <= ATTEMPTS_OF_NETWORK; index++) {
      const phone = freshPhone()
      await requestOtp(phone, freshAddress())
      otps.push([phone, chat.otpOf(phone)!])
    }
    const wrong = (index: number) => verify(otps[index]![0], toWrong(otps[index]![1]), toAddress(index))
    const right = (index: number, address = toAddress(index)) => verify(...otps[index]!, address)

    expect([(await wrong(0)).status, (await right(0)).status, (await right(1)).status]).toEqual([
      401, 200, 200,
    ])
    const others = await collectStatuses(ATTEMPTS_OF_NETWORK - 1, index => wrong(index + 1))
    expect(others).toEqual(repeat(ATTEMPTS_OF_NETWORK - 1, 401))
    const refused = await right(ATTEMPTS_OF_NETWORK)
    expect([refused.status, refused.error.code, getRetryAfterS(refused)]).toEqual([
      429,
      'TOO_MANY_REQUESTS',
      900,
    ])
    expect((await right(ATTEMPTS_OF_NETWORK, elsewhere)).status).toBe(200)
  })

  test('those of an erasure count, too', async () => {
    const { token } = await signIn(freshAddress())
    const eraseFrom = (address: string) =>
      sendRequest(server, 'DELETE', '/auth/me', {
        token,
        body: { otp: '000000' },
        headers: { 'x-forwarded-for': address },
      })
    const address = freshAddress()
    const statuses = await collectStatuses(ATTEMPTS + 1, () => eraseFrom(address))
    expect(statuses).toEqual([...repeat(ATTEMPTS, 401), 429])
    expect((await eraseFrom(freshAddress())).status).toBe(401)
  })
})

import { describe, expect, test } from 'bun:test'
import { sendRequest, freshPhone, type TestResponse } from '../../support/users'
import { clock, testServer } from '../../support/server'
import { enveloped, plain } from '../http/forms'
import { startWhatsAppStub } from './whatsapp'
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
const specified = limited({})
type Server = ReturnType<typeof testServer>

const MINUTES_15 = 15 * 60_000
const DAY = 24 * 3_600_000
const ask = ({ url }: Server, phone: string) =>
  sendRequest(url, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
const login = ({ url }: Server, phone: string, password = 'not the password') =>
  sendRequest(url, 'POST', '/auth/login', { body: { phone_number: phone, password } })
const times = async (count: number, work: () => Promise<TestResponse>) => {
  const statuses: number[] = []
  for (let done = 0; done < count; done++) statuses.push((await work()).status)
  return statuses
}
const retryAfter = ({ headers }: TestResponse) => Number(headers.get('retry-after'))

describe('429: OTP requests', () => {
  test('beyond the limit of a phone and network in 15 minutes, with Retry-After, and nothing is sent', async () => {
    const phone = freshPhone()
    expect(await times(3, () => ask(byNetwork, phone))).toEqual([200, 200, 200])
    time.advance(60_000)
    const sent = chat.sent.filter(message => message.phone === phone).length
    const refused = await ask(byNetwork, phone)
    expect([refused.status, refused.body, retryAfter(refused)]).toEqual([429, enveloped(429), 14 * 60])
    expect(chat.sent.filter(message => message.phone === phone)).toHaveLength(sent)
    const inA = await sendRequest(byNetwork.url, 'POST', '/auth', { body: { phoneNumber: phone } })
    expect([inA.status, inA.body, retryAfter(inA)]).toEqual([429, plain(429), 14 * 60])
    expect((await ask(byNetwork, freshPhone())).status).toBe(200)
  })

  test('what was refused does not count: after 15 minutes the whole limit is there again', async () => {
    const phone = freshPhone()
    expect(await times(6, () => ask(byNetwork, phone))).toEqual([200, 200, 200, 429, 429, 429])
    time.advance(MINUTES_15)
    expect(await times(4, () => ask(byNetwork, phone))).toEqual([200, 200, 200, 429])
  })

  test('the OTP that was sent last stays good while more are refused', async () => {
    const phone = freshPhone()
    await times(5, () => ask(byNetwork, phone))
    expect(
      (
        await sendRequest(byNetwork.url, 'POST', '/auth/verify', {
          body: { phone_number: phone, otp: chat.otpOf(phone) },
        })
      ).status,
    ).toBe(200)
  })

  test('of any number at once exactly as many pass as the limit allows', async () => {
    for (let round = 0; round < 3; round++) {
      const phone = freshPhone()
      const answers = await Promise.all(Array.from({ length: 15 }, () => ask(byNetwork, phone)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
      expect(answers.filter(({ status }) => ![200, 429].includes(status))).toEqual([])
    }
  })

  test('beyond the limit of a phone a day', async () => {
    const phone = freshPhone()
    expect(await times(2, () => ask(byPhone, phone))).toEqual([200, 200])
    time.advance(MINUTES_15)
    expect((await ask(byPhone, phone)).status).toBe(200)
    const refused = await ask(byPhone, phone)
    expect([refused.status, retryAfter(refused)]).toEqual([429, (DAY - MINUTES_15) / 1000])
    time.advance(DAY - MINUTES_15)
    expect((await ask(byPhone, phone)).status).toBe(200)
  })

  test("what one limit refused does not count against another: the day's limit is still whole", async () => {
    const phone = freshPhone()
    expect(await times(6, () => ask(byPhone, phone))).toEqual([200, 200, 429, 429, 429, 429])
    time.advance(MINUTES_15)
    expect(await times(2, () => ask(byPhone, phone))).toEqual([200, 429])
  })

  test('beyond the limit of an IP address, whatever the phone', async () => {
    expect(await times(4, () => ask(byAddress, freshPhone()))).toEqual([200, 200, 200, 429])
    time.advance(MINUTES_15)
    expect((await ask(byAddress, freshPhone())).status).toBe(200)
  })

  test('by default the sixth', async () => {
    const phone = freshPhone()
    expect(await times(6, () => ask(specified, phone))).toEqual([200, 200, 200, 200, 200, 429])
  })

  test('malformed requests do not count', async () => {
    expect(await times(5, () => ask(byAddress, 'x'))).toEqual([400, 400, 400, 400, 400])
  })
})

describe('429: failed logins', () => {
  test('beyond the limit of a phone and network, for an unknown number as for a known one, with Retry-After', async () => {
    const phone = freshPhone()
    expect(await times(3, () => login(byNetwork, phone))).toEqual([401, 401, 401])
    const refused = await login(byNetwork, phone)
    expect([refused.status, refused.body, retryAfter(refused)]).toEqual([429, enveloped(429), 900])
    expect((await login(byNetwork, freshPhone())).status).toBe(401)
    time.advance(MINUTES_15)
    expect((await login(byNetwork, phone)).status).toBe(401)
  })

  test('beyond the limit of a phone a day', async () => {
    const phone = freshPhone()
    await times(2, () => login(byPhone, phone))
    time.advance(MINUTES_15)
    expect(await times(2, () => login(byPhone, phone))).toEqual([401, 429])
    time.advance(DAY)
    expect((await login(byPhone, phone)).status).toBe(401)
  })

  test('logins that succeed do not count, and the right password is refused once the limit is reached', async () => {
    const phone = freshPhone()
    const password = 'the right password'
    await ask(byNetwork, phone)
    const { body } = await sendRequest(byNetwork.url, 'POST', '/auth/verify', {
      body: { phone_number: phone, otp: chat.otpOf(phone) },
    })
    await sendRequest(byNetwork.url, 'PUT', '/profile/complete', {
      token: body.data.access_token,
      body: { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com', password },
    })
    expect(await times(4, () => login(byNetwork, phone, password))).toEqual([200, 200, 200, 200])
    await times(3, () => login(byNetwork, phone))
    expect((await login(byNetwork, phone, password)).status).toBe(429)
    time.advance(MINUTES_15)
    expect((await login(byNetwork, phone, password)).status).toBe(200)
  })

  test('guesses at once do not pass together', async () => {
    const phone = freshPhone()
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => login(byNetwork, phone)))).map(
      ({ status }) => status,
    )
    expect(statuses.toSorted()).toEqual([401, 401, 401, 429, 429, 429, 429, 429, 429, 429])
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

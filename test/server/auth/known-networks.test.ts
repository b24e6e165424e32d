import { describe, expect, test } from 'bun:test'
import { clock, startSecondInstance, testServer } from '../../support/server'
import { freshPhone, requireSuccess, sendRequest, type Target, type TestResponse } from '../../support/users'
import { startWhatsAppStub } from './whatsapp'

const MINUTE_MS = 60_000
const OTPS_A_DAY = 4
const LOGINS_A_DAY = 2
const LOGINS_PER_NETWORK = 1
const GUESSES_IN_ALL = 20
const GUESSES_PER_NETWORK = 5
const PASSWORD = 'the right password'
/** From here the owner has signed in. */
const HOME = '203.0.113.7'
const NEIGHBOUR = '203.0.113.200'
const ELSEWHERE = '192.0.2.1'

const whatsapp = startWhatsAppStub()
const time = clock()
const settings = {
  ...whatsapp.env,
  TRUSTED_PROXIES: '1',
  OTP_LIMIT_PER_NETWORK: '3',
  OTP_LIMIT_PER_PHONE: String(OTPS_A_DAY),
  LOGIN_LIMIT_PER_NETWORK: String(LOGINS_PER_NETWORK),
  LOGIN_LIMIT_PER_PHONE: String(LOGINS_A_DAY),
}
const statements: string[] = []
const server = testServer({
  env: settings,
  overrides: { now: time.now },
  observe: text => void statements.push(text),
})

const post = (path: string, body: unknown, address: string, target: Target = server) =>
  sendRequest(target, 'POST', path, { body, headers: { 'x-forwarded-for': address } })
const requestOtp = (phone: string, address: string, target?: Target) =>
  post('/auth/send-otp', { phone_number: phone }, address, target)
const verify = (phone: string, otp: string, address: string) =>
  post('/auth/verify', { phone_number: phone, otp }, address)
const logIn = (phone: string, password: string, address: string) =>
  post('/auth/login', { phone_number: phone, password }, address)

async function collectStatuses(count: number, work: (index: number) => Promise<TestResponse>) {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await work(index)).status)
  return statuses
}
const repeat = <T>(count: number, value: T) => Array.from({ length: count }, () => value)

let nextStranger = 0
const toStranger = () => `198.51.${nextStranger++ % 256}.7`

async function signIn(phone: string, address: string) {
  requireSuccess(await requestOtp(phone, address), 'Sending an OTP')
  return requireSuccess(await verify(phone, whatsapp.otpOf(phone)!, address), 'The sign-in')
}

/** A user who has signed in once, with a password. */
async function createOwner(address = HOME) {
  const phone = freshPhone()
  const { data } = await signIn(phone, address)
  const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com', password: PASSWORD }
  const completed = await sendRequest(server, 'PUT', '/profile/complete', {
    token: data.access_token,
    body: profile,
  })
  requireSuccess(completed, 'Completing the profile')
  return phone
}

describe("when strangers used up a phone's OTPs of a day", () => {
  const useUp = async (phone: string) => {
    const left = OTPS_A_DAY - 1
    const withReserve = [...repeat(left, 200), 200, 429]
    expect(await collectStatuses(left + 2, () => requestOtp(phone, toStranger()))).toEqual(withReserve)
  }

  test('200: the owner gets one in a known network, and signs in; elsewhere it is 429', async () => {
    const phone = await createOwner()
    await useUp(phone)

    expect((await requestOtp(phone, ELSEWHERE)).status).toBe(429)
    expect((await requestOtp(phone, NEIGHBOUR)).status).toBe(200)
    expect((await verify(phone, whatsapp.otpOf(phone)!, NEIGHBOUR)).status).toBe(200)
  })

  test('429: the limit of the known network for 15 minutes', async () => {
    const phone = await createOwner()
    await useUp(phone)

    expect(await collectStatuses(3, () => requestOtp(phone, HOME))).toEqual([200, 200, 429])
  })

  test('429: the known network has as many a day, then one in 15 minutes', async () => {
    const phone = await createOwner()
    await useUp(phone)
    time.advance(15 * MINUTE_MS)
    expect(await collectStatuses(2, () => requestOtp(phone, HOME))).toEqual([200, 200])
    time.advance(15 * MINUTE_MS)
    expect(await collectStatuses(2, () => requestOtp(phone, HOME))).toEqual([200, 200])
    time.advance(15 * MINUTE_MS)

    expect(await collectStatuses(2, () => requestOtp(phone, HOME))).toEqual([200, 429])
  })
})

describe('when strangers used up the wrong attempts of an OTP', () => {
  const guess = (phone: string, addresses: string[]) =>
    collectStatuses(addresses.length, index => {
      const wrong = whatsapp.otpOf(phone) === '000000' ? '000001' : '000000'
      return verify(phone, wrong, addresses[index]!)
    })
  const useUp = async (phone: string, address: string) => {
    requireSuccess(await requestOtp(phone, address), 'Sending an OTP')
    const strangers = Array.from({ length: 4 }, toStranger)
    await guess(
      phone,
      strangers.flatMap(stranger => repeat(GUESSES_IN_ALL / strangers.length, stranger)),
    )
    return whatsapp.otpOf(phone)!
  }

  test('200: it signs the owner in in a known network; elsewhere it is 401', async () => {
    const phone = await createOwner()
    const otp = await useUp(phone, HOME)

    expect((await verify(phone, otp, ELSEWHERE)).status).toBe(401)
    expect((await verify(phone, otp, NEIGHBOUR)).status).toBe(200)
  })

  const toIpv4 = (index: number) => `203.0.113.${index}`
  const toIpv6 = (index: number) => `2001:db8:5:${index}::1`
  test.each([
    ['IPv4 /24', GUESSES_PER_NETWORK - 1, 200, toIpv4],
    ['IPv4 /24', GUESSES_PER_NETWORK, 401, toIpv4],
    ['IPv6 /48', GUESSES_PER_NETWORK - 1, 200, toIpv6],
    ['IPv6 /48', GUESSES_PER_NETWORK, 401, toIpv6],
  ])('in a known %s after %d wrong attempts the right OTP is %d', async (_, count, status, toAddress) => {
    const phone = await createOwner(toAddress(1))
    const otp = await useUp(phone, toAddress(1))
    await guess(
      phone,
      Array.from({ length: count }, (_, index) => toAddress(index + 2)),
    )

    expect((await verify(phone, otp, toAddress(99))).status).toBe(status)
  })

  test('401: those before count for their IPv6 /64', async () => {
    const address = toIpv6(1)
    const phone = await createOwner(address)
    requireSuccess(await requestOtp(phone, address), 'Sending an OTP')
    await guess(phone, repeat(GUESSES_PER_NETWORK, address))
    const strangers = Array.from({ length: GUESSES_IN_ALL - GUESSES_PER_NETWORK }, toStranger)
    await guess(phone, strangers)
    const otp = whatsapp.otpOf(phone)!

    expect((await verify(phone, otp, address)).status).toBe(401)
    expect((await verify(phone, otp, toIpv6(2))).status).toBe(200)
  })

  test('401: a network of another user is not known', async () => {
    await createOwner(ELSEWHERE)
    const phone = await createOwner()
    const otp = await useUp(phone, HOME)

    expect((await verify(phone, otp, ELSEWHERE)).status).toBe(401)
  })
})

describe("when strangers used up a phone's failed logins of a day", () => {
  const useUp = async (phone: string) => {
    const statuses = await collectStatuses(LOGINS_A_DAY + 1, () => logIn(phone, 'wrong', toStranger()))
    expect(statuses).toEqual([...repeat(LOGINS_A_DAY, 401), 429])
  }

  test('200: the owner logs in in a known network; elsewhere it is 429', async () => {
    const phone = await createOwner()
    await useUp(phone)

    expect((await logIn(phone, PASSWORD, ELSEWHERE)).status).toBe(429)
    expect(await collectStatuses(LOGINS_A_DAY + 1, () => logIn(phone, PASSWORD, NEIGHBOUR))).toEqual(
      repeat(LOGINS_A_DAY + 1, 200),
    )
  })

  test('429: the limit of the known network for 15 minutes', async () => {
    const phone = await createOwner()
    await useUp(phone)
    await collectStatuses(LOGINS_PER_NETWORK, () => logIn(phone, 'wrong', HOME))

    expect((await logIn(phone, PASSWORD, HOME)).status).toBe(429)
  })

  test('429: the known network has as many a day', async () => {
    const phone = await createOwner()
    await useUp(phone)
    for (let failed = 0; failed < LOGINS_A_DAY; failed += LOGINS_PER_NETWORK) {
      const statuses = await collectStatuses(LOGINS_PER_NETWORK, () => logIn(phone, 'wrong', HOME))
      expect(statuses).toEqual(repeat(LOGINS_PER_NETWORK, 401))
      time.advance(15 * MINUTE_MS)
    }

    expect((await logIn(phone, PASSWORD, HOME)).status).toBe(429)
  })

  test('200: a login with the password makes a network known', async () => {
    const phone = await createOwner()
    expect((await logIn(phone, PASSWORD, ELSEWHERE)).status).toBe(200)
    await useUp(phone)

    expect((await logIn(phone, PASSWORD, ELSEWHERE)).status).toBe(200)
  })
})

test.each([
  ['stays known while it is rotated', true, 200],
  ['is forgotten after that', false, 429],
])('a network whose hash has an older key %s', async (_, isAccepted, status) => {
  const phone = await createOwner()
  const { JWT_SECRET } = server.deps.config
  const rotated = await startSecondInstance(server, {
    ...settings,
    JWT_SECRET: 'another secret of at least 32 bytes',
    ...(isAccepted && { JWT_SECRET_SECONDARY: JWT_SECRET }),
  })
  try {
    // The limits count anew with a new key.
    await collectStatuses(OTPS_A_DAY + 1, () => requestOtp(phone, toStranger(), rotated))
    expect((await requestOtp(phone, HOME, rotated)).status).toBe(status)
  } finally {
    await rotated.stop()
  }
})

test('known networks are looked up only beyond a limit', async () => {
  const phone = await createOwner()
  const countLookUps = () => statements.filter(text => /^select .* from "known_networks"/.test(text)).length
  statements.length = 0
  await logIn(phone, 'wrong', HOME)
  await collectStatuses(OTPS_A_DAY - 1, () => requestOtp(phone, toStranger()))
  expect(countLookUps()).toBe(0)

  await requestOtp(phone, HOME)
  expect(countLookUps()).toBe(1)
})

import { expect, test } from 'bun:test'
import { type Db } from '../../../../db/database'
import { interrupt } from '../../../support/locks'
import { testServer } from '../../../support/server'
import { freshPhone, sendRequest } from '../../../support/users'
import { wideLimits } from '../../../support/wide-limits'
import { startWhatsAppStub } from './whatsapp'

const PER_NETWORK = 5
const IN_ALL = 20
/** The owner's network. */
const OWN = '203.0.113.7'

const whatsapp = startWhatsAppStub()
const server = testServer({
  env: { ...whatsapp.env, TRUSTED_PROXIES: '1' },
  constants: wideLimits,
})

async function requestOtp(phone = freshPhone()) {
  const headers = { 'x-forwarded-for': OWN }
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone }, headers })
  return { phone, otp: whatsapp.otpOf(phone)! }
}
type Sent = Awaited<ReturnType<typeof requestOtp>>

async function verify({ phone, otp }: Sent, address = OWN) {
  const body = { phone_number: phone, otp }
  const headers = { 'x-forwarded-for': address }
  return (await sendRequest(server, 'POST', '/auth/verify', { body, headers })).status
}
const guess = ({ phone, otp }: Sent, address?: string) =>
  verify({ phone, otp: otp === '000000' ? '000001' : '000000' }, address)
async function guessFrom(sent: Sent, addresses: string[]) {
  for (const address of addresses) expect(await guess(sent, address)).toBe(401)
}
const repeat = (count: number, address: string) => Array.from({ length: count }, () => address)
const networks = (count: number) => Array.from({ length: count }, (_, index) => `198.51.${index}.7`)

test.each([
  ['IPv4 /24', (index: number) => `198.51.100.${index}`],
  ['IPv6 /48', (index: number) => `2001:db8:1:${index}::1`],
])('401: the right OTP after five wrong ones of an %s; elsewhere it is 200', async (_, toAddress) => {
  const sent = await requestOtp()
  await guessFrom(
    sent,
    Array.from({ length: PER_NETWORK }, (__, index) => toAddress(index)),
  )

  expect(await verify(sent, toAddress(99))).toBe(401)
  expect(await verify(sent)).toBe(200)
})

test.each([
  [PER_NETWORK - 1, 'one network', repeat(PER_NETWORK - 1, OWN), 200],
  [IN_ALL - 1, 'as many networks', networks(IN_ALL - 1), 200],
  [IN_ALL, 'as many networks', networks(IN_ALL), 401],
])(
  'after %d wrong OTPs of %s the right one signs in, or not beyond the limits',
  async (_, __, addresses, status) => {
    const sent = await requestOtp()
    await guessFrom(sent, addresses)

    expect(await verify(sent)).toBe(status)
  },
)

test.each([
  ['one network', [], repeat(PER_NETWORK + 2, OWN), PER_NETWORK],
  ['other networks', networks(IN_ALL - 2), repeat(4, '').map((_, index) => `192.0.${index}.7`), IN_ALL],
])(
  'of wrong OTPs of %s at once as many count as the limits allow',
  async (_, before, addresses, expected) => {
    const sent = await requestOtp()
    await guessFrom(sent, before)
    const selectOtp = (db: Db) => db.selectFrom('otp_sessions').where('phone_number', '=', sent.phone)

    await interrupt(server, {
      lock: db => selectOtp(db).select('id').forUpdate().execute(),
      start: () => Promise.all(addresses.map(address => guess(sent, address))),
      waitingCount: addresses.length,
    })

    const { attempts, attempts_by_network } = await selectOtp(server.db)
      .select(['attempts', 'attempts_by_network'])
      .executeTakeFirstOrThrow()
    const counts = Object.values(attempts_by_network)
    expect([attempts, counts.reduce((sum, count) => sum + count, 0)]).toEqual([expected, expected])
    expect(Math.max(...counts)).toBeLessThanOrEqual(PER_NETWORK)
  },
)

test('a new OTP starts to count from zero', async () => {
  const sent = await requestOtp()
  await guessFrom(sent, [...repeat(PER_NETWORK, OWN), ...networks(IN_ALL - PER_NETWORK)])

  expect(await verify(await requestOtp(sent.phone))).toBe(200)
})

import { expect, test } from 'bun:test'
import { createLog } from '../../../server/observability/log'
import { clock, testServer } from '../../support/server'
import { freshPhone, sendRequest, type TestResponse } from '../../support/users'
import { startWhatsAppStub } from './whatsapp'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const OPS_TOKEN = 'the token of operations'

const whatsapp = startWhatsAppStub()
const time = clock()
const lines: Record<string, unknown>[] = []
const limited = (env: Record<string, string>) =>
  testServer({
    env: { ...whatsapp.env, TRUSTED_PROXIES: '1', OPS_TOKEN, ...env },
    overrides: {
      now: time.now,
      log: createLog('error', false, { write: line => void lines.push(JSON.parse(line)) }),
    },
  })
const byPhone = limited({ OTP_LIMIT_PER_PHONE: '2', OTP_LIMIT_PER_NETWORK: '3' })
const bySite = limited({ OTP_LIMIT_PER_SITE: '3' })
const inAll = limited({ OTP_LIMIT_TOTAL: '3' })
const byBlock = limited({ OTP_LIMIT_TOTAL: '8' })
type Server = ReturnType<typeof limited>

let nextNetwork = 0
/** Each lies in a block of its own. */
const freshAddress = () => `11.${nextNetwork++}.100.7`
const requestOtp = (server: Server, { phone = freshPhone(), address = freshAddress() } = {}) =>
  sendRequest(server, 'POST', '/auth/send-otp', {
    body: { phone_number: phone },
    headers: { 'x-forwarded-for': address },
  })
async function collectStatuses(count: number, work: (index: number) => Promise<TestResponse>) {
  const statuses: number[] = []
  for (let index = 0; index < count; index++) statuses.push((await work(index)).status)
  return statuses
}
const getRetryAfterS = ({ headers }: TestResponse) => Number(headers.get('retry-after'))

test('a phone over its daily limit still gets one OTP in 15 minutes, which signs in', async () => {
  const phone = freshPhone()
  expect(await collectStatuses(2, () => requestOtp(byPhone, { phone }))).toEqual([200, 200])
  for (let quarter = 0; quarter < 3; quarter++) {
    expect((await requestOtp(byPhone, { phone })).status).toBe(200)
    time.advance(MINUTE_MS)
    const refused = await requestOtp(byPhone, { phone })
    expect([refused.status, getRetryAfterS(refused)]).toEqual([429, 14 * 60])
    const verified = await sendRequest(byPhone, 'POST', '/auth/verify', {
      body: { phone_number: phone, otp: whatsapp.otpOf(phone) },
    })
    expect(verified.status).toBe(200)
    time.advance(14 * MINUTE_MS)
  }
  time.advance(DAY_MS)
  expect(await collectStatuses(4, () => requestOtp(byPhone, { phone }))).toEqual([200, 200, 200, 429])
})

test('429: a phone over its daily limit still meets the limit of its network', async () => {
  const [phone, address] = [freshPhone(), freshAddress()]
  await collectStatuses(3, () => requestOtp(byPhone, { phone, address }))
  const refused = await requestOtp(byPhone, { phone, address })
  expect([refused.status, getRetryAfterS(refused)]).toEqual([429, 15 * 60])
})

test('an OTP of the reserve that cannot be sent does not count', async () => {
  const phone = freshPhone()
  await collectStatuses(2, () => requestOtp(byPhone, { phone }))
  whatsapp.answer = () => new Response('{}', { status: 503 })
  expect((await requestOtp(byPhone, { phone })).status).toBe(503)
  whatsapp.answer = undefined
  expect(await collectStatuses(2, () => requestOtp(byPhone, { phone }))).toEqual([200, 429])
})

test.each([
  ['an IPv4 /24', (index: number) => `203.0.113.${index}`, '203.0.114.1'],
  ['an IPv6 /48', (index: number) => `2001:db8:5:${index}::1`, '2001:db8:6::1'],
])('429: %s counts as one, whatever the phone', async (_, toAddress, other) => {
  const statuses = await collectStatuses(5, index => requestOtp(bySite, { address: toAddress(index) }))
  expect(statuses).toEqual([200, 200, 200, 429, 429])
  expect((await requestOtp(bySite, { address: other })).status).toBe(200)
  time.advance(15 * MINUTE_MS)
  expect((await requestOtp(bySite, { address: toAddress(1) })).status).toBe(200)
})

test('429: the whole service has a limit for an hour; an audit line and a metric say so', async () => {
  expect(await collectStatuses(3, () => requestOtp(inAll))).toEqual([200, 200, 200])
  time.advance(MINUTE_MS)
  lines.length = 0
  const sent = whatsapp.sent.length

  const refused = await requestOtp(inAll, { address: '203.0.113.9' })

  expect([refused.status, getRetryAfterS(refused), whatsapp.sent.length]).toEqual([429, 59 * 60, sent])
  expect(lines).toMatchObject([
    { audit: 'limit_reached', limit: 'otp_total', route: '/auth/send-otp', network: '203.0.113.0/24' },
  ])
  const metrics = await fetch(`${inAll.url}/metrics`, { headers: { authorization: `Bearer ${OPS_TOKEN}` } })
  expect(await metrics.text()).toContain('kiraya_service_limit_refusals_total{limit="otp_total"} 1')
  time.advance(59 * MINUTE_MS)
  expect((await requestOtp(inAll)).status).toBe(200)
})

test.each([
  ['an IPv4 /16', (index: number) => `203.7.${index}.1`, '203.8.1.1'],
  ['an IPv6 /32', (index: number) => `2001:db7:${index}::1`, '2001:db6::1'],
])('429: %s gets at most a quarter of the limit of the service', async (_, toAddress, other) => {
  const statuses = await collectStatuses(4, index => requestOtp(byBlock, { address: toAddress(index) }))
  expect(statuses).toEqual([200, 200, 429, 429])
  expect((await requestOtp(byBlock, { address: other })).status).toBe(200)
  time.advance(HOUR_MS)
  expect((await requestOtp(byBlock, { address: toAddress(9) })).status).toBe(200)
})

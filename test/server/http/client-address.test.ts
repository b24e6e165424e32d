import { describe, expect, test } from 'bun:test'
import { toNetworkPrefix } from '../../../server/http/limits/client-ip'
import { createLog } from '../../../server/observability/log'
import { startTestServer, testServer } from '../../support/server'
import { completeProfile, freshPhone, sendRequest, signInUser, type TestUser } from '../../support/users'

type Line = { audit?: string; network?: string }
const OPS_TOKEN = 'the token of operations'

/** A log that remembers from which networks one-time passwords were requested. */
function createNetworkLog() {
  const networks: (string | undefined)[] = []
  const write = (text: string) => {
    const { audit, network }: Line = JSON.parse(text)
    if (audit === 'otp_requested') networks.push(network)
  }
  return { networks, log: createLog('error', false, { write }) }
}

const sendOtp = (url: string, forwardedFor?: string) =>
  sendRequest(url, 'POST', '/auth/send-otp', {
    body: { phone_number: freshPhone() },
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  })

const PEER = '127.0.0.0/24'

describe('behind two trusted proxies', () => {
  const { networks, log } = createNetworkLog()
  const server = testServer({ env: { TRUSTED_PROXIES: '2' }, overrides: { log } })

  const cases: [forwardedFor: string | undefined, network: string][] = [
    ['203.0.113.9, 10.0.0.1', '203.0.113.0/24'],
    ['198.51.100.7, 203.0.113.9, 10.0.0.1', '203.0.113.0/24'],
    ['192.0.2.1, 198.51.100.7, 203.0.113.9,10.0.0.1', '203.0.113.0/24'],
    ['203.0.113.9', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6, 10.0.0.1', '2001:db8:1::/48'],
    ['2001:db8:1:2:3:4:5:6, fe80::1', '2001:db8:1::/48'],
    ['::ffff:203.0.113.9, 10.0.0.1', '203.0.113.0/24'],
    ['203.0.113.9:5678, 10.0.0.1:443', '203.0.113.0/24'],
    ['203.0.113.9:65535, 10.0.0.1:1', '203.0.113.0/24'],
    ['[2001:db8:1:2:3:4:5:6]:443, 10.0.0.1', '2001:db8:1::/48'],
    ['[2001:db8:1:2:3:4:5:6], [fe80::1]:443', '2001:db8:1::/48'],
    ['[::ffff:203.0.113.9]:5678, 10.0.0.1', '203.0.113.0/24'],
    ['203.0.113.9:, 10.0.0.1', PEER],
    ['203.0.113.9:https, 10.0.0.1', PEER],
    ['[2001:db8::1]443, 10.0.0.1', PEER],
    ['203.0.113.9, unknown, 10.0.0.1', PEER],
    ['unknown, 10.0.0.1', PEER],
    [', 10.0.0.1', PEER],
    ['', PEER],
    [undefined, PEER],
  ]
  test.each(cases)('%p is a request from %s', async (forwardedFor, network) => {
    networks.length = 0
    expect((await sendOtp(server.url, forwardedFor)).status).toBe(200)
    expect(networks).toEqual([network])
  })
})

test.each([
  ['0', PEER],
  ['1', '10.0.0.0/24'],
  ['3', '198.51.100.0/24'],
])('of %s trusted proxies, as many entries count', async (TRUSTED_PROXIES, network) => {
  const { networks, log } = createNetworkLog()
  const server = await startTestServer({ env: { TRUSTED_PROXIES }, overrides: { log } })
  try {
    await sendOtp(server.url, '192.0.2.1, 198.51.100.7, 203.0.113.9, 10.0.0.1')
    expect(networks).toEqual([network])
  } finally {
    await server.end()
  }
})

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('the network of %s is %s', (address, network) => {
  expect(toNetworkPrefix(address)).toBe(network)
})

const lines: Line[] = []
const log = createLog('error', false, { write: line => void lines.push(JSON.parse(line)) })
const env = { TRUSTED_PROXIES: '1', OPS_TOKEN }
const constants = { SIGN_IN_LIMIT: 1 }
const inB = testServer({ env, constants, overrides: { log } })
const inA = testServer({ env: { ...env, API_VARIANT: 'a' }, constants, overrides: { log } })
/** The first is what the client itself claims. */
const headers = { 'x-forwarded-for': '192.0.2.1, 203.0.113.9' }
const send = (method: string, path: string, body: unknown, { token }: Partial<TestUser> = {}, server = inB) =>
  sendRequest(server, method, path, { body, token, headers })

const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
const phone_number = freshPhone()
const cases: [audit: string, what: string, request: () => Promise<unknown>][] = [
  ['otp_requested', 'a client asks for an OTP', () => send('POST', '/auth/send-otp', { phone_number })],
  [
    'otp_requested',
    'a client of Variant A asks for an OTP',
    () => send('POST', '/auth', { phoneNumber: freshPhone() }, {}, inA),
  ],
  [
    'sign_in_failed',
    'an OTP is wrong',
    () => send('POST', '/auth/verify', { phone_number: freshPhone(), otp: '000000' }),
  ],
  [
    'sign_in_failed',
    'a password is wrong',
    () => send('POST', '/auth/login', { phone_number: freshPhone(), password: 'wrong' }),
  ],
  [
    'password_refused',
    'a change of the password has a wrong one',
    async () => {
      const user = await signInUser(inB)
      await completeProfile(user, { password: 'a password that is long enough' })
      const passwords = { password: 'another long password', current_password: 'wrong' }
      await send('PUT', '/profile/complete', { ...profile, ...passwords }, user)
    },
  ],
  [
    'erasure_refused',
    'the OTP of an erasure is wrong',
    async () => send('DELETE', '/auth/me', { otp: '000000' }, await signInUser(inB)),
  ],
  ['webhook_forged', 'a webhook is forged', () => send('POST', '/webhooks/esign', { event: 'x' })],
  ['operations_refused', 'operations are refused', () => send('GET', '/operations/jobs', undefined)],
  [
    'limit_reached',
    'a limit is reached',
    async () => {
      const limited = { phone_number: freshPhone() }
      for (let sent = 0; sent < 25; sent++) await send('POST', '/auth/send-otp', limited)
    },
  ],
]
test.each(cases)(
  'behind a trusted proxy %s has the network of the client when %s',
  async (audit, _, request) => {
    lines.length = 0
    await request()
    const networks = lines.filter(line => line.audit === audit).map(({ network }) => network)
    expect(new Set(networks)).toEqual(new Set(['203.0.113.0/24']))
  },
)

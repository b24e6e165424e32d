import { expect, test } from 'bun:test'
import { toNetworkPrefix } from '../../../server/http/limits/client-ip'
import { createLog } from '../../../server/observability/log'
import { startTestServer, testServer } from '../../support/server'
import { freshPhone, sendRequest } from '../../support/users'

type Line = { audit?: string; network?: string }

// The other events of the audit log have the same network: observability/audit-log.

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
test.each(cases)('behind two trusted proxies %p is a request from %s', async (forwardedFor, network) => {
  networks.length = 0
  expect((await sendOtp(server.url, forwardedFor)).status).toBe(200)
  expect(networks).toEqual([network])
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

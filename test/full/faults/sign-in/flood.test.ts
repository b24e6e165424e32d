import { expect, test } from 'bun:test'
import { startSecondInstance, testServer } from '../../../support/server'
import { freshPhone, sendRequest } from '../../../support/users'
import { chooseByRound, report, runTogether } from '../../../support/round'
import { countStatus, noLimits, sendOtp } from './requests'

// In development, as in tests, each limit counts twenty times.
const FACTOR = 20
const ROUNDS = chooseByRound(20, 3)

const server = testServer({ env: noLimits, poolSize: 30 })
const behindProxy = testServer({
  env: { TRUSTED_PROXIES: '1', OTP_LIMIT_PER_NETWORK: '1', OTP_LIMIT_PER_ADDRESS: '2' },
})
const forwardedFor = (address: string) => ({ 'x-forwarded-for': address })

/** Of requests for one OTP at once, how many were sent. */
async function countSent(
  url: string,
  requests: number,
  getHeaders: (index: number) => Record<string, string>,
) {
  const phone = freshPhone()
  const responses = await runTogether(requests, index => sendOtp(url, phone, getHeaders(index)))
  return countStatus(responses, 200)
}

test('429: two instances send together as many OTPs as one limit allows', async () => {
  const [first, second] = await Promise.all([
    startSecondInstance(server, { OTP_LIMIT_PER_NETWORK: '1' }),
    startSecondInstance(server, { OTP_LIMIT_PER_NETWORK: '1' }),
  ])
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const phone = freshPhone()
      const responses = await runTogether(60, index => sendOtp((index % 2 ? second : first).url, phone))
      const { data: messages } = await sendRequest(first, 'GET', '/sandbox/messages')
      const received = messages.filter((message: { phone: string }) => message.phone.endsWith(phone))
      expect([countStatus(responses, 200), countStatus(responses, 429), received.length]).toEqual([
        FACTOR,
        60 - FACTOR,
        FACTOR,
      ])
    }
    report('OTP flooding', { instances: 2, rounds: ROUNDS, asked: 60, sent: FACTOR })
  } finally {
    await Promise.all([first.stop(), second.stop()])
  }
})

test('an IPv6 /64 counts as one address, another /64 as another', async () => {
  const phone = freshPhone()
  const network = `2001:db8:${freshPhone().slice(-4)}:1`
  const fromNetwork = await runTogether(30, index =>
    sendOtp(behindProxy.url, phone, forwardedFor(`${network}:${index}::${index}`)),
  )
  expect(countStatus(fromNetwork, 200)).toBe(FACTOR)
  expect((await sendOtp(behindProxy.url, phone, forwardedFor('2001:db8:ffff:2::1'))).status).toBe(200)

  const elsewhere = `2001:db8:${freshPhone().slice(-4)}:3`
  const otherPhones = await runTogether(60, index =>
    sendOtp(behindProxy.url, freshPhone(), forwardedFor(`${elsewhere}:${index}::1`)),
  )
  expect(countStatus(otherPhones, 200)).toBe(2 * FACTOR)
})

test('the address is the one that the trusted proxy saw, not one that the client claims', async () => {
  const phone = freshPhone()
  const responses = await runTogether(30, index =>
    sendOtp(behindProxy.url, phone, forwardedFor(`198.51.${index}.7, 203.0.113.9`)),
  )
  expect(countStatus(responses, 200)).toBe(FACTOR)
  for (const sameNetwork of ['203.0.113.9', ' 203.0.113.77 ', '10.0.0.1,203.0.113.1'])
    expect((await sendOtp(behindProxy.url, phone, forwardedFor(sameNetwork))).status).toBe(429)
  for (const other of ['203.0.114.9', '203.0.113.9, 198.51.100.1', 'not an address', ''])
    expect((await sendOtp(behindProxy.url, phone, forwardedFor(other))).status).toBe(200)
})

test('without a trusted proxy no forwarded address counts', async () => {
  const direct = await startSecondInstance(server, { OTP_LIMIT_PER_NETWORK: '1' })
  try {
    const sent = await countSent(direct.url, 30, index => forwardedFor(`198.51.${index}.7`))
    expect(sent).toBe(FACTOR)
  } finally {
    await direct.stop()
  }
})

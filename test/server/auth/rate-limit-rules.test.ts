import { expect, test } from 'bun:test'
import {
  toLoginRateLimits,
  toOtpRateLimits,
  toWrongOtpRateLimits,
} from '../../../server/auth/rate-limit-rules'
import { hashPhone } from '../../../server/domain/phone-hash'
import { readConfig } from '../../../server/config'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../server/domain/durations'
import type { RateLimitRule } from '../../../server/http/rate-limits'

const PHONE = '9876543210'
const PHONE_HASH = hashPhone({ JWT_SECRET: 'x' }, PHONE)
const ADDRESS = '203.0.113.9'
const limits = {
  OTP_LIMIT_PER_NETWORK: '1',
  OTP_LIMIT_PER_PHONE: '2',
  OTP_LIMIT_PER_ADDRESS: '3',
  OTP_LIMIT_PER_SITE: '4',
  OTP_LIMIT_TOTAL: '5',
  WRONG_OTP_LIMIT_PER_SITE: '6',
  WRONG_OTP_LIMIT_TOTAL: '7',
  LOGIN_LIMIT_PER_NETWORK: '8',
  LOGIN_LIMIT_PER_PHONE: '9',
  LOGIN_LIMIT_ACROSS_PHONES: '10',
}
const real = {
  MESSAGE_CHANNELS: 'sms',
  MSG91_AUTH_KEY: 'k',
  MSG91_TEMPLATE_ID: 't',
}
const NETWORK_HASH = 'abc'
const findNone = async () => undefined
const findKnown = async () => NETWORK_HASH

const createConfig = (env: Record<string, string>) =>
  readConfig({ NODE_ENV: 'test', JWT_SECRET: 'x', ESIGN_WEBHOOK_SECRET: 'x', ...limits, ...env })

const toRows = (rules: RateLimitRule[]) => rules.map(({ key, max, windowMs }) => [key, max, windowMs])
const findReserves = (rules: RateLimitRule[]) => Promise.all(rules.map(rule => rule.findReserve?.()))
const QUARTER_MS = 15 * MINUTE_MS

test('the limits of the settings count in their windows', async () => {
  const config = createConfig(real)
  const otp = toOtpRateLimits(config, PHONE, ADDRESS, findNone)

  expect(toRows(otp)).toEqual([
    [`otp:${PHONE_HASH}:203.0.113.0/24`, 1, QUARTER_MS],
    [`otp:${PHONE_HASH}`, 2, DAY_MS],
    ['otp:203.0.113.9/32', 3, QUARTER_MS],
    ['otp:site:203.0.113.0/24', 4, QUARTER_MS],
    ['otp:block:203.0.0.0/16', 2, HOUR_MS],
    ['otp:total', 5, HOUR_MS],
  ])
  expect(await findReserves(otp)).toEqual([
    undefined,
    { key: `otp:${PHONE_HASH}:reserve`, max: 1, windowMs: QUARTER_MS },
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(toRows(toWrongOtpRateLimits(config, ADDRESS, findNone))).toEqual([
    ['wrong-otp:203.0.113.0/24', 6, QUARTER_MS],
  ])
  expect(toRows(toLoginRateLimits(config, PHONE, ADDRESS, findNone))).toEqual([
    [`login:${PHONE}:203.0.113.0/24`, 8, QUARTER_MS],
    [`login:${PHONE}`, 9, DAY_MS],
    ['login:203.0.113.0/24', 10, QUARTER_MS],
  ])
})

test('in a known network a limit of a day applies again', async () => {
  const config = createConfig(real)
  const [, otp] = await findReserves(toOtpRateLimits(config, PHONE, ADDRESS, findKnown))
  const [, login] = await findReserves(toLoginRateLimits(config, PHONE, ADDRESS, findKnown))

  expect(toRows([otp!, login!])).toEqual([
    [`otp:${PHONE_HASH}:known:${NETWORK_HASH}`, 2, DAY_MS],
    [`login:${PHONE}:known:${NETWORK_HASH}`, 9, DAY_MS],
  ])
  expect(await findReserves([otp!, login!])).toEqual([
    { key: `otp:${PHONE_HASH}:reserve`, max: 1, windowMs: QUARTER_MS },
    undefined,
  ])
})

test('in known networks the limits of the service and of a block apply again', async () => {
  const reserves = await findReserves(toOtpRateLimits(createConfig(real), PHONE, ADDRESS, findKnown))
  expect(reserves.slice(-2)).toEqual([
    { key: 'otp:block:203.0.0.0/16:known', max: 2, windowMs: HOUR_MS },
    { key: 'otp:total:known', max: 5, windowMs: HOUR_MS, serviceLimit: 'otp_total' },
  ])
  const [, wrong] = await findReserves(toWrongOtpRateLimits(createConfig({}), ADDRESS, findKnown))
  expect(wrong).toEqual({
    key: 'wrong-otp:total:known',
    max: 140,
    windowMs: HOUR_MS,
    serviceLimit: 'wrong_otp_total',
  })
})

test('with the sandbox, each limit counts twenty times, and wrong OTPs count for the whole service too', () => {
  const config = createConfig({})
  expect(toRows(toWrongOtpRateLimits(config, ADDRESS, findNone))).toEqual([
    ['wrong-otp:203.0.113.0/24', 120, QUARTER_MS],
    ['wrong-otp:total', 140, HOUR_MS],
  ])
  expect(toRows(toLoginRateLimits(config, PHONE, ADDRESS, findNone))).toEqual([
    [`login:${PHONE}:203.0.113.0/24`, 160, QUARTER_MS],
    [`login:${PHONE}`, 180, DAY_MS],
    ['login:203.0.113.0/24', 200, QUARTER_MS],
  ])
  const maxima = toOtpRateLimits(config, PHONE, ADDRESS, findNone).map(({ max }) => max)
  expect(maxima).toEqual([20, 40, 60, 80, 25, 100])
})

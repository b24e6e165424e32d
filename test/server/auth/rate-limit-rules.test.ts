import { expect, test } from 'bun:test'
import { withQueryDeadline } from '../../../db/deadlines'
import {
  toLoginRateLimits,
  toOtpRateLimits,
  toWrongOtpRateLimits,
} from '../../../server/auth/rate-limit-rules'
import { readConfig } from '../../../server/config'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../server/domain/durations'
import { hashPhone } from '../../../server/domain/phone-hash'
import type { RateLimitRule } from '../../../server/http/limits/rate-limits'

const PHONE = '9876543210'
const PHONE_HASH = hashPhone({ JWT_SECRET: 'x' }, PHONE)
const REQUEST = { leftMs: undefined, network: '203.0.113.0/24' }
const QUARTER_MS = 15 * MINUTE_MS
const constants = {
  OTP_LIMIT_PER_NETWORK: 1,
  OTP_LIMIT_PER_PHONE: 2,
  OTP_LIMIT_PER_SITE: 4,
  WRONG_OTP_LIMIT_PER_SITE: 6,
  WRONG_OTP_LIMIT_TOTAL: 7,
  LOGIN_LIMIT_PER_NETWORK: 8,
  LOGIN_LIMIT_PER_PHONE: 9,
  LOGIN_LIMIT_ACROSS_PHONES: 10,
}
const bySms = { MESSAGE_CHANNELS: 'sms', MSG91_AUTH_KEY: 'k', MSG91_TEMPLATE_ID: 't' }

function listRules(env: Record<string, string>) {
  const given = {
    NODE_ENV: 'test',
    JWT_SECRET: 'x',
    ESIGN_WEBHOOK_SECRET: 'x',
    OTP_LIMIT_TOTAL: '5',
    ...env,
  }
  const config = readConfig(given, constants)
  const findNone = async () => undefined
  const toRows = (rules: RateLimitRule[]) => rules.map(({ key, max, windowMs }) => [key, max, windowMs])
  return withQueryDeadline(REQUEST, () => ({
    otp: toRows(toOtpRateLimits(config, PHONE, findNone)),
    wrongOtp: toRows(toWrongOtpRateLimits(config, findNone)),
    login: toRows(toLoginRateLimits(config, PHONE, findNone)),
  }))
}

test('each limit of the settings counts under its key, in its window', async () => {
  expect(await listRules(bySms)).toEqual({
    otp: [
      [`otp:${PHONE_HASH}:203.0.113.0/24`, 1, QUARTER_MS],
      [`otp:${PHONE_HASH}`, 2, DAY_MS],
      ['otp:site:203.0.113.0/24', 4, QUARTER_MS],
      ['otp:total', 5, HOUR_MS],
    ],
    wrongOtp: [['wrong-otp:203.0.113.0/24', 6, QUARTER_MS]],
    login: [
      [`login:${PHONE}:203.0.113.0/24`, 8, QUARTER_MS],
      [`login:${PHONE}`, 9, DAY_MS],
      ['login:203.0.113.0/24', 10, QUARTER_MS],
    ],
  })
})

test('with the sandbox each limit counts twenty times; wrong OTPs of the service count, since all OTPs are the same', async () => {
  const { otp, wrongOtp, login } = await listRules({})
  expect([otp, login].map(rules => rules.map(([, max]) => max))).toEqual([
    [20, 40, 80, 100],
    [160, 180, 200],
  ])
  expect(wrongOtp).toEqual([
    ['wrong-otp:203.0.113.0/24', 120, QUARTER_MS],
    ['wrong-otp:total', 140, HOUR_MS],
  ])
})

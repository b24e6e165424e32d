import { expect, test } from 'bun:test'
import { withQueryDeadline } from '../../../../db/deadlines'
import { toSignInLimits } from '../../../../server/accounts/auth/sign-in-limits'
import { readConfig } from '../../../../server/config'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../server/domain/durations'
import { hashPhone } from '../../../../server/domain/phone-hash'

const PHONE = '9876543210'
const PHONE_HASH = hashPhone({ JWT_SECRET: 'x' }, PHONE)
const NETWORK = '203.0.113.0/24'
const QUARTER_MS = 15 * MINUTE_MS
const bySms = { MESSAGE_CHANNELS: 'sms', MSG91_AUTH_KEY: 'k', MSG91_TEMPLATE_ID: 't' }

function listLimits(kind: 'otp' | 'wrong-otp' | 'login', env: Record<string, string>) {
  const given = { NODE_ENV: 'test', JWT_SECRET: 'x', ESIGN_WEBHOOK_SECRET: 'x', OTP_LIMIT_TOTAL: '7', ...env }
  const request = { leftMs: undefined, network: NETWORK }
  return withQueryDeadline(request, () =>
    toSignInLimits(readConfig(given), { kind, phone: PHONE }).map(({ key, max, windowMs }) => [
      key,
      max,
      windowMs,
    ]),
  )
}

test.each([
  ['otp', [['otp:total', 7, HOUR_MS]]],
  ['wrong-otp', []],
  ['login', []],
] as const)('%s counts by phone and network, by phone, and by network', async (kind, ofService) => {
  expect(await listLimits(kind, bySms)).toEqual([
    [`${kind}:${PHONE_HASH}:${NETWORK}`, 5, QUARTER_MS],
    [`${kind}:${PHONE_HASH}:${NETWORK}:day`, 10, DAY_MS],
    [`${kind}:${PHONE_HASH}`, 30, DAY_MS],
    [`${kind}:${NETWORK}`, 300, QUARTER_MS],
    ...ofService.map(limit => [...limit]),
  ])
})

test('with the sandbox each limit is twenty times as high', async () => {
  expect((await listLimits('otp', {})).map(([, max]) => max)).toEqual([100, 200, 600, 6000, 140])
})

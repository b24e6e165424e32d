import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../../server/config'
import { getRefusal, KEY, OTHER_SECRET, production, SECRET } from './environments'

describe('settings that belong together', () => {
  const bySms = { ...production, MESSAGE_CHANNELS: 'sms', MSG91_AUTH_KEY: 'x', MSG91_TEMPLATE_ID: 'x' }
  const inDevelopment = { ...production, NODE_ENV: 'development' }

  test.each([
    ['ESIGN_CLIENT_ID', 'ESIGN_API_URL', inDevelopment],
    ['ESIGN_CLIENT_SECRET', 'ESIGN_API_URL', inDevelopment],
    ['ESIGN_PRODUCT_INSTANCE_ID', 'ESIGN_API_URL', inDevelopment],
    ['ESIGN_WEBHOOK_SECRET', 'ESIGN_API_URL', inDevelopment],
    ['EKYC_CLIENT_ID', 'EKYC_API_URL', production],
    ['EKYC_CLIENT_SECRET', 'EKYC_API_URL', production],
    ['EKYC_PRODUCT_INSTANCE_ID', 'EKYC_API_URL', production],
    ['WHATSAPP_PHONE_NUMBER_ID', 'MESSAGE_CHANNELS=whatsapp', production],
    ['WHATSAPP_ACCESS_TOKEN', 'MESSAGE_CHANNELS=whatsapp', production],
    ['MSG91_AUTH_KEY', 'MESSAGE_CHANNELS=sms', bySms],
    ['MSG91_TEMPLATE_ID', 'MESSAGE_CHANNELS=sms', bySms],
  ])('%s is required with %s', (name, other, env) => {
    expect(getRefusal({ ...env, [name]: undefined })).toBe(`${name} is required with ${other}`)
  })
})

describe('production', () => {
  test('a complete environment is accepted', () => {
    expect(getRefusal(production)).toBe('none')
  })

  test.each(['JWT_SECRET', 'ESIGN_WEBHOOK_SECRET', 'CREDENTIALS_KEY', 'PUBLIC_URL'])(
    '%s is required',
    name => {
      expect(getRefusal({ ...production, [name]: undefined })).toStartWith(`${name} is required`)
    },
  )

  test.each(['JWT_SECRET', 'ESIGN_WEBHOOK_SECRET'])('%s of blanks counts as unset', name => {
    expect(getRefusal({ ...production, [name]: ' '.repeat(40) })).toStartWith(`${name} is required`)
  })

  const addresses = [
    'PUBLIC_URL',
    'FRONTEND_ORIGIN',
    'WHATSAPP_API_URL',
    'MSG91_API_URL',
    'ESIGN_API_URL',
    'ESIGN_REDIRECT_URL',
    'INVITATION_URL',
    'EKYC_API_URL',
  ]
  const unsafeUrls = ['http://api.example.com', 'http://localhost:3000', 'HTTP://api.example.com']
  const unsafe = addresses.flatMap(name => unsafeUrls.map(url => [name, url] as const))

  test.each(unsafe)('%s=%s is refused: it must use https', (name, url) => {
    const value = name === 'FRONTEND_ORIGIN' ? url.toLowerCase() : url
    expect(getRefusal({ ...production, [name]: value })).toBe(
      `${name} must begin with https:// in production`,
    )
    expect(getRefusal({ ...production, [name]: 'https://api.example.com' })).toBe('none')
  })

  test('every origin of FRONTEND_ORIGIN must use https', () => {
    const mixed = 'https://app.example.com, http://app.example.com'
    expect(getRefusal({ ...production, FRONTEND_ORIGIN: mixed })).toStartWith('FRONTEND_ORIGIN must begin')
  })

  test('development may use http', () => {
    const urls = Object.fromEntries(addresses.map(name => [name, 'http://localhost:3000']))
    expect(getRefusal({ ...production, ...urls, NODE_ENV: 'development' })).toBe('none')
  })
})

describe.each([
  'JWT_SECRET',
  'JWT_SECRET_SECONDARY',
  'ESIGN_WEBHOOK_SECRET',
  'ESIGN_WEBHOOK_SECRET_SECONDARY',
  'OPS_TOKEN',
  'SANDBOX_TOKEN',
])('%s in production', name => {
  const secret = '5fT0qYc9WmK3xRb8Zs1LpHv6NdJg2UeA7iOk'

  test('has at least 32 bytes', () => {
    expect(getRefusal({ ...production, [name]: secret.slice(0, 31) })).toBe(
      `${name} must be at least 32 bytes long in production`,
    )
    expect(getRefusal({ ...production, [name]: secret.slice(0, 32) })).toBe('none')
  })

  test.each([
    'x'.repeat(64),
    '0123456789'.repeat(4),
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'https://example.com/wq8Z0vNf3m1TtYb7',
  ])('is not guessable as %s is', guessable => {
    expect(getRefusal({ ...production, [name]: guessable })).toStartWith(`${name} must be random`)
  })

  test.each(['base64', 'hex', 'base64url'] as const)('is accepted when random, in %s', encoding => {
    for (let round = 0; round < 40; round++) {
      const bytes = randomBytes(round % 2 ? 32 : 48)
      expect(getRefusal({ ...production, [name]: bytes.toString(encoding) })).toBe('none')
    }
  })
})

test.each([
  ['ESIGN_WEBHOOK_SECRET', 'JWT_SECRET', SECRET],
  ['JWT_SECRET_SECONDARY', 'JWT_SECRET', SECRET],
  ['OPS_TOKEN', 'ESIGN_WEBHOOK_SECRET', OTHER_SECRET],
  ['SANDBOX_TOKEN', 'JWT_SECRET', SECRET],
  ['SANDBOX_TOKEN', 'ESIGN_WEBHOOK_SECRET', OTHER_SECRET],
  ['OPS_TOKEN', 'CREDENTIALS_KEY', KEY],
  ['CREDENTIALS_KEY_SECONDARY', 'CREDENTIALS_KEY', KEY],
])('%s must differ from %s in production', (name, other, secret) => {
  expect(getRefusal({ ...production, [name]: secret })).toBe(
    `${name} must differ from ${other} in production`,
  )
})

describe.each(['CREDENTIALS_KEY', 'CREDENTIALS_KEY_SECONDARY'])('%s', name => {
  test('of 32 random bytes is accepted in production', () => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const key = randomBytes(32).toString(encoding)
      expect(getRefusal({ ...production, [name]: key })).toBe('none')
    }
  })

  test('is not guessable', () => {
    const zeros = Buffer.alloc(32).toString('base64')
    expect(getRefusal({ ...production, [name]: zeros })).toStartWith(`${name} must be random`)
  })
})

describe('the sandbox in production', () => {
  const TOKEN = 'Zk3vQ8mXr5TbN1wLp7HsYd9GcJ2fUe6A'
  const sandboxed = { ...production, ALLOW_SANDBOX: 'true', SANDBOX_OTP: '864209', SANDBOX_TOKEN: TOKEN }
  const replaceable = ['MESSAGE_CHANNELS', 'ESIGN_API_URL', 'EKYC_API_URL']

  test.each(replaceable)('is refused when %s is not set', name => {
    const refusal = getRefusal({ ...production, [name]: undefined })
    expect(refusal).toStartWith(`${name} is required in production`)
    expect(refusal).toContain('ALLOW_SANDBOX=true')
  })

  test.each(replaceable)('replaces %s with ALLOW_SANDBOX, a SANDBOX_OTP and a SANDBOX_TOKEN', name => {
    const env = { ...sandboxed, [name]: undefined }
    expect(getRefusal(env)).toBe('none')
    expect(getRefusal({ ...env, ALLOW_SANDBOX: 'false' })).toStartWith(`${name} is required`)
    expect(getRefusal({ ...env, SANDBOX_OTP: undefined })).toStartWith('SANDBOX_OTP must be hard to guess')
    expect(getRefusal({ ...env, SANDBOX_TOKEN: undefined })).toStartWith('SANDBOX_TOKEN is required')
  })

  test.each(['123456', '159753'])('SANDBOX_OTP=%s is refused: it is a known sequence', otp => {
    expect(getRefusal({ ...sandboxed, MESSAGE_CHANNELS: undefined, SANDBOX_OTP: otp })).toStartWith(
      'SANDBOX_OTP must be hard to guess',
    )
  })

  test('does not raise the rate limits', () => {
    expect(readConfig({ ...sandboxed, MESSAGE_CHANNELS: undefined }).rateLimitMultiplier).toBe(1)
  })
})

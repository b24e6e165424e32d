import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../../server/config'
import { findProblems } from '../../../server/settings/requirements'
import { getRefusal, KEY, production } from './environments'

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
])('a setting that belongs to another one: %s is required with %s', (name, other, env) => {
  expect(getRefusal({ ...env, [name]: undefined })).toBe(`${name} is required with ${other}`)
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
    'ESIGN_API_URL',
    'ESIGN_REDIRECT_URL',
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

test.each(['JWT_SECRET', 'ESIGN_WEBHOOK_SECRET', 'OPS_TOKEN', 'SANDBOX_TOKEN'])(
  '%s has at least 32 bytes in production, and so has each of a list',
  name => {
    const weak = `${name} must be at least 32 bytes long in production`
    const secret = '5fT0qYc9WmK3xRb8Zs1LpHv6NdJg2UeA'
    const isList = /^(JWT|ESIGN)/.test(name)

    expect(getRefusal({ ...production, [name]: secret.slice(1) })).toBe(weak)
    expect(getRefusal({ ...production, [name]: secret })).toBe('none')
    if (isList) expect(getRefusal({ ...production, [name]: `${secret},${secret.slice(1)}` })).toBe(weak)
  },
)

test.each(['base64', 'base64url'] as const)('CREDENTIALS_KEY is 32 random bytes in %s', encoding => {
  const key = randomBytes(32).toString(encoding)
  expect(getRefusal({ ...production, CREDENTIALS_KEY: `${key},${KEY}` })).toBe('none')
})

test('DATABASE_URL is required in production and of an installation without PostgreSQL, beside all else that is missing', () => {
  const config = readConfig(production)
  const { CREDENTIALS_KEY, ESIGN_WEBHOOK_SECRET } = config.acceptedSecrets
  const missing = { DATABASE_URL: undefined, JWT_SECRET: undefined }
  const values = { ...config, CREDENTIALS_KEY, ESIGN_WEBHOOK_SECRET, ...missing }
  const find = (hasDatabase: boolean) => findProblems(values, hasDatabase)

  expect(find(true)).toEqual([
    'DATABASE_URL is required in production',
    'JWT_SECRET is required in production',
  ])
  expect(find(false)).toEqual([
    expect.stringMatching(/^DATABASE_URL is required: .* version 15 or later, such as postgres:/),
    'DATABASE_URL is required in production',
    'JWT_SECRET is required in production',
  ])
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

  test('does not raise the rate limits', () => {
    expect(readConfig({ ...sandboxed, MESSAGE_CHANNELS: undefined }).rateLimitMultiplier).toBe(1)
  })
})

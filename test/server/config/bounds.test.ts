import { describe, expect, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import { readConfig, settings } from '../../../server/config'
import { parseInteger } from '../../../server/settings/parsers'
import { development, getRefusal, production } from './environments'

const MILLION = 1_000_000

/** The least and the highest value of each number. */
const bounds: [name: string, min: number, max: number][] = [
  ['PORT', 0, 65_535],
  ['WORKERS', 1, 64],
  ['REPLICA_SETTLE_MS', 0, 60_000],
  ['TRUSTED_PROXIES', 0, 10],
  ['INVITATION_DAYS', 1, 90],
  ['PROVIDER_TIMEOUT_MS', 1, 120_000],
  ['PROVIDER_RETRIES', 0, 10],
  ['PROVIDER_TOTAL_TIMEOUT_MS', 1, 110_000],
  ['PROVIDER_BREAKER_FAILURES', 1, 10_000],
  ['PROVIDER_BREAKER_MS', 1, 3_600_000],
  ['RECONCILE_INITIAL_DELAY_MS', 1000, 3_600_000],
  ['DATABASE_TIMEOUT_MS', 100, 60_000],
  ['BODY_TIMEOUT_MS', 100, 110_000],
  ['KEEP_ALIVE_S', 4, 240],
  ['SHUTDOWN_DELAY_MS', 0, 120_000],
  ['SHUTDOWN_TIMEOUT_MS', 0, 600_000],
  ['PASSWORD_HASH_CONCURRENCY', 1, 64],
  ...Object.keys(settings)
    .filter(name => name.includes('_LIMIT'))
    .map((name): [string, number, number] => [name, 1, MILLION]),
]

describe('the bounds of a number', () => {
  test.each(bounds)('%s is a whole number from %d to %d', (name, min, max) => {
    const read = (value: number) => readConfig({ ...development, [name]: String(value) })

    expect(read(min)).toMatchObject({ [name]: min })
    expect(read(max)).toMatchObject({ [name]: max })
    for (const value of [min - 1, max + 1])
      expect(getRefusal({ ...development, [name]: String(value) })).toBe(
        `${name} must be a whole number from ${min} to ${max}`,
      )
  })

  test('every number is listed here', () => {
    const source = parseInteger(0, 1).toString()
    const numbers = Object.entries(settings).filter(([, { parse }]) => parse.toString() === source)
    expect(bounds.map(([name]) => name).toSorted()).toEqual(numbers.map(([name]) => name).toSorted())
  })
})

test.each([
  ['NODE_ENV', ['development', 'test']],
  ['API_VARIANT', ['both', 'a', 'b']],
  ['LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent']],
  ['DISCLOSE_ACCOUNTS', ['full', 'masked', 'none']],
  ['PARTIES', ['any', 'named']],
  ['DOCUMENT_HOSTS', ['public', 'any']],
  ['SANDBOX_EKYC', ['auto', 'manual']],
  ['ESIGN_PROTOCOL', ['flexi', 'native']],
])('%s may be one of %p', (name, values) => {
  for (const value of values)
    expect(readConfig({ ...development, [name]: value })).toMatchObject({ [name]: value })
  expect(getRefusal({ ...development, [name]: 'other' })).toStartWith(
    `${name} must be one of ${values.slice(0, 2).join(', ')}`,
  )
})

test.each([
  ['PUBLIC_URL', 'https://api.example.com//', 'https://api.example.com'],
  ['PUBLIC_URL', 'http://api.example.com/base/', 'http://api.example.com/base'],
  ['DATABASE_URL', 'postgres://db/kiraya', 'postgres://db/kiraya'],
  ['DATABASE_URL', 'postgresql://db/kiraya', 'postgresql://db/kiraya'],
  [
    'FRONTEND_ORIGIN',
    ' https://a.example.com,, http://b.example.com:81 ',
    ['https://a.example.com', 'http://b.example.com:81'],
  ],
  ['MESSAGE_CHANNELS', 'sandbox', ['sandbox']],
])('%s=%s is read as %p', (name, text, value) => {
  expect(readConfig({ ...development, [name]: text })).toMatchObject({ [name]: value })
})

test('real channels keep the order of attempts', () => {
  const env = { ...production, MSG91_AUTH_KEY: 'x', MSG91_TEMPLATE_ID: 'x' }
  expect(readConfig({ ...env, MESSAGE_CHANNELS: 'sms,whatsapp' }).MESSAGE_CHANNELS).toEqual([
    'sms',
    'whatsapp',
  ])
})

describe('a refusal says what would be right', () => {
  test.each([
    ['PUBLIC_URL', 'x', 'a URL beginning with http:// or https://'],
    ['DATABASE_URL', 'x', 'a URL beginning with postgres:// or postgresql://'],
    ['FRONTEND_ORIGIN', '*', 'origins such as https://app.example.com, separated by commas'],
    ['SANDBOX_OTP', '12345', 'six digits'],
    ['CREDENTIALS_KEY', 'x', '32 bytes in base64, as from openssl rand -base64 32'],
    ['MESSAGE_CHANNELS', 'sms,sms', 'sandbox alone, or whatsapp and sms in the order of attempts'],
    ['ESIGN_WEBHOOK_HEADER', 'a b', 'the name of a header'],
    ['RUN_JOBS', 'yes', 'one of true, false'],
  ])('%s=%s', (name, value, rule) => {
    expect(getRefusal({ ...development, [name]: value })).toBe(`${name} must be ${rule}`)
  })

  test('of two problems of one setting, the first is named', () => {
    expect(getRefusal({ ...production, PUBLIC_URL: 'x' })).toBe(
      'PUBLIC_URL must be a URL beginning with http:// or https://',
    )
  })
})

describe('what depends on the environment', () => {
  const chosen = [
    'DOCUMENT_HOSTS',
    'DOCUMENT_CHECK',
    'PARTIES',
    'DISCLOSE_ACCOUNTS',
    'SHUTDOWN_DELAY_MS',
  ] as const

  test.each([
    ['development', development, ['any', false, 'any', 'full', 0]],
    ['production', production, ['public', true, 'named', 'masked', 5000]],
  ])('by default in %s', (_, env, values) => {
    const config = readConfig(env)
    expect<unknown[]>(chosen.map(name => config[name])).toEqual(values)
  })

  test('a setting takes the place of its default', () => {
    const env = {
      DOCUMENT_HOSTS: 'any',
      DOCUMENT_CHECK: 'false',
      PARTIES: 'any',
      DISCLOSE_ACCOUNTS: 'none',
      SHUTDOWN_DELAY_MS: '1',
    }
    const config = readConfig({ ...production, ...env })
    expect<unknown[]>(chosen.map(name => config[name])).toEqual(['any', false, 'any', 'none', 1])
  })

  test('passwords leave one processor to the rest, if there are several', () => {
    const processors = availableParallelism()
    expect(readConfig(development).PASSWORD_HASH_CONCURRENCY).toBe(Math.max(1, processors - 1))
  })

  test('a rotation accepts the second secret after the first', () => {
    expect(
      readConfig({ ...production, JWT_SECRET_SECONDARY: `${production.JWT_SECRET}2` }).acceptedSecrets,
    ).toEqual({
      JWT_SECRET: [production.JWT_SECRET!, `${production.JWT_SECRET}2`],
      CREDENTIALS_KEY: [production.CREDENTIALS_KEY!],
    })
  })
})

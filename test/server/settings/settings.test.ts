import { describe, expect, test } from 'bun:test'
import { readConfig } from '../../../server/config'
import {
  development,
  getRefusal,
  KEY,
  OTHER_SECRET,
  production,
  SECRET,
  type Environment,
} from './environments'
import { table } from './table'

describe.each(Object.entries(table))('%s', (name, { usual, accepted, refused, rule }) => {
  const read = (value?: string) =>
    readConfig({ ...development, ...(value && { [name]: value }) })[name as 'HOST']

  test('has its default, and the values that it may have', () => {
    expect<unknown>(read()).toEqual(usual)
    expect(accepted.map(([given]): unknown => read(given))).toEqual(accepted.map(([, value]) => value))
  })

  test.each(refused)('is refused by its name in one line as %s', value => {
    const refusal = getRefusal({ ...development, [name]: value })
    expect(refusal).toStartWith(`${name} must be ${rule}`)
    expect(refusal).not.toContain('\n')
  })
})

test('an empty setting counts as unset, and surrounding blanks are ignored', () => {
  const config = readConfig({ ...development, PORT: '', API_VARIANT: '  ', LOG_LEVEL: ' warn ' })
  expect(config).toMatchObject({ PORT: 3000, API_VARIANT: 'both', LOG_LEVEL: 'warn' })
})

test('real channels keep the order of attempts', () => {
  const env = { ...production, MSG91_AUTH_KEY: 'x', MSG91_TEMPLATE_ID: 'x' }
  expect(readConfig({ ...env, MESSAGE_CHANNELS: 'sms,whatsapp' }).MESSAGE_CHANNELS).toEqual([
    'sms',
    'whatsapp',
  ])
  expect(getRefusal({ ...env, MESSAGE_CHANNELS: 'sms,sms' })).toBe(
    'MESSAGE_CHANNELS must be sandbox alone, or whatsapp and sms in the order of attempts',
  )
})

test('a line of a refusal does not contain the value', () => {
  const refusals = [
    getRefusal({ ...production, JWT_SECRET: 'hushhush' }),
    getRefusal({ ...production, ESIGN_WEBHOOK_SECRET: 'hushhush' }),
    getRefusal({ ...development, DATABASE_URL: 'x://user:hushhush@db' }),
  ]
  expect(refusals.map(refusal => refusal.split(' ')[0])).toEqual([
    'JWT_SECRET',
    'ESIGN_WEBHOOK_SECRET',
    'DATABASE_URL',
  ])
  expect(refusals.join()).not.toContain('hushhush')
})

test('all settings that are wrong or missing are named at once, each with its first problem', () => {
  const refusal = getRefusal({
    ...production,
    PORT: 'x',
    PUBLIC_URL: 'x',
    DATABASE_URL: undefined,
    JWT_SECRET: undefined,
    EKYC_CLIENT_ID: undefined,
    WHATSAPP_ACCESS_TOKEN: undefined,
    OPS_TOKEN: 'short',
  })
  const [heading, ...lines] = refusal.split('\n  ')
  expect(heading).toBe('correct these settings:')
  expect(lines.map(line => line.split(' ')[0])).toEqual([
    'PORT',
    'PUBLIC_URL',
    'DATABASE_URL',
    'JWT_SECRET',
    'WHATSAPP_ACCESS_TOKEN',
    'EKYC_CLIENT_ID',
    'OPS_TOKEN',
  ])
  expect(lines[1]).toBe('PUBLIC_URL must be a URL beginning with http:// or https://')
})

describe('what depends on the environment', () => {
  const read = (env: Environment): unknown[] => {
    const { DOCUMENT_HOSTS, DOCUMENT_CHECK, PARTIES, DISCLOSE_ACCOUNTS, SHUTDOWN_DELAY_MS } = readConfig(env)
    return [DOCUMENT_HOSTS, DOCUMENT_CHECK, PARTIES, DISCLOSE_ACCOUNTS, SHUTDOWN_DELAY_MS]
  }

  test('has safer defaults in production', () => {
    expect(read(development)).toEqual(['any', false, 'any', 'full', 0])
    expect(read(production)).toEqual(['public', true, 'named', 'masked', 5000])
    const set = { PARTIES: 'any', DISCLOSE_ACCOUNTS: 'none' }
    expect(read({ ...production, ...set })).toEqual(['public', true, 'any', 'none', 5000])
  })

  test('has higher rate limits in development with the sandbox channel alone', () => {
    expect(readConfig(development)).toMatchObject({
      isProduction: false,
      sandbox: { messages: true, signing: true, kyc: true },
      rateLimitMultiplier: 20,
    })
    expect(readConfig(production)).toMatchObject({
      isProduction: true,
      sandbox: { messages: false, signing: false, kyc: false },
      rateLimitMultiplier: 1,
    })
    expect(readConfig({ ...production, NODE_ENV: 'development' }).rateLimitMultiplier).toBe(1)
  })
})

test('a rotation accepts the second secret after the first, which is the current one', () => {
  const config = readConfig({ ...production, JWT_SECRET: `${OTHER_SECRET}, ${SECRET}` })
  expect(config.JWT_SECRET).toBe(OTHER_SECRET)
  expect(config.acceptedSecrets).toEqual({
    JWT_SECRET: [OTHER_SECRET, SECRET],
    CREDENTIALS_KEY: [KEY],
    ESIGN_WEBHOOK_SECRET: [OTHER_SECRET],
  })
})

test('constants that a test hands in replace those of production', () => {
  const config = readConfig(production, { PROVIDER_RETRIES: 0 })
  expect(config).toMatchObject({ PROVIDER_RETRIES: 0, PROVIDER_TIMEOUT_MS: 30_000 })
})

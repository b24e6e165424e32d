import { describe, expect, test } from 'bun:test'
import { readConfig, settings } from '../../../server/config'
import { development, getRefusal, production } from './environments'
import { signingSettings } from '../../../server/providers/signing/index'
import type { AdapterSetting } from '../../../server/providers/signing/port'

const root = `${import.meta.dir}/../../..`

describe('without any setting', () => {
  test('the defaults fit a development machine', () => {
    expect(readConfig(development)).toMatchObject({
      NODE_ENV: 'development',
      PORT: 3000,
      WORKERS: 1,
      HOST: '0.0.0.0',
      PUBLIC_URL: undefined,
      DATABASE_URL: undefined,
      FRONTEND_ORIGIN: [],
      API_VARIANT: 'both',
      LOG_LEVEL: 'info',
      DISCLOSE_ACCOUNTS: 'full',
      MESSAGE_CHANNELS: ['sandbox'],
      SANDBOX_OTP: '123456',
      SANDBOX_EKYC: 'auto',
      ALLOW_SANDBOX: false,
      ESIGN_WEBHOOK_HEADER: 'x-setu-signature',
      PROVIDER_TIMEOUT_MS: 30_000,
      PROVIDER_RETRIES: 3,
      PROVIDER_TOTAL_TIMEOUT_MS: 45_000,
      DATABASE_TIMEOUT_MS: 2500,
      BODY_TIMEOUT_MS: 15_000,
      KEEP_ALIVE_S: 75,
      SHUTDOWN_DELAY_MS: 0,
      SHUTDOWN_TIMEOUT_MS: 50_000,
      OTP_LIMIT_PER_NETWORK: 5,
      OTP_LIMIT_PER_PHONE: 60,
      OTP_LIMIT_PER_ADDRESS: 100,
      OTP_LIMIT_PER_SITE: 300,
      OTP_LIMIT_TOTAL: 5000,
      WRONG_OTP_LIMIT_PER_SITE: 100,
      WRONG_OTP_LIMIT_TOTAL: 100,
      LOGIN_LIMIT_PER_NETWORK: 10,
      LOGIN_LIMIT_PER_PHONE: 100,
      LOGIN_LIMIT_ACROSS_PHONES: 100,
      TENANT_LIMIT_PER_LANDLORD: 100,
      PROPERTY_LIMIT_PER_LANDLORD: 5000,
      CHANGE_LIMIT_PER_AGREEMENT: 500,
      ADDRESS_LIMIT_PER_PROPERTY: 20,
      CHARGE_LIMIT_PER_AGREEMENT: 100,
      PAYMENT_LIMIT_PER_AGREEMENT: 100,
      PROPOSAL_LIMIT_PER_AGREEMENT: 20,
      STRANGER_AGREEMENT_LIMIT: 5,
      STRANGER_REQUEST_LIMIT: 10,
      STRANGER_REMINDER_LIMIT: 5,
      REMINDER_LIMIT_PER_PHONE: 20,
      PARTIES: 'any',
      isProduction: false,
      sandbox: { messages: true, signing: true, kyc: true },
      rateLimitMultiplier: 20,
    })
  })
})

test('a relative DATA_DIR is below the folder of the start, wherever the process goes later', () => {
  const { DATA_DIR } = readConfig({ ...production, DATA_DIR: 'some/folder' })
  expect(DATA_DIR).toBe(`${process.cwd()}/some/folder`)
})

test('an empty setting counts as unset, and surrounding blanks are ignored', () => {
  const config = readConfig({ ...development, PORT: '', API_VARIANT: '  ', LOG_LEVEL: ' warn ' })
  expect(config).toMatchObject({ PORT: 3000, API_VARIANT: 'both', LOG_LEVEL: 'warn' })
})

test.each([
  ['PORT', '0'],
  ['PORT', '65535'],
  ['BODY_TIMEOUT_MS', '100'],
  ['BODY_TIMEOUT_MS', '110000'],
])('%s can be %s: the bounds of a number are allowed', (name, value) => {
  expect(readConfig({ ...development, [name]: value })).toMatchObject({ [name]: Number(value) })
})

const adapterSettings = Object.entries<AdapterSetting>(signingSettings)
const invalidByFormat = { url: ['x'], 'header-name': ['a b', 'x:y', 'é'] }
const invalidAdapterSettings = Object.fromEntries(
  adapterSettings.flatMap(([name, { format }]) => (format ? [[name, invalidByFormat[format]]] : [])),
)
const invalid: Record<string, string[]> = {
  NODE_ENV: ['prod', 'Production'],
  PORT: ['x', '-1', '65536', '3000.5', '1e3', '0x10'],
  TRUSTED_PROXIES: ['-1', '11', 'true'],
  PASSWORD_HASH_CONCURRENCY: ['0', '65'],
  WORKERS: ['0', '65', '-1', '1.5', 'auto'],
  PUBLIC_URL: ['x', 'ftp://x', 'localhost:3000', '//x'],
  DATABASE_URL: ['x', 'mysql://x', 'http://x'],
  DATABASE_REPLICA_URL: ['x', 'mysql://x', 'http://x'],
  REPLICA_SETTLE_MS: ['-1', '5s', '60001'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['x', 'ftp://x', 'localhost:4318'],
  CREDENTIALS_KEY: [
    'x',
    'a'.repeat(44),
    `${'A'.repeat(42)}!=`,
    'A'.repeat(42),
    `${'A'.repeat(43)}=!`,
    `${'A'.repeat(86)}==`,
  ],
  CREDENTIALS_KEY_SECONDARY: ['x'],
  FRONTEND_ORIGIN: [
    '*',
    'x',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://a.example.com, *',
    'null',
  ],
  API_VARIANT: ['c', 'A', 'a,b'],
  LOG_LEVEL: ['loud', 'INFO'],
  DISCLOSE_ACCOUNTS: ['true', 'false', 'FULL'],
  MESSAGE_CHANNELS: ['email', 'WhatsApp', 'whatsapp,whatsapp', 'sandbox,sms', 'sms,'],
  SANDBOX_OTP: ['12345', '1234567', '12345x'],
  SANDBOX_EKYC: ['x'],
  ALLOW_SANDBOX: ['yes'],
  RUN_JOBS: ['no'],
  EKYC_API_URL: ['x'],
  DATABASE_TIMEOUT_MS: ['0', '99', '2.5s'],
  BODY_TIMEOUT_MS: ['0', '15s'],
  KEEP_ALIVE_S: ['0', '3', '241'],
  SHUTDOWN_DELAY_MS: ['-1', '5s'],
  SHUTDOWN_TIMEOUT_MS: ['-1', 'x'],
  RECONCILE_INITIAL_DELAY_MS: ['0', '5m'],
  PROVIDER_BREAKER_FAILURES: ['0', '-1'],
  PROVIDER_BREAKER_MS: ['0', '15s'],
  DOCUMENT_HOSTS: ['private', 'PUBLIC'],
  DOCUMENT_CHECK: ['on', '1'],
  ESIGN_PROTOCOL: ['Flexi', 'soap', 'native,flexi'],
  ...invalidAdapterSettings,
  ESIGN_REDIRECT_URL: ['javascript:alert(1)', 'x'],
  PROVIDER_TIMEOUT_MS: ['0', '-5', '30s'],
  PROVIDER_RETRIES: ['-1', '11'],
  PROVIDER_TOTAL_TIMEOUT_MS: ['0', '200000'],
  OTP_LIMIT_PER_NETWORK: ['0', 'many', '-1'],
  OTP_LIMIT_PER_PHONE: ['0'],
  OTP_LIMIT_PER_ADDRESS: ['0'],
  OTP_LIMIT_PER_SITE: ['0'],
  OTP_LIMIT_TOTAL: ['0'],
  WRONG_OTP_LIMIT_PER_SITE: ['0'],
  WRONG_OTP_LIMIT_TOTAL: ['0'],
  LOGIN_LIMIT_PER_NETWORK: ['0'],
  LOGIN_LIMIT_PER_PHONE: ['0'],
  LOGIN_LIMIT_ACROSS_PHONES: ['0'],
  TENANT_LIMIT_PER_LANDLORD: ['0'],
  PROPERTY_LIMIT_PER_LANDLORD: ['0'],
  CHANGE_LIMIT_PER_AGREEMENT: ['0'],
  ADDRESS_LIMIT_PER_PROPERTY: ['0'],
  CHARGE_LIMIT_PER_AGREEMENT: ['0'],
  PAYMENT_LIMIT_PER_AGREEMENT: ['0'],
  PROPOSAL_LIMIT_PER_AGREEMENT: ['0'],
  STRANGER_AGREEMENT_LIMIT: ['0'],
  STRANGER_REQUEST_LIMIT: ['0'],
  STRANGER_REMINDER_LIMIT: ['0'],
  REMINDER_LIMIT_PER_PHONE: ['0'],
  INVITATION_LIMIT_PER_PHONE: ['0'],
  INVITATION_LIMIT_TOTAL: ['0'],
  INVITATION_DAYS: ['0', '91', '2w'],
  INVITATION_URL: ['app.example.com', 'ftp://x'],
  PARTIES: ['all', 'Named', 'true'],
  WHATSAPP_API_URL: ['x'],
  MSG91_API_URL: ['x'],
}
/** Settings that accept any text. */
const unrestricted = [
  'HOST',
  'DATA_DIR',
  'JWT_SECRET',
  'JWT_SECRET_SECONDARY',
  'WHATSAPP_PHONE_NUMBER_ID',
  'WHATSAPP_ACCESS_TOKEN',
  'WHATSAPP_TEMPLATE',
  'WHATSAPP_REMINDER_TEMPLATE',
  'MSG91_REMINDER_TEMPLATE_ID',
  'WHATSAPP_INVITATION_TEMPLATE',
  'MSG91_INVITATION_TEMPLATE_ID',
  'WHATSAPP_LANGUAGE',
  'MSG91_AUTH_KEY',
  'MSG91_TEMPLATE_ID',
  'EKYC_CLIENT_ID',
  'EKYC_CLIENT_SECRET',
  'EKYC_PRODUCT_INSTANCE_ID',
  'SANDBOX_TOKEN',
  'OPS_TOKEN',
  ...adapterSettings.filter(([, { format }]) => !format).map(([name]) => name),
]

describe('an invalid setting stops the start with one line that names it', () => {
  const cases = Object.entries(invalid).flatMap(([name, values]) => values.map(value => [name, value]))
  test.each(cases)('%s=%s', (name, value) => {
    const message = getRefusal({ ...development, [name!]: value })

    expect(message).toStartWith(`${name} must be `)
    expect(message).not.toContain('\n')
  })

  test('every setting is covered here, except those that accept any text', () => {
    const uncovered = Object.keys(settings).filter(name => !invalid[name] && !unrestricted.includes(name))
    expect(uncovered).toEqual([])
  })

  test.each([
    ['JWT_SECRET', { ...production, JWT_SECRET: 'hushhush' }],
    ['ESIGN_WEBHOOK_SECRET', { ...production, ESIGN_WEBHOOK_SECRET: 'hushhush' }],
    ['DATABASE_URL', { ...development, DATABASE_URL: 'x://user:hushhush@db' }],
  ])('the line does not contain the value of %s', (name, env) => {
    const message = getRefusal(env)
    expect(message).toStartWith(`${name} must be `)
    expect(message).not.toContain('hushhush')
  })
})

test('all settings that are wrong or missing are named at once', () => {
  const refusal = getRefusal({
    ...production,
    PORT: 'x',
    PUBLIC_URL: 'nowhere',
    JWT_SECRET: undefined,
    EKYC_CLIENT_ID: undefined,
    WHATSAPP_ACCESS_TOKEN: undefined,
    OPS_TOKEN: 'short',
  })
  const names = refusal.split('\n  ').map(sentence => sentence.split(' ')[0])
  expect(names).toEqual([
    'correct',
    'PORT',
    'PUBLIC_URL',
    'EKYC_CLIENT_ID',
    'WHATSAPP_ACCESS_TOKEN',
    'JWT_SECRET',
    'OPS_TOKEN',
  ])
})

test.each([
  ['PORT', { PORT: 'x' }],
  ['JWT_SECRET', { ...production, JWT_SECRET: undefined }],
  ['API_VARIANT', { API_VARIANT: 'c' }],
])('the program exits with status 1 and one line on stderr that names %s', async (name, env) => {
  const program = Bun.spawn([process.execPath, 'server/index.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [errors, output, status] = await Promise.all([
    new Response(program.stderr).text(),
    new Response(program.stdout).text(),
    program.exited,
  ])

  expect([status, output, errors.split('\n').length]).toEqual([1, '', 2])
  expect(errors).toContain(` ${name} `)
})

import { availableParallelism } from 'node:os'
import { expect } from 'bun:test'
import type { settings } from '../../../server/config'
import { KEY } from './environments'

/** What is expected of a setting. */
type Expected = {
  /** The value without the setting, in development. */
  usual?: unknown
  /** Texts with their values. */
  accepted: [text: string, value: unknown][]
  refused: string[]
  /** What a refusal says that the setting must be. */
  rule: string
}

const integer = (min: number, max: number, usual: number): Expected => ({
  usual,
  accepted: [
    [`${min}`, min],
    [`${max}`, max],
  ],
  refused: [`${min - 1}`, `${max + 1}`, `${min}.5`, 'x', '1e2', '0x10', '5s'],
  rule: `a whole number from ${min} to ${max}`,
})
const limit = (usual: number) => integer(1, 1_000_000, usual)

const word = (usual: string, ...others: string[]): Expected => ({
  usual,
  accepted: [usual, ...others].map(text => [text, text]),
  refused: ['other', usual.toUpperCase(), `${usual},${usual}`],
  rule: 'one of ',
})
const flag = (usual: boolean): Expected => ({
  usual,
  accepted: [
    ['true', true],
    ['false', false],
  ],
  refused: ['yes', 'no', 'on', '1', 'TRUE'],
  rule: 'one of true, false',
})

const text = (usual?: string): Expected => ({ usual, accepted: [['x y', 'x y']], refused: [], rule: '' })
const url = (usual?: string): Expected => ({
  usual,
  accepted: [
    ['https://api.example.com//', 'https://api.example.com'],
    ['http://api.example.com/base/', 'http://api.example.com/base'],
  ],
  refused: ['x', 'ftp://x', 'localhost:3000', '//x', 'javascript:alert(1)'],
  rule: 'a URL beginning with http:// or https://',
})
const database: Expected = {
  accepted: ['postgres://db/kiraya', 'postgresql://db/kiraya'].map(address => [address, address]),
  refused: ['x', 'mysql://x', 'http://x'],
  rule: 'a URL beginning with postgres:// or postgresql://',
}
const key: Expected = {
  accepted: [[KEY, KEY]],
  refused: [
    'x',
    'a'.repeat(44),
    `${'A'.repeat(42)}!=`,
    'A'.repeat(42),
    `${'A'.repeat(43)}=!`,
    `${'A'.repeat(86)}==`,
  ],
  rule: '32 bytes in base64, as from openssl rand -base64 32',
}

/** Every setting; a missing one does not compile. */
export const table: Record<keyof typeof settings, Expected> = {
  NODE_ENV: word('development', 'test'),
  PORT: integer(0, 65_535, 3000),
  WORKERS: integer(1, 64, 1),
  HOST: text('0.0.0.0'),
  PUBLIC_URL: url(),
  DATABASE_URL: database,
  DATABASE_REPLICA_URL: database,
  REPLICA_SETTLE_MS: integer(0, 60_000, 5000),
  DATA_DIR: {
    ...text(`${process.cwd()}/.data`),
    accepted: [['some/folder', `${process.cwd()}/some/folder`]],
  },
  TRUSTED_PROXIES: integer(0, 10, 0),
  JWT_SECRET: text('short'),
  JWT_SECRET_SECONDARY: text(),
  CREDENTIALS_KEY: { ...key, usual: expect.stringMatching(/^[\w-]{43}$/) },
  CREDENTIALS_KEY_SECONDARY: key,
  FRONTEND_ORIGIN: {
    usual: [],
    accepted: [
      [
        ' https://a.example.com,, http://b.example.com:81 ',
        ['https://a.example.com', 'http://b.example.com:81'],
      ],
    ],
    refused: [
      '*',
      'x',
      'app.example.com',
      'https://app.example.com/',
      'https://app.example.com/path',
      'https://a.example.com, *',
      'null',
    ],
    rule: 'origins such as https://app.example.com, separated by commas',
  },
  API_VARIANT: word('both', 'a', 'b'),
  LOG_LEVEL: word('info', 'trace', 'debug', 'warn', 'error', 'silent'),
  DISCLOSE_ACCOUNTS: word('full', 'masked', 'none'),
  OPS_TOKEN: text(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(),
  INVITATION_DAYS: integer(1, 90, 14),
  RUN_JOBS: flag(true),
  MESSAGE_CHANNELS: {
    usual: ['sandbox'],
    accepted: [['sandbox', ['sandbox']]],
    refused: ['whatsapp,whatsapp', 'sandbox,sms', 'email', 'WhatsApp', 'sms,'],
    rule: '',
  },
  WHATSAPP_API_URL: url('https://graph.facebook.com/v23.0'),
  WHATSAPP_PHONE_NUMBER_ID: text(),
  WHATSAPP_ACCESS_TOKEN: text(),
  WHATSAPP_TEMPLATE: text('kiraya_otp'),
  WHATSAPP_REMINDER_TEMPLATE: text('kiraya_sign_reminder'),
  WHATSAPP_INVITATION_TEMPLATE: text('kiraya_invitation'),
  WHATSAPP_LANGUAGE: text('en_US'),
  MSG91_API_URL: url('https://control.msg91.com'),
  MSG91_AUTH_KEY: text(),
  MSG91_TEMPLATE_ID: text(),
  MSG91_REMINDER_TEMPLATE_ID: text(),
  MSG91_INVITATION_TEMPLATE_ID: text(),
  INVITATION_URL: url(),
  ESIGN_PROTOCOL: word('flexi', 'native'),
  ESIGN_API_URL: { ...url(), accepted: [] },
  ESIGN_CLIENT_ID: text(),
  ESIGN_CLIENT_SECRET: text(),
  ESIGN_PRODUCT_INSTANCE_ID: text(),
  ESIGN_WEBHOOK_SECRET: text('short'),
  ESIGN_WEBHOOK_SECRET_SECONDARY: text(),
  ESIGN_WEBHOOK_HEADER: {
    usual: 'x-setu-signature',
    accepted: [['X-Sig-1', 'X-Sig-1']],
    refused: ['a b', 'x:y', 'é'],
    rule: 'the name of a header',
  },
  ESIGN_REDIRECT_URL: url(),
  EKYC_API_URL: { ...url(), accepted: [] },
  EKYC_CLIENT_ID: text(),
  EKYC_CLIENT_SECRET: text(),
  EKYC_PRODUCT_INSTANCE_ID: text(),
  PROVIDER_TIMEOUT_MS: integer(1, 120_000, 30_000),
  PROVIDER_RETRIES: integer(0, 10, 3),
  PROVIDER_TOTAL_TIMEOUT_MS: integer(1, 110_000, 45_000),
  PROVIDER_BREAKER_FAILURES: integer(1, 10_000, 10),
  PROVIDER_BREAKER_MS: integer(1, 3_600_000, 15_000),
  DOCUMENT_HOSTS: word('any', 'public'),
  DOCUMENT_CHECK: flag(false),
  RECONCILE_INITIAL_DELAY_MS: integer(1000, 3_600_000, 300_000),
  DATABASE_TIMEOUT_MS: integer(100, 60_000, 2500),
  BODY_TIMEOUT_MS: integer(100, 110_000, 15_000),
  KEEP_ALIVE_S: integer(4, 240, 75),
  SHUTDOWN_DELAY_MS: integer(0, 120_000, 0),
  SHUTDOWN_TIMEOUT_MS: integer(0, 600_000, 50_000),
  ALLOW_SANDBOX: flag(false),
  SANDBOX_OTP: {
    ...text('123456'),
    accepted: [['000000', '000000']],
    refused: ['12345', '1234567', '12345x'],
    rule: 'six digits',
  },
  SANDBOX_TOKEN: text(),
  SANDBOX_EKYC: word('auto', 'manual'),
  OTP_LIMIT_PER_NETWORK: limit(5),
  OTP_LIMIT_PER_PHONE: limit(60),
  OTP_LIMIT_PER_ADDRESS: limit(100),
  OTP_LIMIT_PER_SITE: limit(300),
  OTP_LIMIT_TOTAL: limit(5000),
  WRONG_OTP_LIMIT_PER_SITE: limit(100),
  WRONG_OTP_LIMIT_TOTAL: limit(100),
  LOGIN_LIMIT_PER_NETWORK: limit(10),
  LOGIN_LIMIT_PER_PHONE: limit(100),
  LOGIN_LIMIT_ACROSS_PHONES: limit(100),
  TENANT_LIMIT_PER_LANDLORD: limit(100),
  PROPERTY_LIMIT_PER_LANDLORD: limit(5000),
  CHANGE_LIMIT_PER_AGREEMENT: limit(500),
  ADDRESS_LIMIT_PER_PROPERTY: limit(20),
  CHARGE_LIMIT_PER_AGREEMENT: limit(100),
  PAYMENT_LIMIT_PER_AGREEMENT: limit(100),
  PROPOSAL_LIMIT_PER_AGREEMENT: limit(20),
  STRANGER_AGREEMENT_LIMIT: limit(5),
  STRANGER_REQUEST_LIMIT: limit(10),
  STRANGER_REMINDER_LIMIT: limit(5),
  REMINDER_LIMIT_PER_PHONE: limit(20),
  INVITATION_LIMIT_PER_PHONE: limit(3),
  INVITATION_LIMIT_TOTAL: limit(500),
  PARTIES: word('any', 'named'),
  PASSWORD_HASH_CONCURRENCY: integer(1, 64, Math.max(1, availableParallelism() - 1)),
}

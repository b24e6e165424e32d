import { expect } from 'bun:test'
import type { settings } from '../../../server/config'
import { KEY, OTHER_KEY } from './environments'

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
const secret = (usual: string): Expected => ({
  usual,
  accepted: [
    ['new', 'new'],
    ['new, old', 'new'],
  ],
  refused: [',', 'new,', ',old', 'new,,old'],
  rule: 'one secret, or several separated by commas',
})
const key: Expected = {
  accepted: [
    [KEY, KEY],
    [`${KEY},${OTHER_KEY}`, KEY],
  ],
  refused: [
    'x',
    'a'.repeat(44),
    `${'A'.repeat(42)}!=`,
    'A'.repeat(42),
    `${'A'.repeat(43)}=!`,
    `${'A'.repeat(86)}==`,
    `${KEY},x`,
  ],
  rule: '32 bytes in base64, as from openssl rand -base64 32',
}

/** Every setting; a missing one does not compile. */
export const table: Record<keyof typeof settings, Expected> = {
  NODE_ENV: word('development', 'test'),
  PORT: integer(0, 65_535, 3000),
  WORKERS: integer(1, 64, 1),
  HOST: text(),
  PUBLIC_URL: url(),
  DATABASE_URL: database,
  DATABASE_REPLICA_URL: database,
  DATA_DIR: {
    ...text(`${process.cwd()}/.data`),
    accepted: [['some/folder', `${process.cwd()}/some/folder`]],
  },
  TRUSTED_PROXIES: integer(0, 10, 0),
  JWT_SECRET: secret('short'),
  CREDENTIALS_KEY: { ...key, usual: expect.stringMatching(/^[\w-]{43}$/) },
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
  WHATSAPP_LANGUAGE: text('en_US'),
  MSG91_AUTH_KEY: text(),
  MSG91_TEMPLATE_ID: text(),
  MSG91_REMINDER_TEMPLATE_ID: text(),
  MSG91_INVITATION_TEMPLATE_ID: text(),
  MSG91_LEASE_RECORDED_TEMPLATE_ID: text(),
  MSG91_SETTLEMENT_TEMPLATE_ID: text(),
  ESIGN_PROTOCOL: word('flexi', 'native'),
  ESIGN_API_URL: { ...url(), accepted: [] },
  ESIGN_CLIENT_ID: text(),
  ESIGN_CLIENT_SECRET: text(),
  ESIGN_PRODUCT_INSTANCE_ID: text(),
  ESIGN_WEBHOOK_SECRET: secret('short'),
  ESIGN_REDIRECT_URL: url(),
  EKYC_API_URL: { ...url(), accepted: [] },
  EKYC_CLIENT_ID: text(),
  EKYC_CLIENT_SECRET: text(),
  EKYC_PRODUCT_INSTANCE_ID: text(),
  DATABASE_TIMEOUT_MS: integer(100, 60_000, 2500),
  ALLOW_SANDBOX: flag(false),
  SANDBOX_OTP: {
    ...text('123456'),
    accepted: [['000000', '000000']],
    refused: ['12345', '1234567', '12345x'],
    rule: 'six digits',
  },
  SANDBOX_TOKEN: text(),
  OTP_LIMIT_TOTAL: integer(1, 1_000_000, 5000),
  PARTIES: word('any', 'named'),
}

import {
  parseBoolean,
  parseChannels,
  parseDatabaseUrl,
  parseEnum,
  parseInteger,
  parseKeys,
  parseOrigins,
  parseOtp,
  parseSecrets,
  parseText,
  parseWebUrl,
  type Parser,
} from './parsers'

type Rules = {
  /** The default, as text. */
  default?: string
  /** The default in production, if it is another one. */
  inProduction?: string
  /** Required if one of these applies: `NAME` is set, or `NAME=value`. */
  requiredWith?: string[]
  /** A secret of ours, or several: each has at least 32 bytes in production. */
  isSecret?: true
  /** An address that the server calls or sends people to: https in production. */
  isAddress?: true
}
export type Setting = Rules & { parse: Parser<unknown>; meaning: string }

const setting = <T, const R extends Rules>(parse: Parser<T>, meaning: string, rules = {} as R) => ({
  parse,
  meaning,
  ...rules,
})

const PRODUCTION = 'NODE_ENV=production'

const ofWhatsApp = { requiredWith: ['MESSAGE_CHANNELS=whatsapp'] }
const ofMsg91 = { requiredWith: ['MESSAGE_CHANNELS=sms'] }
const ofEsign = { requiredWith: ['ESIGN_API_URL'] }
const ofEkyc = { requiredWith: ['EKYC_API_URL'] }

/** Every setting of the server, by its environment variable. */
export const settings = {
  NODE_ENV: setting(
    parseEnum('development', 'test', 'production'),
    '`production` requires secrets and refuses the sandbox',
    { default: 'development' },
  ),
  PORT: setting(parseInteger(0, 65535), 'Port to listen on; `0` takes any free one', { default: '3000' }),
  HOST: setting(parseText, 'Address to listen on; without one all, of IPv4 and of IPv6'),
  WORKERS: setting(
    parseInteger(1, 64),
    'Number of processes that share the port. Each has its own connection pool and password hashing; one runs the jobs',
    { default: '1' },
  ),
  RUN_JOBS: setting(parseBoolean, 'Whether this instance runs the background jobs', { default: 'true' }),
  PUBLIC_URL: setting(parseWebUrl, 'URL at which clients reach the server; default `http://localhost:PORT`', {
    isAddress: true,
    requiredWith: [PRODUCTION],
  }),
  TRUSTED_PROXIES: setting(
    parseInteger(0, 10),
    'Number of your proxies before the server. The client’s address is what the outermost one wrote into `X-Forwarded-For`; `0` ignores the header',
    { default: '0' },
  ),
  FRONTEND_ORIGIN: setting(
    parseOrigins,
    'Origins whose pages may call the API, separated by commas; invited landlords sign in at the first, else at `PUBLIC_URL`',
    { default: '', isAddress: true },
  ),
  API_VARIANT: setting(parseEnum('both', 'a', 'b'), 'Variants of the onboarding API', { default: 'both' }),
  DATA_DIR: setting(parseText, 'Folder of the embedded database and of the development secrets', {
    default: '.data',
  }),
  LOG_LEVEL: setting(
    parseEnum('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'Lowest severity that is logged. The audit log is always written, unless this is `silent`',
    { default: 'info' },
  ),
  OPS_TOKEN: setting(parseText, 'Bearer token of `/operations` and `/metrics`; without it both answer 404', {
    isSecret: true,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    parseWebUrl,
    'OTLP endpoint (HTTP) for traces of requests, provider calls and queries; without it tracing is off',
  ),

  DATABASE_URL: setting(
    parseDatabaseUrl,
    'PostgreSQL database; without it, an embedded one outside of production. `?prepared=false` is for a pooler without prepared statements. `?sslmode=verify-full` (with `&sslrootcert=FILE` for your own authority) uses TLS, `no-verify` without checking the certificate',
    { requiredWith: [PRODUCTION] },
  ),
  DATABASE_REPLICA_URL: setting(
    parseDatabaseUrl,
    'Standby that serves reads while the primary waits for it to apply each commit',
  ),
  DATABASE_TIMEOUT_MS: setting(
    parseInteger(100, 60_000),
    'Time that all queries of one request may take before it answers 503',
    { default: '2500' },
  ),

  JWT_SECRET: setting(
    parseSecrets,
    'Signs access tokens; at least 32 bytes, or generated in development. While it is rotated: `NEW,OLD`',
    { isSecret: true, requiredWith: [PRODUCTION] },
  ),
  CREDENTIALS_KEY: setting(
    parseKeys,
    'Encrypts stored PANs: 32 random bytes in base64, or derived from `JWT_SECRET`. While it is rotated: `NEW,OLD`',
    { isSecret: true, requiredWith: [PRODUCTION] },
  ),
  DISCLOSE_ACCOUNTS: setting(
    parseEnum('full', 'masked', 'none'),
    'User in OTP responses: `full`, `masked` (initials), `none`',
    { default: 'full', inProduction: 'masked' },
  ),
  PARTIES: setting(
    parseEnum('any', 'named'),
    'Who can be named as a tenant or manager by id: `any` user, or only those whom the landlord’s side has `named` by phone number',
    { default: 'any', inProduction: 'named' },
  ),
  OTP_LIMIT_TOTAL: setting(parseInteger(1, 1_000_000), 'OTP requests of the whole service in an hour', {
    default: '5000',
  }),

  MESSAGE_CHANNELS: setting(
    parseChannels,
    '`sandbox`, or the channels of one-time passwords in the order of attempts: `whatsapp`, `sms` or `whatsapp,sms`',
    { default: 'sandbox' },
  ),
  WHATSAPP_API_URL: setting(parseWebUrl, 'WhatsApp Cloud API with its version', {
    default: 'https://graph.facebook.com/v23.0',
    isAddress: true,
  }),
  WHATSAPP_PHONE_NUMBER_ID: setting(parseText, 'Sender of the WhatsApp messages', ofWhatsApp),
  WHATSAPP_ACCESS_TOKEN: setting(parseText, 'Credential of the WhatsApp Cloud API', ofWhatsApp),
  WHATSAPP_LANGUAGE: setting(parseText, 'Language of the templates', { default: 'en_US' }),
  MSG91_AUTH_KEY: setting(parseText, 'Credential of MSG91, for SMS', ofMsg91),
  MSG91_TEMPLATE_ID: setting(parseText, 'Template of the SMS', ofMsg91),
  MSG91_REMINDER_TEMPLATE_ID: setting(
    parseText,
    'Flow of the reminder SMS with `number` and `url`; without it no reminder goes by SMS',
  ),
  MSG91_INVITATION_TEMPLATE_ID: setting(
    parseText,
    'Flow of the invitation SMS with `url`; without it no invitation goes by SMS',
  ),
  MSG91_LEASE_RECORDED_TEMPLATE_ID: setting(
    parseText,
    'Flow of the SMS on a recorded lease with `number` and `url`; without it none goes by SMS',
  ),
  MSG91_SETTLEMENT_TEMPLATE_ID: setting(
    parseText,
    'Flow of the SMS on a proposed settlement with `number`, `url` and `days`; without it none goes by SMS',
  ),

  ESIGN_PROTOCOL: setting(
    parseEnum('flexi', 'native'),
    '`flexi`: one request for each signer, and the provider downloads the document. `native`: one request for all signers with the document uploaded',
    { default: 'flexi' },
  ),
  ESIGN_API_URL: setting(parseWebUrl, 'E-signing provider; without it the sandbox', { isAddress: true }),
  ESIGN_CLIENT_ID: setting(parseText, 'Credential of the e-signing provider', ofEsign),
  ESIGN_CLIENT_SECRET: setting(parseText, 'Credential of the e-signing provider', ofEsign),
  ESIGN_PRODUCT_INSTANCE_ID: setting(parseText, 'Credential of the e-signing provider', ofEsign),
  ESIGN_WEBHOOK_SECRET: setting(
    parseSecrets,
    'Verifies the e-signing webhooks; at least 32 bytes, or generated in development. While it is rotated: `NEW,OLD`',
    { isSecret: true, requiredWith: [PRODUCTION, 'ESIGN_API_URL'] },
  ),
  ESIGN_REDIRECT_URL: setting(parseWebUrl, 'Page that signers return to; default a page of this server', {
    isAddress: true,
  }),
  EKYC_API_URL: setting(parseWebUrl, 'eKYC provider; without it the sandbox', { isAddress: true }),
  EKYC_CLIENT_ID: setting(parseText, 'Credential of the eKYC provider', ofEkyc),
  EKYC_CLIENT_SECRET: setting(parseText, 'Credential of the eKYC provider', ofEkyc),
  EKYC_PRODUCT_INSTANCE_ID: setting(parseText, 'Credential of the eKYC provider', ofEkyc),

  ALLOW_SANDBOX: setting(parseBoolean, 'Permits the sandbox in production', { default: 'false' }),
  SANDBOX_TOKEN: setting(
    parseText,
    'Bearer token of `/sandbox/messages` and `/sandbox/control`, and the password of `/sandbox`; required for the sandbox in production',
    { isSecret: true },
  ),
  SANDBOX_OTP: setting(parseOtp, 'The OTP of the sandbox channel; another one in production', {
    default: '123456',
  }),
}

/** Headings of the table in the documentation, by the first setting below each. */
export const headings: Partial<Record<SettingName, string>> = {
  NODE_ENV: 'Server',
  DATABASE_URL: 'Database',
  JWT_SECRET: 'Sign-in and parties',
  MESSAGE_CHANNELS: 'Messages',
  ESIGN_PROTOCOL: 'E-signing and eKYC',
  ALLOW_SANDBOX: 'Sandbox',
}

type Settings = typeof settings
export type SettingName = keyof Settings

/** The settings as read: one without a default may be undefined. */
export type SettingValues = {
  [K in SettingName]:
    | ReturnType<Settings[K]['parse']>
    | (Settings[K] extends { default: string } ? never : undefined)
}

import { signingAdapters, signingSettings, type SigningProtocol } from '../providers/signing/index'
import type { AdapterSetting, AdapterSettings } from '../providers/signing/port'
import {
  parseBoolean,
  parseChannels,
  parseDatabaseUrl,
  parseEnum,
  parseInteger,
  parseOrigins,
  parsePattern,
  parseText,
  parseWebUrl,
  type Parser,
} from './parsers'

const LIMIT = parseInteger(1, 1_000_000)

/** How a setting is read, its default, and its meaning. The README repeats this table, and a test compares them. */
function setting<T, D extends string | undefined = undefined>(
  parse: Parser<T>,
  meaning: string,
  defaultText?: D,
) {
  return { parse, meaning, defaultText: defaultText as D }
}

/** How the text of an adapter's setting is read. */
const parserByFormat: Record<NonNullable<AdapterSetting['format']>, Parser<string>> = {
  url: parseWebUrl,
  'header-name': parsePattern(/^[a-z0-9-]+$/i, 'the name of a header'),
}

function toAdapterSettings<S extends AdapterSettings>(adapterSettings: S) {
  const entries = Object.entries(adapterSettings).map(([name, { format, meaning, defaultText }]) => [
    name,
    setting(format ? parserByFormat[format] : parseText, meaning, defaultText),
  ])
  return Object.fromEntries(entries) as {
    [K in keyof S]: {
      parse: Parser<string>
      meaning: string
      defaultText: S[K] extends { defaultText: string } ? string : undefined
    }
  }
}

const serverSettings = {
  NODE_ENV: setting(
    parseEnum('development', 'test', 'production'),
    '`production` requires secrets and refuses the sandbox',
    'development',
  ),
  PORT: setting(parseInteger(0, 65535), 'Port to listen on; `0` takes any free one', '3000'),
  WORKERS: setting(
    parseInteger(1, 64),
    'Number of processes that share the port. Each has its own connection pool and password hashing; one runs the jobs',
    '1',
  ),
  HOST: setting(parseText, 'Address to listen on', '0.0.0.0'),
  PUBLIC_URL: setting(parseWebUrl, 'URL at which clients reach the server; default `http://localhost:PORT`'),
  DATABASE_URL: setting(
    parseDatabaseUrl,
    'PostgreSQL database; without it an embedded one is started. `?prepared=false` is for a pooler without prepared statements. `?sslmode=verify-full` (with `&sslrootcert=FILE` for your own authority) uses TLS, `no-verify` without checking the certificate',
  ),
  DATABASE_REPLICA_URL: setting(
    parseDatabaseUrl,
    'Standby that serves reads while the primary waits for it to apply each commit',
  ),
  REPLICA_SETTLE_MS: setting(
    parseInteger(0, 60_000),
    'How long the primary must have waited for the standby before reads go to it',
    '5000',
  ),
  DATA_DIR: setting(parseText, 'Folder of the embedded database and of the development secrets', '.data'),
  TRUSTED_PROXIES: setting(
    parseInteger(0, 10),
    'Number of your proxies before the server. The client’s address is what the outermost one wrote into `X-Forwarded-For`; `0` ignores the header',
    '0',
  ),
  JWT_SECRET: setting(
    parseText,
    'Signs access tokens; at least 32 bytes in production, generated in development',
  ),
  JWT_SECRET_SECONDARY: setting(parseText, 'Second key that is accepted while you rotate `JWT_SECRET`'),
  FRONTEND_ORIGIN: setting(parseOrigins, 'Origins whose pages may call the API, separated by commas', ''),
  API_VARIANT: setting(
    parseEnum('both', 'a', 'b'),
    'Limits the server to one variant of the onboarding API',
    'both',
  ),
  LOG_LEVEL: setting(
    parseEnum('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'Lowest severity that is logged. The audit log is always written, unless this is `silent`',
    'info',
  ),
  DISCLOSE_ACCOUNTS: setting(
    parseBoolean,
    'Whether an OTP request reveals that the number has an account',
    'true',
  ),
  OPS_TOKEN: setting(parseText, 'Bearer token of `/operations` and `/metrics`; without it both answer 404'),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    parseWebUrl,
    'OTLP endpoint (HTTP) for traces of requests, provider calls and queries; without it tracing is off',
  ),
  RUN_JOBS: setting(
    parseBoolean,
    'Whether this instance runs the jobs (reconciliation, ends of tenure, clean-up)',
    'true',
  ),
}

const messagingSettings = {
  MESSAGE_CHANNELS: setting(
    parseChannels,
    '`sandbox`, or the channels of one-time passwords in the order of attempts: `whatsapp`, `sms` or `whatsapp,sms`',
    'sandbox',
  ),
  WHATSAPP_API_URL: setting(
    parseWebUrl,
    'WhatsApp Cloud API with its version',
    'https://graph.facebook.com/v23.0',
  ),
  WHATSAPP_PHONE_NUMBER_ID: setting(parseText, 'Sender of the WhatsApp messages'),
  WHATSAPP_ACCESS_TOKEN: setting(parseText, 'Credential of the WhatsApp Cloud API'),
  WHATSAPP_TEMPLATE: setting(parseText, 'Name of the approved authentication template', 'kiraya_otp'),
  WHATSAPP_REMINDER_TEMPLATE: setting(
    parseText,
    'Name of the approved reminder template; its two variables are the agreement number and the URL',
    'kiraya_sign_reminder',
  ),
  WHATSAPP_LANGUAGE: setting(parseText, 'Language of the templates', 'en_US'),
  MSG91_API_URL: setting(parseWebUrl, 'MSG91, for OTPs by SMS', 'https://control.msg91.com'),
  MSG91_AUTH_KEY: setting(parseText, 'Credential of MSG91'),
  MSG91_TEMPLATE_ID: setting(parseText, 'Template of the SMS'),
  MSG91_REMINDER_TEMPLATE_ID: setting(
    parseText,
    'Flow of the reminder SMS with `number` and `url`; without it no reminder goes by SMS',
  ),
}

const protocolMeanings = Object.entries(signingAdapters).map(
  ([protocol, { meaning }]) => `\`${protocol}\`: ${meaning}`,
)

const esignSettings = {
  ESIGN_PROTOCOL: setting(
    parseEnum(...(Object.keys(signingAdapters) as SigningProtocol[])),
    protocolMeanings.join('. '),
    'flexi',
  ),
  ...toAdapterSettings(signingSettings),
  ESIGN_REDIRECT_URL: setting(parseWebUrl, 'Page that signers return to; default a page of this server'),
}

const providerSettings = {
  EKYC_API_URL: setting(parseWebUrl, 'eKYC provider; without it the sandbox'),
  EKYC_CLIENT_ID: setting(parseText, 'Credential of the eKYC provider'),
  EKYC_CLIENT_SECRET: setting(parseText, 'Credential of the eKYC provider'),
  EKYC_PRODUCT_INSTANCE_ID: setting(parseText, 'Credential of the eKYC provider'),
  PROVIDER_TIMEOUT_MS: setting(
    parseInteger(1, 120_000),
    'Timeout of one attempt to call a provider',
    '30000',
  ),
  PROVIDER_RETRIES: setting(parseInteger(0, 10), 'Number of retries after a failed call to a provider', '3'),
  PROVIDER_TOTAL_TIMEOUT_MS: setting(
    parseInteger(1, 110_000),
    'Time that all attempts to call a provider may take within one request',
    '45000',
  ),
  PROVIDER_BREAKER_FAILURES: setting(
    parseInteger(1, 10_000),
    'Consecutive failures after which the circuit breaker of a provider opens',
    '10',
  ),
  PROVIDER_BREAKER_MS: setting(
    parseInteger(1, 3_600_000),
    'How long an open circuit breaker refuses calls before it lets one through',
    '15000',
  ),
  DOCUMENT_HOSTS: setting(
    parseEnum('public', 'any'),
    'Hosts that documents are downloaded from: `public` accepts only https at public addresses; default `public` in production, else `any`',
  ),
  RECONCILE_INITIAL_DELAY_MS: setting(
    parseInteger(1000, 3_600_000),
    'Age at which an open signature or identity check is first reconciled with its provider; later checks back off',
    '300000',
  ),
}

const timeoutSettings = {
  DATABASE_TIMEOUT_MS: setting(
    parseInteger(100, 60_000),
    'Time that all queries of one request may take before it answers 503',
    '2500',
  ),
  BODY_TIMEOUT_MS: setting(parseInteger(100, 110_000), 'Time that the body of a request may take', '15000'),
  KEEP_ALIVE_S: setting(
    parseInteger(4, 240),
    'How long an idle connection stays open; longer than the idle timeout of your load balancer',
    '75',
  ),
  SHUTDOWN_DELAY_MS: setting(
    parseInteger(0, 120_000),
    'How long the server still accepts requests after the signal to stop, while `/health/ready` and `Connection: close` send clients elsewhere; default `5000` in production, else `0`',
  ),
  SHUTDOWN_TIMEOUT_MS: setting(
    parseInteger(0, 600_000),
    'How long a shutdown then waits for requests in flight',
    '50000',
  ),
}

const sandboxSettings = {
  ALLOW_SANDBOX: setting(parseBoolean, 'Permits the sandbox in production', 'false'),
  SANDBOX_OTP: setting(parsePattern(/^\d{6}$/, 'six digits'), 'The OTP of the sandbox channel', '123456'),
  SANDBOX_TOKEN: setting(
    parseText,
    'Bearer token of `/sandbox/messages` and `/sandbox/control`, and the password of the sandbox’s pages; required in production',
  ),
  SANDBOX_EKYC: setting(
    parseEnum('auto', 'manual'),
    'Whether a pending eKYC succeeds by itself on completion (`auto`) or waits for the sandbox’s page',
    'auto',
  ),
}

const limitSettings = {
  OTP_LIMIT_PER_NETWORK: setting(LIMIT, 'OTP requests per phone and network in 15 minutes', '5'),
  OTP_LIMIT_PER_PHONE: setting(LIMIT, 'OTP requests per phone a day', '60'),
  OTP_LIMIT_PER_ADDRESS: setting(LIMIT, 'OTP requests per IP address in 15 minutes', '100'),
  LOGIN_LIMIT_PER_NETWORK: setting(LIMIT, 'Failed password logins per phone and network in 15 minutes', '10'),
  LOGIN_LIMIT_PER_PHONE: setting(LIMIT, 'Failed password logins per phone a day', '100'),
  TENANT_LIMIT_PER_LANDLORD: setting(LIMIT, 'Tenants that a landlord may create in an hour', '100'),
  PASSWORD_HASH_CONCURRENCY: setting(
    parseInteger(1, 64),
    'Passwords hashed at the same time, each with 64 MiB; default one less than the number of processors',
  ),
}

/** Every setting of the server, by its environment variable. */
export const settings = {
  ...serverSettings,
  ...messagingSettings,
  ...esignSettings,
  ...providerSettings,
  ...timeoutSettings,
  ...sandboxSettings,
  ...limitSettings,
}

type Settings = typeof settings

/** The settings as read: one without a default may be undefined. */
export type SettingValues = {
  [K in keyof Settings]:
    | ReturnType<Settings[K]['parse']>
    | (Settings[K]['defaultText'] extends string ? never : undefined)
}

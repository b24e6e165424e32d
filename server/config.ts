import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { availableParallelism } from 'node:os'
import { LoggableError, toErrorText } from './observability/safe-errors'
import { signingAdapters, signingSettings, type SigningProtocol } from './providers/signing/index'
import type { AdapterSetting, AdapterSettings } from './providers/signing/port'

/** Stops the start with one line that names the setting. */
export class ConfigError extends LoggableError {}

type Parse<T> = (text: string) => T
class Wrong extends Error {}
const must = (rule: string): never => {
  throw new Wrong(rule)
}

const text: Parse<string> = value => value
const whole =
  (minimum: number, maximum: number): Parse<number> =>
  value =>
    /^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum
      ? Number(value)
      : must(`a whole number from ${minimum} to ${maximum}`)
const oneOf =
  <const T extends readonly string[]>(...values: T): Parse<T[number]> =>
  value =>
    values.includes(value) ? value : must(`one of ${values.join(', ')}`)
const yesOrNo: Parse<boolean> = value => oneOf('true', 'false')(value) === 'true'
const matching =
  (pattern: RegExp, rule: string): Parse<string> =>
  value =>
    pattern.test(value) ? value : must(rule)
const address =
  (...schemes: string[]): Parse<string> =>
  value =>
    schemes.includes(URL.parse(value)?.protocol ?? '')
      ? value.replace(/\/+$/, '')
      : must(`an address beginning with ${schemes.map(scheme => `${scheme}//`).join(' or ')}`)
const web = address('http:', 'https:')
const CHANNELS = ['sandbox', 'whatsapp', 'sms'] as const
const channels: Parse<(typeof CHANNELS)[number][]> = value => {
  const named = value.split(',').map(oneOf(...CHANNELS))
  return named.length === new Set(named).size && (named.length === 1 || !named.includes('sandbox'))
    ? named
    : must('sandbox alone, or whatsapp and sms in the order in which they are tried')
}
const origins: Parse<string[]> = value =>
  value
    .split(',')
    .map(origin => origin.trim())
    .filter(Boolean)
    .map(origin =>
      URL.parse(origin)?.origin === origin
        ? origin
        : must('origins such as https://app.example.com, separated by commas'),
    )

/** A setting: how it is read, what it is without being set, and what it means (the README holds the same table). */
const setting = <T, D extends string | undefined = undefined>(
  parse: Parse<T>,
  meaning: string,
  fallback?: D,
) => ({ parse, meaning, fallback: fallback as D })

/** How the values of an adapter's settings are read. */
const formats: Record<NonNullable<AdapterSetting['format']>, Parse<string>> = {
  url: web,
  'header-name': matching(/^[a-z0-9-]+$/i, 'the name of a header'),
}

function toSettings<S extends AdapterSettings>(adapterSettings: S) {
  const entries = Object.entries(adapterSettings).map(([name, { format, meaning, fallback }]) => [
    name,
    setting(format ? formats[format] : text, meaning, fallback),
  ])
  return Object.fromEntries(entries) as {
    [K in keyof S]: {
      parse: Parse<string>
      meaning: string
      fallback: S[K] extends { fallback: string } ? string : undefined
    }
  }
}

const protocolMeanings = Object.entries(signingAdapters).map(
  ([protocol, { meaning }]) => `\`${protocol}\`, ${meaning}`,
)

export const settings = {
  NODE_ENV: setting(
    oneOf('development', 'test', 'production'),
    'In `production` secrets are required and the sandbox is refused',
    'development',
  ),
  PORT: setting(whole(0, 65535), 'Port to listen on; `0` takes any free one', '3000'),
  WORKERS: setting(
    whole(1, 64),
    'How many processes serve the port, each with connections to the database and password hashes of its own; one of them runs the jobs',
    '1',
  ),
  HOST: setting(text, 'Address to listen on', '0.0.0.0'),
  PUBLIC_URL: setting(web, 'Where clients reach the server; default `http://localhost:PORT`'),
  DATABASE_URL: setting(
    address('postgres:', 'postgresql:'),
    'PostgreSQL to use; without it one is brought and started. `?prepared=false` at its end goes through a pooler that keeps no prepared statements; `?sslmode=verify-full` (with `&sslrootcert=FILE` for an authority of your own) goes over TLS, `no-verify` without asking who is there',
  ),
  DATABASE_REPLICA_URL: setting(
    address('postgres:', 'postgresql:'),
    'A standby that reads go to while the primary confirms nothing that it does not show',
  ),
  DATA_DIR: setting(text, 'Folder of the embedded database and of the secrets made in development', '.data'),
  TRUSTED_PROXIES: setting(
    whole(0, 10),
    'How many proxies of ours stand before the server: the client’s address is the one that the outermost of them wrote into `X-Forwarded-For`; `0` believes none',
    '0',
  ),
  JWT_SECRET: setting(text, 'Signs access tokens; at least 32 bytes in production, made once in development'),
  JWT_SECRET_SECONDARY: setting(
    text,
    'A second key whose tokens are accepted too while `JWT_SECRET` is being changed',
  ),
  FRONTEND_ORIGIN: setting(origins, 'Origins whose pages may call the API, separated by commas', ''),
  API_VARIANT: setting(
    oneOf('both', 'a', 'b'),
    'Confines the server to one variant of the onboarding API',
    'both',
  ),
  LOG_LEVEL: setting(
    oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'),
    'Least severity that is logged; the audit log is written too unless it is `silent`',
    'info',
  ),
  DISCLOSE_ACCOUNTS: setting(yesOrNo, 'Whether asking for an OTP tells if the number has an account', 'true'),
  MESSAGE_CHANNELS: setting(
    channels,
    '`sandbox`, or how one-time passwords are sent: `whatsapp`, `sms` or both in the order in which they are tried, as in `whatsapp,sms`',
    'sandbox',
  ),
  WHATSAPP_API_URL: setting(web, 'WhatsApp Cloud API with its version', 'https://graph.facebook.com/v23.0'),
  WHATSAPP_PHONE_NUMBER_ID: setting(text, 'Sender of the WhatsApp messages'),
  WHATSAPP_ACCESS_TOKEN: setting(text, 'Credential of the WhatsApp Cloud API'),
  WHATSAPP_TEMPLATE: setting(text, 'Name of the approved authentication template', 'kiraya_otp'),
  WHATSAPP_REMINDER_TEMPLATE: setting(
    text,
    'Name of the approved template that reminds to sign; its two texts are the agreement number and the address',
    'kiraya_sign_reminder',
  ),
  WHATSAPP_LANGUAGE: setting(text, 'Language of the template', 'en_US'),
  MSG91_API_URL: setting(web, 'MSG91, for OTPs by SMS', 'https://control.msg91.com'),
  MSG91_AUTH_KEY: setting(text, 'Credential of MSG91'),
  MSG91_TEMPLATE_ID: setting(text, 'Template of the SMS'),
  MSG91_REMINDER_TEMPLATE_ID: setting(
    text,
    'Flow of the SMS that reminds to sign, with `number` and `url`; without it no reminder goes by SMS',
  ),
  ESIGN_PROTOCOL: setting(
    oneOf(...(Object.keys(signingAdapters) as SigningProtocol[])),
    `How the provider is spoken to: ${protocolMeanings.join(', or ')}`,
    'flexi',
  ),
  ...toSettings(signingSettings),
  ESIGN_REDIRECT_URL: setting(web, 'Where signers go afterwards; default a page of our own'),
  EKYC_API_URL: setting(web, 'eKYC provider; without it the sandbox'),
  EKYC_CLIENT_ID: setting(text, 'Credential of the eKYC provider'),
  EKYC_CLIENT_SECRET: setting(text, 'Credential of the eKYC provider'),
  EKYC_PRODUCT_INSTANCE_ID: setting(text, 'Credential of the eKYC provider'),
  DATABASE_TIMEOUT_MS: setting(
    whole(100, 60_000),
    'What the database may take of one request in all, until it counts as not reachable',
    '2500',
  ),
  BODY_TIMEOUT_MS: setting(whole(100, 110_000), 'How long the body of a request may take to arrive', '15000'),
  KEEP_ALIVE_S: setting(
    whole(4, 240),
    'How long a connection is kept for the next request; longer than a load balancer before the server keeps its own',
    '75',
  ),
  SHUTDOWN_DELAY_MS: setting(
    whole(0, 120_000),
    'How long after the signal to stop everybody is still answered, while `/health/ready` and `Connection: close` send them elsewhere; default `5000` in production, else `0`',
  ),
  SHUTDOWN_TIMEOUT_MS: setting(
    whole(0, 600_000),
    'How long a stop then waits for the requests in flight',
    '50000',
  ),
  PROVIDER_TIMEOUT_MS: setting(whole(1, 120_000), 'Time-out of one call to a provider', '30000'),
  PROVIDER_RETRIES: setting(whole(0, 10), 'How often a call to a provider is tried again', '3'),
  PROVIDER_TOTAL_TIMEOUT_MS: setting(
    whole(1, 110_000),
    'What a provider may take of one request in all',
    '45000',
  ),
  PROVIDER_BREAKER_FAILURES: setting(
    whole(1, 10_000),
    'Calls to a provider that fail in a row until it is left alone',
    '10',
  ),
  PROVIDER_BREAKER_MS: setting(
    whole(1, 3_600_000),
    'How long a failing provider is left alone before one call tries it again',
    '15000',
  ),
  DOCUMENT_HOSTS: setting(
    oneOf('public', 'any'),
    'Where documents are fetched from: `public` takes https at public addresses alone; default `public` in production, else `any`',
  ),
  RECONCILE_INITIAL_DELAY_MS: setting(
    whole(1000, 3_600_000),
    'How long after its start an open signature or identity check is first asked about at its provider; then ever more rarely',
    '300000',
  ),
  OPS_TOKEN: setting(text, 'Bearer token of `/operations` and `/metrics`; without it they are not there'),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    web,
    'Where traces of requests, calls to providers and queries are sent by OTLP over HTTP; without it there are none',
  ),
  RUN_JOBS: setting(
    yesOrNo,
    'Whether this instance runs the jobs (reconciliation, ends of tenure, clean-up)',
    'true',
  ),
  ALLOW_SANDBOX: setting(yesOrNo, 'Permits the sandbox in production', 'false'),
  SANDBOX_OTP: setting(matching(/^\d{6}$/, 'six digits'), 'The OTP of the sandbox channel', '123456'),
  SANDBOX_TOKEN: setting(
    text,
    'Bearer token of `/sandbox/messages` and `/sandbox/control`, and the password of the sandbox’s pages; required in production',
  ),
  SANDBOX_EKYC: setting(
    oneOf('auto', 'manual'),
    'Whether an untouched eKYC succeeds by itself when its completion is asked for',
    'auto',
  ),
  OTP_LIMIT_PER_NETWORK: setting(
    whole(1, 1_000_000),
    'OTP requests per phone and network in 15 minutes',
    '5',
  ),
  OTP_LIMIT_PER_PHONE: setting(whole(1, 1_000_000), 'OTP requests per phone a day', '60'),
  OTP_LIMIT_PER_ADDRESS: setting(whole(1, 1_000_000), 'OTP requests per IP address in 15 minutes', '100'),
  LOGIN_LIMIT_PER_NETWORK: setting(
    whole(1, 1_000_000),
    'Failed password logins per phone and network in 15 minutes',
    '10',
  ),
  PASSWORD_HASH_CONCURRENCY: setting(
    whole(1, 64),
    'Passwords that are hashed at once, each with 64 MiB; further ones wait their turn; default one less than there are processors',
  ),
  LOGIN_LIMIT_PER_PHONE: setting(whole(1, 1_000_000), 'Failed password logins per phone a day', '100'),
  TENANT_LIMIT_PER_LANDLORD: setting(
    whole(1, 1_000_000),
    'Tenants that a landlord may name in an hour',
    '100',
  ),
} as const

type Settings = typeof settings
type Values = {
  [K in keyof Settings]:
    | ReturnType<Settings[K]['parse']>
    | (Settings[K]['fallback'] extends string ? never : undefined)
}
type Secret = 'JWT_SECRET' | 'ESIGN_WEBHOOK_SECRET'
type Derived = 'DOCUMENT_HOSTS' | 'PASSWORD_HASH_CONCURRENCY' | 'SHUTDOWN_DELAY_MS'
export type Config = Readonly<
  Omit<Values, Secret | Derived> &
    Record<Secret, string> & { [K in Derived]: NonNullable<Values[K]> } & {
      /** The keys by which what they sign is accepted: the one in use, and the one beside it while it is being changed. */
      acceptedSecrets: { JWT_SECRET: string[] }
      production: boolean
      sandbox: { messages: boolean; signing: boolean; kyc: boolean }
      /** Limits are twenty times as wide in development with the sandbox channel. */
      rateLimitMultiplier: number
    }
>

/** The one reader of the environment. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const values = Object.fromEntries(
    Object.entries(settings).map(([name, { parse, fallback }]) => {
      const given = env[name]?.trim() || fallback
      try {
        return [name, given === undefined ? undefined : parse(given)]
      } catch (error) {
        if (error instanceof Wrong) throw new ConfigError(`${name} must be ${error.message}`)
        throw error
      }
    }),
  ) as Values
  const production = values.NODE_ENV === 'production'
  const adapter = signingAdapters[values.ESIGN_PROTOCOL]
  const sandbox = {
    messages: values.MESSAGE_CHANNELS.includes('sandbox'),
    signing: adapter.sandbox !== undefined && !values[adapter.urlSetting],
    kyc: !values.EKYC_API_URL,
  }

  const need = (names: (keyof Values)[], why: string) => {
    for (const name of names) if (!values[name]) throw new ConfigError(`${name} is required ${why}`)
  }
  if (!adapter.sandbox) need([adapter.urlSetting], `with ESIGN_PROTOCOL=${values.ESIGN_PROTOCOL}`)
  for (const { urlSetting, settings: ofAdapter } of Object.values(signingAdapters))
    if (values[urlSetting]) need(listSettings(ofAdapter, 'isRequired'), `with ${urlSetting}`)
  if (!sandbox.kyc)
    need(['EKYC_CLIENT_ID', 'EKYC_CLIENT_SECRET', 'EKYC_PRODUCT_INSTANCE_ID'], 'with EKYC_API_URL')
  if (values.MESSAGE_CHANNELS.includes('whatsapp'))
    need(['WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_ACCESS_TOKEN'], 'with MESSAGE_CHANNELS=whatsapp')
  if (values.MESSAGE_CHANNELS.includes('sms'))
    need(['MSG91_AUTH_KEY', 'MSG91_TEMPLATE_ID'], 'with MESSAGE_CHANNELS=sms')

  if (production) {
    const webhookSecrets = listSettings(adapter.settings, 'isRequired', 'isSecret')
    need(['JWT_SECRET', ...webhookSecrets, 'PUBLIC_URL'], 'in production')
    const strong: (keyof Values)[] = [
      'JWT_SECRET',
      'JWT_SECRET_SECONDARY',
      ...listSettings(signingSettings, 'isSecret'),
      'OPS_TOKEN',
    ]
    for (const [at, name] of strong.entries()) {
      const secret = values[name]
      if (typeof secret !== 'string') continue
      if (Buffer.byteLength(secret) < 32)
        throw new ConfigError(`${name} must be at least 32 bytes long in production`)
      if (isGuessable(secret))
        throw new ConfigError(
          `${name} must be made by chance in production, as by openssl rand -base64 48: this one is well known or too regular`,
        )
      const twin = strong.slice(0, at).find(other => values[other] === secret)
      if (twin) throw new ConfigError(`${name} must be other than ${twin} in production`)
    }
    if (!values.PUBLIC_URL!.startsWith('https:'))
      throw new ConfigError('PUBLIC_URL must begin with https:// in production')
    const standIn = Object.entries({
      MESSAGE_CHANNELS: sandbox.messages,
      [adapter.urlSetting]: sandbox.signing,
      EKYC_API_URL: sandbox.kyc,
    }).find(([, used]) => used)?.[0]
    if (standIn) {
      if (!values.ALLOW_SANDBOX)
        throw new ConfigError(
          `${standIn} is required in production: the sandbox is refused unless ALLOW_SANDBOX=true`,
        )
      if (values.SANDBOX_OTP === settings.SANDBOX_OTP.fallback)
        throw new ConfigError('SANDBOX_OTP must be other than the default in production')
      need(['SANDBOX_TOKEN'], 'for the sandbox in production')
    }
  }
  // In production a secret is missing only if the adapter that needs it is not in use.
  const isComplete = production || (values.JWT_SECRET && values.ESIGN_WEBHOOK_SECRET)
  const kept = isComplete ? undefined : keptSecrets(values.DATA_DIR)
  const secrets = {
    JWT_SECRET: values.JWT_SECRET ?? kept?.JWT_SECRET ?? '',
    ESIGN_WEBHOOK_SECRET: values.ESIGN_WEBHOOK_SECRET ?? kept?.ESIGN_WEBHOOK_SECRET ?? '',
  }
  const jwtSecrets = [secrets.JWT_SECRET, values.JWT_SECRET_SECONDARY].filter(secret => secret !== undefined)
  return {
    ...values,
    DATA_DIR: resolve(values.DATA_DIR),
    SHUTDOWN_DELAY_MS: values.SHUTDOWN_DELAY_MS ?? (production ? 5000 : 0),
    DOCUMENT_HOSTS: values.DOCUMENT_HOSTS ?? (production ? 'public' : 'any'),
    PASSWORD_HASH_CONCURRENCY: values.PASSWORD_HASH_CONCURRENCY ?? Math.max(1, availableParallelism() - 1),
    ...secrets,
    acceptedSecrets: { JWT_SECRET: jwtSecrets },
    production,
    sandbox,
    rateLimitMultiplier: !production && sandbox.messages ? 20 : 1,
  }
}

/** The names of an adapter's settings that have all of these marks. */
function listSettings<S extends AdapterSettings>(ofAdapter: S, ...marks: ('isRequired' | 'isSecret')[]) {
  const names = Object.keys(ofAdapter) as (keyof S)[]
  return names.filter(name => marks.every(mark => ofAdapter[name]![mark]))
}

/** Whether somebody who has seen a thousand configurations would try it: a word of everybody's, or a pattern, which can be packed. */
const isGuessable = (secret: string) =>
  /secret|passw(or)?d|change.?me|example|kiraya|qwerty|letmein|default|12345678|abcdefgh|deadbeef/i.test(
    secret,
  ) || deflateRawSync(secret).length < 20

/** Development's secrets: made once, whole or not at all, so that tokens outlive a restart. */
function keptSecrets(dataDir: string): Record<Secret, string> {
  const file = join(dataDir, 'secrets.json')
  const fresh = `${file}.${process.pid}`
  const random = () => randomBytes(32).toString('base64url')
  try {
    if (!existsSync(file)) {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 })
      writeFileSync(fresh, JSON.stringify({ JWT_SECRET: random(), ESIGN_WEBHOOK_SECRET: random() }), {
        mode: 0o600,
      })
      try {
        linkSync(fresh, file)
      } catch (error) {
        if (!existsSync(file)) throw error // another instance was first: its secrets stand
      }
      unlinkSync(fresh)
    }
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    return [kept.JWT_SECRET, kept.ESIGN_WEBHOOK_SECRET].every(secret => typeof secret === 'string' && secret)
      ? kept
      : must('two secrets')
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR must be a folder that can be written, with a whole secrets.json or none: ${error instanceof Wrong ? error.message : toErrorText(error)}`,
    )
  }
}

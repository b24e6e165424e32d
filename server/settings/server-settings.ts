import { setting } from './declaration'
import {
  parseBoolean,
  parseDatabaseUrl,
  parseEnum,
  parseInteger,
  parseKey,
  parseOrigins,
  parseText,
  parseWebUrl,
} from './parsers'

export const serverSettings = {
  NODE_ENV: setting(
    parseEnum('development', 'test', 'production'),
    '`production` requires secrets and refuses the sandbox',
    'development',
  ),
  PORT: setting(parseInteger(0, 65535), 'Port to listen on; `0` takes any free one', '3000'),
  WORKERS: setting(
    parseInteger(1, 64),
    'Number of processes that share the port. Each has its own connection pool and password ' +
      'hashing; one runs the jobs',
    '1',
  ),
  HOST: setting(parseText, 'Address to listen on', '0.0.0.0'),
  PUBLIC_URL: setting(parseWebUrl, 'URL at which clients reach the server; default `http://localhost:PORT`'),
  DATABASE_URL: setting(
    parseDatabaseUrl,
    'PostgreSQL database; without it an embedded one is started. `?prepared=false` is for a ' +
      'pooler without prepared statements. `?sslmode=verify-full` (with `&sslrootcert=FILE` for ' +
      'your own authority) uses TLS, `no-verify` without checking the certificate',
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
    'Number of your proxies before the server. The client’s address is what the outermost one ' +
      'wrote into `X-Forwarded-For`; `0` ignores the header',
    '0',
  ),
  JWT_SECRET: setting(
    parseText,
    'Signs access tokens; at least 32 bytes in production, generated in development',
  ),
  JWT_SECRET_SECONDARY: setting(parseText, 'Second key that is accepted while you rotate `JWT_SECRET`'),
  CREDENTIALS_KEY: setting(
    parseKey,
    'Encrypts stored PANs: 32 random bytes in base64; required in production, else derived from `JWT_SECRET`',
  ),
  CREDENTIALS_KEY_SECONDARY: setting(
    parseKey,
    'Second key that still decrypts while you rotate `CREDENTIALS_KEY`',
  ),
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
    parseEnum('full', 'masked', 'none'),
    'User in OTP responses: `full`, `masked` (initials), `none`; default `full`, in production `masked`',
  ),
  OPS_TOKEN: setting(parseText, 'Bearer token of `/operations` and `/metrics`; without it both answer 404'),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    parseWebUrl,
    'OTLP endpoint (HTTP) for traces of requests, provider calls and queries; without it tracing is off',
  ),
  INVITATION_DAYS: setting(parseInteger(1, 90), 'Days until an invitation expires', '14'),
  RUN_JOBS: setting(
    parseBoolean,
    'Whether this instance runs the jobs (reconciliation, ends of tenure, clean-up)',
    'true',
  ),
}

export const timeoutSettings = {
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
    'How long the server still accepts requests after the signal to stop, while `/health/ready` ' +
      'and `Connection: close` send clients elsewhere; default `5000` in production, else `0`',
  ),
  SHUTDOWN_TIMEOUT_MS: setting(
    parseInteger(0, 600_000),
    'How long a shutdown then waits for requests in flight',
    '50000',
  ),
}

const LIMIT = parseInteger(1, 1_000_000)

export const limitSettings = {
  OTP_LIMIT_PER_NETWORK: setting(LIMIT, 'OTP requests per phone and network in 15 minutes', '5'),
  OTP_LIMIT_PER_PHONE: setting(
    LIMIT,
    'OTP requests per phone a day; beyond them still one in 15 minutes',
    '60',
  ),
  OTP_LIMIT_PER_ADDRESS: setting(LIMIT, 'OTP requests per IP address in 15 minutes', '100'),
  OTP_LIMIT_PER_SITE: setting(LIMIT, 'OTP requests per IPv4 /24 or IPv6 /48 in 15 minutes', '300'),
  OTP_LIMIT_TOTAL: setting(LIMIT, 'OTP requests of the whole service in an hour', '5000'),
  WRONG_OTP_LIMIT_PER_SITE: setting(LIMIT, 'Wrong OTPs per IPv4 /24 or IPv6 /48 in 15 minutes', '100'),
  WRONG_OTP_LIMIT_TOTAL: setting(
    LIMIT,
    'Wrong OTPs of the whole service in an hour, with the sandbox channel: its OTP is always the same',
    '100',
  ),
  LOGIN_LIMIT_PER_NETWORK: setting(LIMIT, 'Failed password logins per phone and network in 15 minutes', '10'),
  LOGIN_LIMIT_PER_PHONE: setting(LIMIT, 'Failed password logins per phone a day', '100'),
  LOGIN_LIMIT_ACROSS_PHONES: setting(
    LIMIT,
    'Failed password logins per network in 15 minutes, whatever the phone',
    '100',
  ),
  TENANT_LIMIT_PER_LANDLORD: setting(LIMIT, 'Tenants that a landlord may create in an hour', '100'),
  PROPERTY_LIMIT_PER_LANDLORD: setting(LIMIT, 'Properties that a landlord may list in a day', '5000'),
  CHANGE_LIMIT_PER_AGREEMENT: setting(
    LIMIT,
    'Changes of an agreement, requests for its signatures and drafts of its next term a day, which its timeline keeps',
    '500',
  ),
  ADDRESS_LIMIT_PER_PROPERTY: setting(
    LIMIT,
    'Changes of the address of a building a day that drafts of other landlords note',
    '20',
  ),
  CHARGE_LIMIT_PER_AGREEMENT: setting(
    LIMIT,
    'Charges and credits a day that may be posted by hand for an agreement',
    '100',
  ),
  PAYMENT_LIMIT_PER_AGREEMENT: setting(
    LIMIT,
    'Payments and refunds a day that may be recorded for an agreement, with changes of them',
    '100',
  ),
  PROPOSAL_LIMIT_PER_AGREEMENT: setting(
    LIMIT,
    'Proposals a day for an agreement: settlements of the deposit and rents together',
    '20',
  ),
  STRANGER_AGREEMENT_LIMIT: setting(
    LIMIT,
    'Open agreements of a landlord that name the same person, until they first sign for that landlord',
    '5',
  ),
  STRANGER_REQUEST_LIMIT: setting(
    LIMIT,
    'Requests of a landlord’s side a day that the same person signs, until they first sign for that landlord',
    '10',
  ),
  STRANGER_REMINDER_LIMIT: setting(
    LIMIT,
    'Reminders of all landlords to the same phone a day, of landlords for whom that person has never signed',
    '5',
  ),
  REMINDER_LIMIT_PER_PHONE: setting(LIMIT, 'Reminders of one landlord to the same phone a day', '20'),
  INVITATION_LIMIT_PER_PHONE: setting(LIMIT, 'Messages with an invitation to the same phone a day', '3'),
  INVITATION_LIMIT_TOTAL: setting(
    LIMIT,
    'Messages with an invitation of the whole service in an hour',
    '500',
  ),
  PARTIES: setting(
    parseEnum('any', 'named'),
    'Who can be named as a tenant or manager by id: `any` user, or only those whom the landlord’s side has ' +
      '`named` by phone number; default `named` in production, else `any`',
  ),
  PASSWORD_HASH_CONCURRENCY: setting(
    parseInteger(1, 64),
    'Passwords hashed at the same time, each with 64 MiB; default one less than the number of processors',
  ),
}

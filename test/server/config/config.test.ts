import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, readConfig, settings } from '../../../server/config'

const long = 'wq8Z0vNf3m1TtYb7rPzGk2dLx5sHcJ9u'
const other = 'Gd4kV7nXw2QpLs9ZtRb6yMf1hJc8uE3a'
const development = { JWT_SECRET: 'short', ESIGN_WEBHOOK_SECRET: 'short' }
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://api.example.com',
  DATABASE_URL: 'postgresql://db/kiraya',
  JWT_SECRET: long,
  ESIGN_WEBHOOK_SECRET: other,
  MESSAGE_CHANNELS: 'whatsapp',
  WHATSAPP_PHONE_NUMBER_ID: '1',
  WHATSAPP_ACCESS_TOKEN: 'x',
  ESIGN_API_URL: 'https://esign.example.com',
  ESIGN_CLIENT_ID: 'x',
  ESIGN_CLIENT_SECRET: 'x',
  ESIGN_PRODUCT_INSTANCE_ID: 'x',
  EKYC_API_URL: 'https://ekyc.example.com',
  EKYC_CLIENT_ID: 'x',
  EKYC_CLIENT_SECRET: 'x',
  EKYC_PRODUCT_INSTANCE_ID: 'x',
}
type Env = Record<string, string | undefined>
const refusal = (env: Env): string => {
  try {
    readConfig(env)
    return 'none'
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message
  }
}
const inFolder = async (work: (folder: string) => Promise<void>) => {
  const folder = await mkdtemp('/tmp/kiraya-config-')
  await work(folder).finally(() => rm(folder, { recursive: true }))
}

describe('without any setting', () => {
  test('the defaults are those of a development machine', () => {
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
      DISCLOSE_ACCOUNTS: true,
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
      LOGIN_LIMIT_PER_NETWORK: 10,
      LOGIN_LIMIT_PER_PHONE: 100,
      TENANT_LIMIT_PER_LANDLORD: 100,
      production: false,
      sandbox: { messages: true, signing: true, kyc: true },
      leniency: 20,
    })
  })

  test('an empty setting is none, and blanks around one do not count', () => {
    expect(readConfig({ ...development, PORT: '', API_VARIANT: '  ', LOG_LEVEL: ' warn ' })).toMatchObject({
      PORT: 3000,
      API_VARIANT: 'both',
      LOG_LEVEL: 'warn',
    })
  })
})

describe('a wrong setting is refused in one line that names it', () => {
  const wrong: Record<string, string[]> = {
    NODE_ENV: ['prod', 'Production'],
    PORT: ['x', '-1', '65536', '3000.5', '1e3', '0x10'],
    TRUSTED_PROXIES: ['-1', '11', 'true'],
    PASSWORD_HASH_CONCURRENCY: ['0', '65'],
    WORKERS: ['0', '65', '-1', '1.5', 'auto'],
    PUBLIC_URL: ['x', 'ftp://x', 'localhost:3000', '//x'],
    DATABASE_URL: ['x', 'mysql://x', 'http://x'],
    DATABASE_REPLICA_URL: ['x', 'mysql://x', 'http://x'],
    OTEL_EXPORTER_OTLP_ENDPOINT: ['x', 'ftp://x', 'localhost:4318'],
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
    DISCLOSE_ACCOUNTS: ['yes', '1', 'TRUE'],
    MESSAGE_CHANNELS: ['email', 'WhatsApp', 'whatsapp,whatsapp', 'sandbox,sms', 'sms,'],
    SANDBOX_OTP: ['12345', '1234567', '12345x'],
    SANDBOX_EKYC: ['x'],
    ALLOW_SANDBOX: ['yes'],
    RUN_JOBS: ['no'],
    ESIGN_API_URL: ['x'],
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
    ESIGN_PROTOCOL: ['Flexi', 'soap', 'native,flexi'],
    ESIGN_WEBHOOK_HEADER: ['a b', 'x:y', 'é'],
    ESIGN_REDIRECT_URL: ['javascript:alert(1)', 'x'],
    PROVIDER_TIMEOUT_MS: ['0', '-5', '30s'],
    PROVIDER_RETRIES: ['-1', '11'],
    PROVIDER_TOTAL_TIMEOUT_MS: ['0', '200000'],
    OTP_LIMIT_PER_NETWORK: ['0', 'many', '-1'],
    OTP_LIMIT_PER_PHONE: ['0'],
    OTP_LIMIT_PER_ADDRESS: ['0'],
    LOGIN_LIMIT_PER_NETWORK: ['0'],
    LOGIN_LIMIT_PER_PHONE: ['0'],
    TENANT_LIMIT_PER_LANDLORD: ['0'],
    WHATSAPP_API_URL: ['x'],
    MSG91_API_URL: ['x'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      test(`${name}=${value}`, () => {
        const message = refusal({ ...development, [name]: value })
        expect(message).toStartWith(`${name} must be `)
        expect(message).not.toContain('\n')
      })
    }
  }

  test('every setting is tried here, but those that may be any text', () => {
    const free = [
      'HOST',
      'DATA_DIR',
      'JWT_SECRET',
      'JWT_SECRET_SECONDARY',
      'ESIGN_WEBHOOK_SECRET_SECONDARY',
      'WHATSAPP_PHONE_NUMBER_ID',
      'WHATSAPP_ACCESS_TOKEN',
      'WHATSAPP_TEMPLATE',
      'WHATSAPP_REMINDER_TEMPLATE',
      'MSG91_REMINDER_TEMPLATE_ID',
      'WHATSAPP_LANGUAGE',
      'MSG91_AUTH_KEY',
      'MSG91_TEMPLATE_ID',
      'ESIGN_CLIENT_ID',
      'ESIGN_CLIENT_SECRET',
      'ESIGN_PRODUCT_INSTANCE_ID',
      'ESIGN_WEBHOOK_SECRET',
      'EKYC_CLIENT_ID',
      'EKYC_CLIENT_SECRET',
      'EKYC_PRODUCT_INSTANCE_ID',
      'SANDBOX_TOKEN',
      'OPS_TOKEN',
    ]
    expect(Object.keys(settings).filter(name => !wrong[name] && !free.includes(name))).toEqual([])
  })

  test('the value of a secret is not in the line', () => {
    for (const env of [
      { ...production, JWT_SECRET: 'hushhush' },
      { ...production, ESIGN_WEBHOOK_SECRET: 'hushhush' },
      { ...development, DATABASE_URL: 'x://user:hushhush@db' },
    ])
      expect(refusal(env)).not.toContain('hushhush')
  })
})

describe('what belongs together', () => {
  const table: [string, Env, string][] = [
    ...['ESIGN_CLIENT_ID', 'ESIGN_CLIENT_SECRET', 'ESIGN_PRODUCT_INSTANCE_ID', 'ESIGN_WEBHOOK_SECRET'].map(
      (name): [string, Env, string] => [
        name,
        { ...production, [name]: undefined, NODE_ENV: 'development' },
        `${name} is required with ESIGN_API_URL`,
      ],
    ),
    ...['EKYC_CLIENT_ID', 'EKYC_CLIENT_SECRET', 'EKYC_PRODUCT_INSTANCE_ID'].map(
      (name): [string, Env, string] => [
        name,
        { ...production, [name]: undefined },
        `${name} is required with EKYC_API_URL`,
      ],
    ),
    ...['WHATSAPP_PHONE_NUMBER_ID', 'WHATSAPP_ACCESS_TOKEN'].map((name): [string, Env, string] => [
      name,
      { ...production, [name]: undefined },
      `${name} is required with MESSAGE_CHANNELS=whatsapp`,
    ]),
    ...['MSG91_AUTH_KEY', 'MSG91_TEMPLATE_ID'].map((name): [string, Env, string] => [
      name,
      {
        ...production,
        MESSAGE_CHANNELS: 'sms',
        MSG91_AUTH_KEY: 'x',
        MSG91_TEMPLATE_ID: 'x',
        [name]: undefined,
      },
      `${name} is required with MESSAGE_CHANNELS=sms`,
    ]),
  ]
  for (const [name, env, message] of table)
    test(`${name}: ${message}`, () => expect(refusal(env)).toBe(message))
})

describe('production', () => {
  const sandbox = {
    ...production,
    MESSAGE_CHANNELS: undefined,
    ALLOW_SANDBOX: 'true',
    SANDBOX_OTP: '864209',
    SANDBOX_TOKEN: 'a token',
  }

  test('is served with all that it needs, its limits are as given', () =>
    expect(readConfig(production)).toMatchObject({
      production: true,
      leniency: 1,
      SHUTDOWN_DELAY_MS: 5000,
      sandbox: { messages: false, signing: false, kyc: false },
    }))

  for (const name of ['JWT_SECRET', 'ESIGN_WEBHOOK_SECRET', 'PUBLIC_URL'])
    test(`${name} is required`, () =>
      expect(refusal({ ...production, [name]: undefined })).toStartWith(`${name} is required`))

  const third = '5fT0qYc9WmK3xRb8Zs1LpHv6NdJg2UeA7iOk'
  for (const name of [
    'JWT_SECRET',
    'JWT_SECRET_SECONDARY',
    'ESIGN_WEBHOOK_SECRET',
    'ESIGN_WEBHOOK_SECRET_SECONDARY',
    'OPS_TOKEN',
  ]) {
    test(`${name} has at least 32 bytes`, () => {
      expect(refusal({ ...production, [name]: third.slice(0, 31) })).toBe(
        `${name} must be at least 32 bytes long in production`,
      )
      expect(refusal({ ...production, [name]: third.slice(0, 32) })).toBe('none')
    })

    test(`${name} is nobody's first guess`, () => {
      const known = [
        'x'.repeat(64),
        'ab'.repeat(20),
        '0123456789'.repeat(4),
        '12345678901234567890123456789012',
        'abcdefghijklmnopqrstuvwxyz0123456789',
        'your-256-bit-secret-your-256-bit-secret',
        'Password1Password2Password3Password4',
        'change-me-to-something-that-is-long-enough',
        'CHANGEME-w8Z0vNf3m1TtYb7rPzGk2dLx5sHcJ',
        'https://example.com/wq8Z0vNf3m1TtYb7',
        'deadbeef9f3c1b7a2e4d6f80deadbeef',
      ]
      for (const secret of known)
        expect([secret, refusal({ ...production, [name]: secret })]).toEqual([
          secret,
          expect.stringMatching(new RegExp(`^${name} must be made by chance`)),
        ])
    })

    test(`${name} as made by openssl or by hand is taken`, () => {
      for (let n = 0; n < 40; n++)
        for (const coding of ['base64', 'hex', 'base64url'] as const)
          expect(refusal({ ...production, [name]: randomBytes(n % 2 ? 32 : 48).toString(coding) })).toBe(
            'none',
          )
    })
  }

  test('no two of them are the same', () => {
    expect(refusal({ ...production, ESIGN_WEBHOOK_SECRET: long })).toBe(
      'ESIGN_WEBHOOK_SECRET must be other than JWT_SECRET in production',
    )
    expect(refusal({ ...production, JWT_SECRET_SECONDARY: long })).toBe(
      'JWT_SECRET_SECONDARY must be other than JWT_SECRET in production',
    )
    expect(refusal({ ...production, OPS_TOKEN: other })).toBe(
      'OPS_TOKEN must be other than ESIGN_WEBHOOK_SECRET in production',
    )
  })

  test('PUBLIC_URL begins with https://', () => {
    for (const url of ['http://api.example.com', 'http://localhost:3000', 'HTTP://api.example.com'])
      expect(refusal({ ...production, PUBLIC_URL: url })).toBe(
        'PUBLIC_URL must begin with https:// in production',
      )
  })

  test('a secret of blanks is none', () => {
    for (const name of ['JWT_SECRET', 'ESIGN_WEBHOOK_SECRET'])
      expect(refusal({ ...production, [name]: ' '.repeat(40) })).toStartWith(`${name} is required`)
  })

  for (const name of ['MESSAGE_CHANNELS', 'ESIGN_API_URL', 'EKYC_API_URL']) {
    test(`the sandbox is refused where ${name} is not set`, () => {
      const refused = refusal({ ...production, [name]: undefined })
      expect(refused).toStartWith(`${name} is required in production`)
      expect(refused).toContain('ALLOW_SANDBOX=true')
    })

    test(`it is permitted for ${name} with ALLOW_SANDBOX, another SANDBOX_OTP and a SANDBOX_TOKEN`, () => {
      const env = { ...sandbox, MESSAGE_CHANNELS: 'whatsapp', [name]: undefined }
      expect(refusal(env)).toBe('none')
      expect(refusal({ ...env, ALLOW_SANDBOX: 'false' })).toStartWith(`${name} is required`)
      expect(refusal({ ...env, SANDBOX_OTP: undefined })).toStartWith('SANDBOX_OTP must be')
      expect(refusal({ ...env, SANDBOX_OTP: '123456' })).toStartWith('SANDBOX_OTP must be')
      expect(refusal({ ...env, SANDBOX_TOKEN: undefined })).toStartWith('SANDBOX_TOKEN is required')
    })
  }

  test('limits are not widened there, even with the sandbox', () =>
    expect(readConfig(sandbox).rateLimitMultiplier).toBe(1))
  test('in development with a real channel neither', () =>
    expect(readConfig({ ...production, NODE_ENV: 'development' }).rateLimitMultiplier).toBe(1))
})

describe("development's secrets", () => {
  test('are made once, kept in DATA_DIR for the owner alone, and the same at the next start', () =>
    inFolder(async folder => {
      const env = { DATA_DIR: join(folder, 'below') }
      const first = readConfig(env)
      expect(readConfig(env)).toEqual(first)
      expect(Buffer.from(first.JWT_SECRET, 'base64url')).toHaveLength(32)
      expect(first.JWT_SECRET).not.toBe(first.ESIGN_WEBHOOK_SECRET)
      expect([
        (await stat(join(env.DATA_DIR, 'secrets.json'))).mode & 0o777,
        (await stat(env.DATA_DIR)).mode & 0o777,
      ]).toEqual([0o600, 0o700])
      expect(await readdir(env.DATA_DIR)).toEqual(['secrets.json'])
    }))

  test('give way to what is set, one by one', () =>
    inFolder(async folder => {
      const kept = readConfig({ DATA_DIR: folder })
      expect(readConfig({ DATA_DIR: folder, JWT_SECRET: 'mine' })).toMatchObject({
        JWT_SECRET: 'mine',
        ESIGN_WEBHOOK_SECRET: kept.ESIGN_WEBHOOK_SECRET,
      })
    }))

  test('are made by one of those that start at once, and read by all', () =>
    inFolder(async folder => {
      const code = `import { readConfig } from './server/config'; console.log(readConfig({ DATA_DIR: process.env.FOLDER }).JWT_SECRET)`
      const starts = Array.from({ length: 8 }, () =>
        Bun.spawn([process.execPath, '-e', code], {
          cwd: `${import.meta.dir}/../../..`,
          env: { ...process.env, FOLDER: folder },
          stdout: 'pipe',
          stderr: 'inherit',
        }),
      )
      const secrets = await Promise.all(starts.map(start => new Response(start.stdout).text()))
      expect(new Set(secrets)).toEqual(
        new Set([`${JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')).JWT_SECRET}\n`]),
      )
    }))

  for (const content of ['', '{', '{}', 'null', '{"JWT_SECRET":5}']) {
    test(`a file that says ${content || 'nothing'} is refused in one line`, () =>
      inFolder(async folder => {
        await writeFile(join(folder, 'secrets.json'), content)
        expect(refusal({ DATA_DIR: folder })).toMatch(/^DATA_DIR .*secrets\.json.*$/)
      }))
  }

  test('a DATA_DIR that is no folder is refused in one line', () =>
    inFolder(async folder => {
      await writeFile(join(folder, 'file'), '')
      for (const DATA_DIR of [join(folder, 'file'), join(folder, 'file', 'below')])
        expect(refusal({ DATA_DIR })).toMatch(/^DATA_DIR must be .*$/)
    }))
})

describe('the program', () => {
  for (const [name, env] of Object.entries({
    PORT: { PORT: 'x' },
    JWT_SECRET: { NODE_ENV: 'production' },
    API_VARIANT: { API_VARIANT: 'c' },
  } as Record<string, Env>)) {
    test(`stops with one line on stderr that names ${name}, status 1`, async () => {
      const start = Bun.spawn([process.execPath, 'server/index.ts'], {
        cwd: `${import.meta.dir}/../../..`,
        env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
        stdout: 'pipe',
        stderr: 'pipe',
      })
      const [said, printed, status] = await Promise.all([
        new Response(start.stderr).text(),
        new Response(start.stdout).text(),
        start.exited,
      ])
      expect([status, printed, said.split('\n').length]).toEqual([1, '', 2])
      expect(said).toContain(` ${name} `)
    })
  }
})

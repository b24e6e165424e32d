import { join } from 'node:path'

const root = join(import.meta.dir, '../../..')

/** Recognizable values that must not appear in any log line. */
export const canaries = {
  phone: '9871203465',
  'other phone': '8612309745',
  'first name': 'Zebulonqx',
  'last name': 'Quandaryvz',
  'e-mail': 'zq.canary@example.com',
  password: 'passcanary-kx93jd-long',
  Aadhaar: '734512908867',
  'Aadhaar in groups': '7345 1290 8867',
  photo: 'PHOTOCANARYbase64',
  XML: '<KycCanary',
  birthday: '17-03-1971',
  'WhatsApp token': 'wa-canary-token',
  'MSG91 key': 'msg91-canary-key',
  'e-sign secret': 'esign-canary-secret',
  'eKYC secret': 'ekyc-canary-secret',
  'webhook secret': 'wq8Z0vNf3m1TtYb7rPzGk2dLx5sHcJ9uWb',
  'JWT secret': 'Gd4kV7nXw2QpLs9ZtRb6yMf1hJc8uE3aJw',
  'credentials key': 'p0Jd8sVq3nXtLr5wYk2ZbHf7mCg9uEa1TiOxNvQyRzE=',
  'operations token': '5fT0qYc9WmK3xRb8Zs1LpHv6NdJg2UeA7iOp',
  'Idempotency-Key': 'idem-canary-key',
  'database password': 'db-canary-password',
  'free text': 'freetextcanary',
}
export const everything = Object.values(canaries).join(' | ')
export const aadhaar = {
  name: `${canaries['first name']} ${canaries['last name']}`,
  dateOfBirth: canaries.birthday,
  photo: canaries.photo,
  aadhaarNumber: canaries.Aadhaar,
}

/** Returns the names of the canaries that the output contains. */
export function findLeaks(output: string, more: Record<string, string> = {}) {
  const isLeaked = ([name, text]: [string, string]) =>
    name === 'OTP'
      ? new RegExp(`(?<![\\w.-])${text}(?![\\w-])`).test(output)
      : output.toLowerCase().includes(text.toLowerCase())
  return Object.entries({ ...canaries, ...more })
    .filter(isLeaked)
    .map(([name]) => name)
}

type Provider = { url: string; authorityFile: string }

function createSettings({ url: providerUrl, authorityFile }: Provider) {
  return {
    NODE_EXTRA_CA_CERTS: authorityFile,
    NODE_ENV: 'production',
    PORT: '0',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://api.example.com',
    LOG_LEVEL: 'debug',
    MESSAGE_CHANNELS: 'whatsapp,sms',
    DOCUMENT_CHECK: 'false',
    PROVIDER_RETRIES: '0',
    PROVIDER_TIMEOUT_MS: '500',
    PROVIDER_TOTAL_TIMEOUT_MS: '1000',
    PROVIDER_BREAKER_FAILURES: '1000',
    JWT_SECRET: canaries['JWT secret'],
    CREDENTIALS_KEY: canaries['credentials key'],
    OPS_TOKEN: canaries['operations token'],
    WHATSAPP_API_URL: `${providerUrl}/v23.0`,
    WHATSAPP_PHONE_NUMBER_ID: '1060123',
    WHATSAPP_ACCESS_TOKEN: canaries['WhatsApp token'],
    MSG91_API_URL: providerUrl,
    MSG91_AUTH_KEY: canaries['MSG91 key'],
    MSG91_TEMPLATE_ID: 't',
    ESIGN_API_URL: providerUrl,
    ESIGN_CLIENT_ID: 'i',
    ESIGN_CLIENT_SECRET: canaries['e-sign secret'],
    ESIGN_PRODUCT_INSTANCE_ID: 'p',
    ESIGN_WEBHOOK_SECRET: canaries['webhook secret'],
    EKYC_API_URL: providerUrl,
    EKYC_CLIENT_ID: 'i',
    EKYC_CLIENT_SECRET: canaries['eKYC secret'],
    EKYC_PRODUCT_INSTANCE_ID: 'p',
    OTP_LIMIT_PER_NETWORK: '1000',
    OTP_LIMIT_PER_PHONE: '1000',
    OTP_LIMIT_PER_ADDRESS: '1000',
    OTP_LIMIT_PER_SITE: '1000',
    WRONG_OTP_LIMIT_PER_SITE: '1000',
    TENANT_LIMIT_PER_LANDLORD: '1000',
    LOGIN_LIMIT_PER_NETWORK: '1000',
    LOGIN_LIMIT_PER_PHONE: '1000',
    LOGIN_LIMIT_ACROSS_PHONES: '1000',
  }
}

const children = new Set<Bun.Subprocess>()
export function killServers() {
  for (const child of children) child.kill('SIGKILL')
}

/** Starts the server in production mode, and collects the output of the log and the runtime. */
export function startProductionServer(
  provider: Provider,
  settings: Record<string, string>,
  ...flags: string[]
) {
  const child = Bun.spawn([process.execPath, ...flags, 'server/index.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...createSettings(provider), ...settings },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  children.add(child)
  let output = ''
  const read = Promise.all(
    [child.stdout, child.stderr].map(async stream => {
      for await (const chunk of stream.pipeThrough(new TextDecoderStream())) output += chunk
    }),
  )
  return {
    output: () => output,
    lines: () => output.trim().split('\n'),
    waitFor: async (pattern: RegExp) => {
      for (const start = performance.now(); performance.now() - start < 30_000; await Bun.sleep(10))
        if (pattern.test(output)) return
      throw new Error(`The output does not match ${pattern}: ${output}`)
    },
    end: async (signal?: NodeJS.Signals) => {
      if (signal) child.kill(signal)
      await read
      return child.exited
    },
  }
}
export type ProductionServer = ReturnType<typeof startProductionServer>

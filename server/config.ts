import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { ConfigError } from './settings/config-error'
import type { Constants } from './settings/constants'
import { deriveDevelopmentSecret, loadDevelopmentSecret } from './settings/development-secrets'
import { InvalidSetting } from './settings/parsers'
import { findProblems, requiredSecrets, type RequiredSecret, type SandboxUse } from './settings/requirements'
import { settings, type SettingValues } from './settings/table'
import { signingAdapters } from './providers/signing/index'

export { ConfigError, settings }

type Environment = Record<string, string | undefined>
type Derived =
  | 'CREDENTIALS_KEY'
  | 'DISCLOSE_ACCOUNTS'
  | 'DOCUMENT_CHECK'
  | 'DOCUMENT_HOSTS'
  | 'PARTIES'
  | 'PASSWORD_HASH_CONCURRENCY'
  | 'SHUTDOWN_DELAY_MS'

/** The settings as the server uses them, with what follows from them. */
export type Config = Readonly<
  Omit<SettingValues, RequiredSecret | Derived> &
    Record<RequiredSecret, string> & { [K in Derived]: NonNullable<SettingValues[K]> } & {
      /** The secrets that verification accepts: the current one, and the secondary one during a rotation. */
      acceptedSecrets: { JWT_SECRET: string[]; CREDENTIALS_KEY: string[] }
      isProduction: boolean
      /** Which providers the sandbox replaces. */
      sandbox: SandboxUse
      /** Rate limits are twenty times as high in development with the sandbox channel. */
      rateLimitMultiplier: number
    }
>

/** Reads the environment; nothing else does. `constants` are a test's, instead of production's. */
export function readConfig(env: Environment, constants: Partial<Constants> = {}): Config {
  const { values, invalid } = parseSettings(env)
  const isProduction = values.NODE_ENV === 'production'
  const adapter = signingAdapters[values.ESIGN_PROTOCOL]
  const sandbox: SandboxUse = {
    messages: values.MESSAGE_CHANNELS.includes('sandbox'),
    signing: adapter.sandbox !== undefined && !values[adapter.urlSetting],
    kyc: !values.EKYC_API_URL,
  }
  requireNoProblems(invalid, findProblems(values, sandbox))

  const secrets = getSecrets(values, isProduction)
  // Production does not start without one.
  const credentialsKey =
    values.CREDENTIALS_KEY ?? deriveDevelopmentSecret(secrets.JWT_SECRET, 'CREDENTIALS_KEY')
  return {
    ...values,
    ...secrets,
    DATA_DIR: resolve(values.DATA_DIR),
    CREDENTIALS_KEY: credentialsKey,
    SHUTDOWN_DELAY_MS: values.SHUTDOWN_DELAY_MS ?? (isProduction ? 5000 : 0),
    DISCLOSE_ACCOUNTS: values.DISCLOSE_ACCOUNTS ?? (isProduction ? 'masked' : 'full'),
    DOCUMENT_HOSTS: values.DOCUMENT_HOSTS ?? (isProduction ? 'public' : 'any'),
    DOCUMENT_CHECK: values.DOCUMENT_CHECK ?? isProduction,
    PARTIES: values.PARTIES ?? (isProduction ? 'named' : 'any'),
    PASSWORD_HASH_CONCURRENCY: values.PASSWORD_HASH_CONCURRENCY ?? Math.max(1, availableParallelism() - 1),
    acceptedSecrets: {
      JWT_SECRET: withSecondary(secrets.JWT_SECRET, values.JWT_SECRET_SECONDARY),
      CREDENTIALS_KEY: withSecondary(credentialsKey, values.CREDENTIALS_KEY_SECONDARY),
    },
    isProduction,
    sandbox,
    rateLimitMultiplier: !isProduction && sandbox.messages ? 20 : 1,
    ...constants,
  }
}

/** Settings that are wrong have their defaults, so that the others can be checked too. */
function parseSettings(env: Environment) {
  const invalid = new Map<string, string>()
  const entries = Object.entries(settings).map(([name, { parse, defaultText }]) => {
    const parseText = (text?: string) => (text === undefined ? undefined : parse(text))
    try {
      return [name, parseText(env[name]?.trim() || defaultText)]
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error
      invalid.set(name, `${name} must be ${error.message}`)
      return [name, parseText(defaultText)]
    }
  })
  return { values: Object.fromEntries(entries) as SettingValues, invalid }
}

/** Names every setting that has a problem, each with its first one, so that one start shows them all. */
function requireNoProblems(invalid: Map<string, string>, found: string[]) {
  const problems = new Map(invalid)
  for (const sentence of found) {
    const [name = ''] = sentence.split(' ')
    if (!problems.has(name)) problems.set(name, sentence)
  }
  const [first, ...others] = problems.values()
  if (first === undefined) return
  throw new ConfigError(
    others.length === 0 ? first : ['correct these settings:', first, ...others].join('\n  '),
  )
}

/** In production only a secret that the chosen e-signing adapter does not use can be missing; it is empty. */
function getSecrets(values: SettingValues, isProduction: boolean) {
  const isComplete = requiredSecrets.every(name => values[name])
  const generated = isComplete || isProduction ? undefined : loadDevelopmentSecret(values.DATA_DIR)
  const generate = (name: RequiredSecret) => {
    if (generated === undefined) return ''
    return name === 'JWT_SECRET' ? generated : deriveDevelopmentSecret(generated, name)
  }
  const entries = requiredSecrets.map(name => [name, values[name] ?? generate(name)])
  return Object.fromEntries(entries) as Record<RequiredSecret, string>
}

function withSecondary(secret: string, secondary: string | undefined) {
  return secondary === undefined ? [secret] : [secret, secondary]
}

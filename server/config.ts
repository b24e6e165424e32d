import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { ConfigError } from './settings/config-error'
import { deriveDevelopmentSecret, loadDevelopmentSecret } from './settings/development-secrets'
import { InvalidSetting } from './settings/parsers'
import {
  checkRequirements,
  requiredSecrets,
  type RequiredSecret,
  type SandboxUse,
} from './settings/requirements'
import { settings, type SettingValues } from './settings/table'
import { signingAdapters } from './providers/signing/index'

export { ConfigError, settings }

type Environment = Record<string, string | undefined>
type Derived =
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
      acceptedSecrets: { JWT_SECRET: string[] }
      isProduction: boolean
      /** Which providers the sandbox replaces. */
      sandbox: SandboxUse
      /** Rate limits are twenty times as high in development with the sandbox channel. */
      rateLimitMultiplier: number
    }
>

/** Reads the environment; nothing else does. */
export function readConfig(env: Environment): Config {
  const values = parseSettings(env)
  const isProduction = values.NODE_ENV === 'production'
  const adapter = signingAdapters[values.ESIGN_PROTOCOL]
  const sandbox: SandboxUse = {
    messages: values.MESSAGE_CHANNELS.includes('sandbox'),
    signing: adapter.sandbox !== undefined && !values[adapter.urlSetting],
    kyc: !values.EKYC_API_URL,
  }
  checkRequirements(values, sandbox)

  const secrets = getSecrets(values, isProduction)
  return {
    ...values,
    ...secrets,
    DATA_DIR: resolve(values.DATA_DIR),
    SHUTDOWN_DELAY_MS: values.SHUTDOWN_DELAY_MS ?? (isProduction ? 5000 : 0),
    DISCLOSE_ACCOUNTS: values.DISCLOSE_ACCOUNTS ?? (isProduction ? 'masked' : 'full'),
    DOCUMENT_HOSTS: values.DOCUMENT_HOSTS ?? (isProduction ? 'public' : 'any'),
    DOCUMENT_CHECK: values.DOCUMENT_CHECK ?? isProduction,
    PARTIES: values.PARTIES ?? (isProduction ? 'named' : 'any'),
    PASSWORD_HASH_CONCURRENCY: values.PASSWORD_HASH_CONCURRENCY ?? Math.max(1, availableParallelism() - 1),
    acceptedSecrets: {
      JWT_SECRET: withSecondary(secrets.JWT_SECRET, values.JWT_SECRET_SECONDARY),
    },
    isProduction,
    sandbox,
    rateLimitMultiplier: !isProduction && sandbox.messages ? 20 : 1,
  }
}

function parseSettings(env: Environment) {
  const entries = Object.entries(settings).map(([name, { parse, defaultText }]) => {
    const text = env[name]?.trim() || defaultText
    return [name, text === undefined ? undefined : parseSetting(name, parse, text)]
  })
  return Object.fromEntries(entries) as SettingValues
}

function parseSetting(name: string, parse: (text: string) => unknown, text: string) {
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof InvalidSetting) throw new ConfigError(`${name} must be ${error.message}`)
    throw error
  }
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

import { resolve } from 'node:path'
import { findPlatformPackage } from '../db/embedded-postgres/platform-package'
import { ConfigError } from './settings/config-error'
import { createConstants, type Constants } from './settings/constants'
import { deriveDevelopmentSecret, loadDevelopmentSecret } from './settings/development-secrets'
import { InvalidSetting, type Secrets } from './settings/parsers'
import { findProblems, type SandboxUse } from './settings/requirements'
import { settings, type Setting, type SettingValues } from './settings/table'

export { ConfigError, settings }

export type Environment = Record<string, string | undefined>
type Rotated = 'JWT_SECRET' | 'CREDENTIALS_KEY' | 'ESIGN_WEBHOOK_SECRET'

/** The settings and constants as the server uses them, with what follows from them. */
export type Config = Readonly<
  Omit<SettingValues, Rotated> &
    Record<Rotated, string> &
    Constants & {
      /** The secrets that verification accepts, the current one first: more than one during a rotation. */
      acceptedSecrets: Record<Rotated, Secrets>
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
  const sandbox: SandboxUse = {
    messages: values.MESSAGE_CHANNELS.includes('sandbox'),
    signing: !values.ESIGN_API_URL,
    kyc: !values.EKYC_API_URL,
  }
  const hasDatabase = Boolean(values.DATABASE_URL ?? findPlatformPackage())
  requireNoProblems(invalid, findProblems(values, sandbox, hasDatabase))

  const acceptedSecrets = getSecrets(values)
  return {
    ...createConstants(isProduction),
    ...values,
    DATA_DIR: resolve(values.DATA_DIR),
    JWT_SECRET: acceptedSecrets.JWT_SECRET[0],
    CREDENTIALS_KEY: acceptedSecrets.CREDENTIALS_KEY[0],
    ESIGN_WEBHOOK_SECRET: acceptedSecrets.ESIGN_WEBHOOK_SECRET[0],
    acceptedSecrets,
    isProduction,
    sandbox,
    rateLimitMultiplier: !isProduction && sandbox.messages ? 20 : 1,
    ...constants,
  }
}

/** Settings that are wrong have their defaults, so that the others can be checked too. */
function parseSettings(env: Environment) {
  const isProduction = env.NODE_ENV?.trim() === 'production'
  const invalid = new Map<string, string>()
  const entries = Object.entries<Setting>(settings).map(([name, setting]) => {
    const parseText = (text?: string) => (text === undefined ? undefined : setting.parse(text))
    const defaultText = (isProduction && setting.inProduction) || setting.default
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

/** Production does not start without them; elsewhere they are generated. */
function getSecrets(values: SettingValues): Config['acceptedSecrets'] {
  const JWT_SECRET = values.JWT_SECRET ?? [loadDevelopmentSecret(values.DATA_DIR)]
  const derive = (name: string): Secrets => [deriveDevelopmentSecret(JWT_SECRET[0], name)]
  return {
    JWT_SECRET,
    CREDENTIALS_KEY: values.CREDENTIALS_KEY ?? derive('CREDENTIALS_KEY'),
    ESIGN_WEBHOOK_SECRET: values.ESIGN_WEBHOOK_SECRET ?? derive('ESIGN_WEBHOOK_SECRET'),
  }
}

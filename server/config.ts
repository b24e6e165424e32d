import { resolve } from 'node:path'
import { findPlatformPackage } from '../db/embedded-postgres/platform-package'
import { ConfigError } from './settings/config-error'
import { createConstants, type Constants } from './settings/constants'
import { deriveDevelopmentSecret, loadDevelopmentSecret } from './settings/development-secrets'
import { InvalidSetting, type Secrets } from './settings/parsers'
import { findProblems, getSandboxUse, type SandboxUse } from './settings/requirements'
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
export const readConfig = (env: Environment, constants: Partial<Constants> = {}) =>
  createConfig(readSettings(env), constants)

/** Reads the settings, or names all that are wrong. It changes nothing outside of this process. */
export function readSettings(env: Environment): SettingValues {
  const { values, invalid } = parseSettings(env)
  const hasDatabase = Boolean(values.DATABASE_URL ?? findPlatformPackage())
  requireNone([...invalid, ...findProblems(values, hasDatabase)])
  return values
}

/** Adds what follows from the settings; outside of production it generates secrets that are not set. */
export function createConfig(values: SettingValues, constants: Partial<Constants> = {}): Config {
  const isProduction = values.NODE_ENV === 'production'
  const sandbox = getSandboxUse(values)
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
  const invalid: string[] = []
  const entries = Object.entries<Setting>(settings).map(([name, setting]) => {
    const parseText = (text?: string) => (text === undefined ? undefined : setting.parse(text))
    const defaultText = (isProduction && setting.inProduction) || setting.default
    try {
      return [name, parseText(env[name]?.trim() || defaultText)]
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error
      invalid.push(`${name} must be ${error.message}`)
      return [name, parseText(defaultText)]
    }
  })
  return { values: Object.fromEntries(entries) as SettingValues, invalid }
}

/** Each setting is named with its first problem, so that one start shows them all. */
function requireNone(problems: string[]) {
  const byName = Map.groupBy(problems, sentence => sentence.split(' ')[0])
  const sentences = [...byName.values()].map(([first]) => first)
  if (sentences.length === 0) return
  const heading = sentences.length > 1 ? ['correct these settings:'] : []
  throw new ConfigError([...heading, ...sentences].join('\n  '))
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

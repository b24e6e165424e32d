import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

type Environment = Record<string, string | undefined>
export type Credential = { url: string; token?: string; phone?: string }
type Settings = { profile?: string }

const DEFAULT_PROFILE = 'default'

export const readCredentials = (env: Environment): Record<string, Credential> =>
  readJsonFile(getCredentialsPath(env))

/**
 * Stores a profile's credential, or removes it if undefined. Only the owner can read the file, and the rename
 * keeps it whole if the process dies.
 */
export function storeCredential(env: Environment, profile: string, credential: Credential | undefined) {
  // JSON leaves out a profile that is undefined.
  writeJsonFile(getCredentialsPath(env), { ...readCredentials(env), [profile]: credential })
}

/** The profile of commands without `--profile`. */
export function getCurrentProfile(env: Environment) {
  const { profile } = readJsonFile<Settings>(getSettingsPath(env))
  return env.KIRAYA_PROFILE ?? profile ?? DEFAULT_PROFILE
}

export const storeCurrentProfile = (env: Environment, profile: string | undefined) =>
  writeJsonFile(getSettingsPath(env), { profile })

export const getCredentialsPath = (env: Environment) => join(getConfigFolder(env), 'credentials.json')
const getSettingsPath = (env: Environment) => join(getConfigFolder(env), 'settings.json')

function getConfigFolder(env: Environment) {
  const home = env.HOME || homedir()
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'kiraya')
}

function writeJsonFile(path: string, content: object) {
  const temporaryPath = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(temporaryPath, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporaryPath, 0o600)
  renameSync(temporaryPath, path)
}

function readJsonFile<Content extends object>(path: string): Content {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing) return {} as Content
    throw new Error(`Cannot read ${path}. Correct the file or delete it`, { cause: error })
  }
}

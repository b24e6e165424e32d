import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

type Environment = Record<string, string | undefined>
export type Credential = { url: string; token?: string; phone?: string }

export function readCredential(env: Environment, profile: string): Credential | undefined {
  const credentials = readCredentials(env)
  return credentials[profile]
}

/**
 * Stores a profile's credential, or removes it if undefined. Only the owner can read the file, and the rename
 * keeps it whole if the process dies.
 */
export function storeCredential(env: Environment, profile: string, credential: Credential | undefined) {
  const path = getCredentialsPath(env)
  const temporaryPath = `${path}.${process.pid}`
  // JSON leaves out a profile that is undefined.
  const credentials = { ...readCredentials(env), [profile]: credential }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(temporaryPath, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporaryPath, 0o600)
  renameSync(temporaryPath, path)
}

function getCredentialsPath(env: Environment) {
  const home = env.HOME || homedir()
  const configFolder = env.XDG_CONFIG_HOME || join(home, '.config')
  return join(configFolder, 'kiraya', 'credentials.json')
}

function readCredentials(env: Environment): Record<string, Credential> {
  const path = getCredentialsPath(env)
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (isMissing) return {}
    throw new Error(`Cannot read ${path}. Correct the file or delete it`, { cause: error })
  }
}

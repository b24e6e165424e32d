import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

export type Credential = { url: string; token?: string; phone?: string }

const getCredentialsPath = (env: Record<string, string | undefined>) =>
  join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'kiraya', 'credentials.json')

function readCredentials(env: Record<string, string | undefined>): Record<string, Credential> {
  try {
    return JSON.parse(readFileSync(getCredentialsPath(env), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new Error(`${getCredentialsPath(env)} cannot be read; mend or remove it`, { cause: error })
  }
}

export const readCredential = (
  env: Record<string, string | undefined>,
  profile: string,
): Credential | undefined => readCredentials(env)[profile]

/** Keeps a profile's credential, or with undefined forgets it. The file is its owner's alone and never half written. */
export function storeCredential(
  env: Record<string, string | undefined>,
  profile: string,
  credential: Credential | undefined,
) {
  const file = getCredentialsPath(env)
  const fresh = `${file}.${process.pid}`
  const all = Object.fromEntries(
    Object.entries({ ...readCredentials(env), [profile]: credential }).filter(([, kept]) => kept),
  )
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(fresh, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
  chmodSync(fresh, 0o600)
  renameSync(fresh, file)
}

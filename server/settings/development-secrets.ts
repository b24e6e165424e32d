import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toErrorText } from '../observability/safe-errors'
import { ConfigError } from './config-error'

/** The secrets that are generated in development. */
export type RequiredSecret = 'JWT_SECRET' | 'ESIGN_WEBHOOK_SECRET'
type Secrets = Record<RequiredSecret, string>

/** Reads the secrets in DATA_DIR, which are generated once, so that tokens outlive a restart. */
export function loadDevelopmentSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  try {
    if (!existsSync(file)) createSecrets(dataDir, file)
    const secrets: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isComplete(secrets)) throw new ConfigError('a secret is missing')
    return secrets
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR must be a writable folder with a complete secrets.json or none: ${toErrorText(error)}`,
    )
  }
}

/** Writes a file of its own and links it, so that a crash or another instance leaves no half file. */
function createSecrets(dataDir: string, file: string) {
  const secrets: Secrets = { JWT_SECRET: generateSecret(), ESIGN_WEBHOOK_SECRET: generateSecret() }
  const newFile = `${file}.${process.pid}`
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(newFile, JSON.stringify(secrets), { mode: 0o600 })
  try {
    linkSync(newFile, file)
  } catch (error) {
    const isWrittenByAnother = existsSync(file)
    if (!isWrittenByAnother) throw error
  }
  unlinkSync(newFile)
}

function generateSecret() {
  return randomBytes(32).toString('base64url')
}

function isComplete(secrets: unknown): secrets is Secrets {
  const { JWT_SECRET, ESIGN_WEBHOOK_SECRET } = (secrets ?? {}) as Partial<Record<RequiredSecret, unknown>>
  return [JWT_SECRET, ESIGN_WEBHOOK_SECRET].every(secret => typeof secret === 'string' && secret !== '')
}

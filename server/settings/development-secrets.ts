import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toErrorText } from '../observability/safe-errors'
import { ConfigError } from './config-error'

/** Reads `JWT_SECRET` in DATA_DIR, which is generated once, so that tokens outlive a restart. */
export function loadDevelopmentSecret(dataDir: string): string {
  const file = join(dataDir, 'secrets.json')
  try {
    if (!existsSync(file)) createSecret(dataDir, file)
    const { JWT_SECRET } = JSON.parse(readFileSync(file, 'utf8')) as { JWT_SECRET?: unknown }
    if (JWT_SECRET && typeof JWT_SECRET === 'string') return JWT_SECRET
    throw new ConfigError('a secret is missing')
  } catch (error) {
    throw new ConfigError(
      `DATA_DIR must be a writable folder with a complete secrets.json or none: ${toErrorText(error)}`,
    )
  }
}

/** Writes a file of its own and links it, so that a crash or another instance leaves no half file. */
function createSecret(dataDir: string, file: string) {
  const secrets = { JWT_SECRET: randomBytes(32).toString('base64url') }
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

/** Derives the secret of a setting, so that a new setting needs no new file. */
export function deriveDevelopmentSecret(secret: string, settingName: string): string {
  return createHmac('sha256', secret).update(settingName).digest('base64url')
}

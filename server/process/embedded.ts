import { startPostgres, type EmbeddedPostgres } from '../../db/embedded-postgres'
import type { Config } from '../config'
import { LoggableError } from '../observability/safe-errors'

type OnStarting = (url: string, running: Promise<void>) => void

/**
 * Starts the PostgreSQL that Kiraya brings, unless DATABASE_URL names another.
 * @throws LoggableError Why it does not start; the text holds no personal data.
 */
export async function startEmbedded(
  { DATABASE_URL, DATA_DIR }: Config,
  onStarting?: OnStarting,
): Promise<EmbeddedPostgres | undefined> {
  if (DATABASE_URL) return undefined
  try {
    return await startPostgres(DATA_DIR, 'development', onStarting)
  } catch (error) {
    throw new LoggableError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

import { startPostgres, type EmbeddedPostgres } from '../../db/embedded-postgres'
import type { Config } from '../config'
import { LoggableError } from '../observability/safe-errors'

/** `embedded` is the one that Kiraya brings, to be released at the end. */
type Postgres = { url: string; embedded?: EmbeddedPostgres }
type OnStarting = (url: string, running: Promise<void>) => void

/**
 * Finds the PostgreSQL that DATABASE_URL names, or starts the one that Kiraya brings.
 * @throws LoggableError Why it does not start; the text holds no personal data.
 */
export async function providePostgres(
  { DATABASE_URL, DATA_DIR }: Config,
  onStarting?: OnStarting,
): Promise<Postgres> {
  if (DATABASE_URL) return { url: DATABASE_URL }
  try {
    const embedded = await startPostgres(DATA_DIR, 'development', onStarting)
    return { url: embedded.url, embedded }
  } catch (error) {
    throw new LoggableError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

import { isDatabaseUnavailable } from '../../db/database-errors'
import type { Log } from '../observability/log'

const RETRY_MS = 500

type Options = { log: Log; warning: string; isStopping: () => boolean }

/** Retries work while the database is unreachable. Other failures, as of a migration, are thrown. */
export async function retryUntilReachable<T>(
  work: () => Promise<T>,
  { log, warning, isStopping }: Options,
): Promise<T | undefined> {
  let hasWarned = false
  while (!isStopping()) {
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      if (!hasWarned) log.warn({ err: error }, `${warning}; waiting for the database`)
      hasWarned = true
      await Bun.sleep(RETRY_MS)
    }
  }
  return undefined
}

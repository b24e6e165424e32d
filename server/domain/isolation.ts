import { sql } from 'kysely'
import { getKysely, type Database } from '../../db/database'
import type { Log } from '../observability/log'
import { LoggableError } from '../observability/safe-errors'

type IsolationDeps = { db: Database; log: Log }

/**
 * Does the work for one agreement after the other. One that fails stops no other: it is logged, and the next run
 * takes it again. Returns how many failed.
 *
 * @throws The database cannot be reached, so that the others would fail as well.
 */
export async function runForEachAgreement(
  deps: IsolationDeps,
  ids: number[],
  work: (id: number) => Promise<unknown>,
) {
  let failures = 0
  for (const id of ids) {
    try {
      await work(id)
    } catch (error) {
      failures++
      deps.log.error({ err: error, agreement: id }, 'A job failed for an agreement; the others go on')
      await sql`select 1`.execute(getKysely(deps.db))
    }
  }
  return failures
}

/** Fails the job once all its work is done, so that the queue and its metrics show it. */
export function requireNoFailures(failures: number) {
  if (failures > 0) throw new LoggableError(`The job failed for ${failures} agreements`)
}

import { sql, type RawBuilder } from 'kysely'
import { getKysely, type Database } from '../../db/database'
import type { Log } from '../observability/log'

export const BATCH_SIZE = 50
const CONCURRENCY = 5

type DueRows = {
  table:
    | 'agreements'
    | 'agreement_signatures'
    | 'kyc_requests'
    | 'signing_cancellations'
    | 'received_webhooks'
  /** The column with the time of the next attempt, and its new value. */
  dueColumn: 'due_at' | 'next_check_at' | 'next_attempt_at' | 'next_reminder_at' | 'evidence_due_at'
  nextAttempt: RawBuilder<unknown>
  isDue: RawBuilder<unknown>
}

/** Claims due rows by postponing their next attempt, so that no two instances process the same row. */
export async function claimRows({ db }: { db: Database }, due: DueRows) {
  const [table, dueColumn] = [sql.table(due.table), sql.ref(due.dueColumn)]
  const { rows } = await sql<{ id: number }>`
    update ${table} set ${dueColumn} = ${due.nextAttempt}
    where id in (
      select id from ${table} where ${due.isDue}
      order by ${dueColumn} limit ${BATCH_SIZE} for update skip locked
    )
    returning id`.execute(getKysely(db))
  return rows
}

type CheckDeps = { db: Database; now: () => Date; config: { RECONCILE_INITIAL_DELAY_MS: number } }

/**
 * Claims open signatures or identity checks. The first check comes `RECONCILE_INITIAL_DELAY_MS` after the start, later
 * ones with doubled delays, and one soon after the expiry.
 */
export function claimDueChecks(
  deps: CheckDeps,
  table: 'agreement_signatures' | 'kyc_requests',
  isOpen: RawBuilder<unknown>,
) {
  const now = deps.now()
  const initialDelay = sql`${deps.config.RECONCILE_INITIAL_DELAY_MS} * interval '1 millisecond'`
  const age = sql`${now}::timestamptz - created_at`
  const untilExpiry = sql`greatest(expires_at - ${now}::timestamptz, interval '1 minute')`
  const dueAt = sql`coalesce(next_check_at, created_at + ${initialDelay})`
  return claimRows(deps, {
    table,
    dueColumn: 'next_check_at',
    nextAttempt: sql`${now}::timestamptz + greatest(${initialDelay}, least(${age}, ${untilExpiry}))`,
    isDue: sql`${isOpen} and ${dueAt} <= ${now}`,
  })
}

/** Doubles the delay: the next attempt is as far away as the start, but at least a minute. */
export function doubleDelay(now: Date, startColumn: 'created_at' | 'updated_at') {
  const age = sql`${now}::timestamptz - ${sql.ref(startColumn)}`
  return sql<Date>`${now}::timestamptz + greatest(interval '1 minute', ${age})`
}

/** What is processed, for the log; how it is claimed; and the work on one row. */
type Batch = {
  subject: string
  claim: () => Promise<{ id: number }[]>
  process: (id: number) => Promise<unknown>
}

/** Processes claimed rows, a few at a time, until none is due. A row that fails waits for its next attempt. */
export async function processInBatches(deps: { log: Log }, batch: Batch) {
  for (;;) {
    const claimed = await batch.claim()
    const ids = claimed.map(({ id }) => id)
    const workers = Array.from({ length: CONCURRENCY }, () => processNext(deps, batch, ids))
    await Promise.all(workers)
    if (claimed.length < BATCH_SIZE) return
  }
}

async function processNext({ log }: { log: Log }, { subject, process }: Batch, ids: number[]) {
  for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
    try {
      await process(id)
    } catch (error) {
      log.warn({ id, err: error }, `The job failed for ${subject}; it is tried again later`)
    }
  }
}

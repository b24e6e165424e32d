import { sql, type RawBuilder } from 'kysely'
import { getKysely, type Database, type Tables } from '../../db/database'
import type { Log } from '../observability/log'

export const BATCH_SIZE = 50
const CONCURRENCY = 5

type DueDeps = { db: Database; log: Log; now: () => Date }

type DueRows = Pick<Batch, 'subject' | 'process'> & {
  table: keyof Tables
  /** The column with the time of the next attempt. */
  dueColumn: 'due_at' | 'next_check_at' | 'next_attempt_at' | 'next_reminder_at' | 'evidence_due_at'
  /** The time of the next attempt, if it is not that of the column alone. */
  dueAt?: RawBuilder<unknown>
  /** Which rows are processed at their time. */
  toCondition?: (now: Date) => RawBuilder<unknown>
  /** The time of the attempt after this one, by default after a doubled delay. */
  toNextAttempt?: (now: Date) => RawBuilder<unknown>
}

/** Processes due rows. They are claimed by postponing their next attempt, so that no two instances process one. */
export function processDueRows(deps: DueDeps, { subject, process, ...due }: DueRows) {
  return processInBatches(deps, { subject, process, claim: () => claimRows(deps, due) })
}

async function claimRows({ db, now: getNow }: DueDeps, due: Omit<DueRows, keyof Batch>) {
  const [table, dueColumn] = [sql.table(due.table), sql.ref(due.dueColumn)]
  const { dueAt = dueColumn, toCondition = () => sql`true`, toNextAttempt = doubleDelay } = due
  const now = getNow()
  const { rows } = await sql<{ id: number }>`
    update ${table} set ${dueColumn} = ${toNextAttempt(now)}
    where id in (
      select id from ${table} where ${toCondition(now)} and ${dueAt} <= ${now}
      order by ${dueColumn} limit ${BATCH_SIZE} for update skip locked
    )
    returning id`.execute(getKysely(db))
  return rows
}

type DueChecks = Pick<Batch, 'subject' | 'process'> & {
  table: 'agreement_signatures' | 'kyc_requests'
  isOpen: RawBuilder<unknown>
}

/**
 * Processes open signatures or identity checks. The first check comes `RECONCILE_INITIAL_DELAY_MS` after the start, later
 * ones with doubled delays, and one soon after the expiry.
 */
export function processDueChecks(
  deps: DueDeps & { config: { RECONCILE_INITIAL_DELAY_MS: number } },
  { isOpen, ...checks }: DueChecks,
) {
  const initialDelay = sql`${deps.config.RECONCILE_INITIAL_DELAY_MS} * interval '1 millisecond'`
  return processDueRows(deps, {
    ...checks,
    dueColumn: 'next_check_at',
    dueAt: sql`coalesce(next_check_at, created_at + ${initialDelay})`,
    toCondition: () => isOpen,
    toNextAttempt: now => {
      const age = sql`${now}::timestamptz - created_at`
      const untilExpiry = sql`greatest(expires_at - ${now}::timestamptz, interval '1 minute')`
      return sql`${now}::timestamptz + greatest(${initialDelay}, least(${age}, ${untilExpiry}))`
    },
  })
}

/** Doubles the delay: the next attempt is as far away as the start, but at least a minute. */
export function doubleDelay(now: Date, startColumn: 'created_at' | 'updated_at' = 'created_at') {
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

import { sql } from 'kysely'
import { ReceivedWebhook, type ReceivedWebhookQuery, type JobsReport } from '@kiraya/sdk/contract'
import { toIsoTimestamp, getKysely, type Db } from '../../db/database'
import type { Deps } from '../deps'
import { toColumns } from '../domain/fields'
import { isNumericId } from '../domain/record-id'
import { refuse } from '../errors'
import { loadPage } from '../http/reads/reader'
import { processWebhook, UNKNOWN_REQUEST } from '../leases/signing/inbox'

type JobSummary = JobsReport['jobs'][number]
type JobFailure = JobsReport['failed'][number]
type Backlog = JobsReport['waiting']

const MAX_FAILURES = 50
/** A status check this late means that no process runs the jobs, or that they keep failing. */
const OVERDUE_MS = 10 * 60_000

export function listWebhooks(deps: Deps, query: ReceivedWebhookQuery) {
  const db = getKysely(deps.db)
  return loadPage<ReceivedWebhook>(db, selectFilteredWebhooks(db, query), query)
}

export async function replayWebhook(deps: Deps, id: string): Promise<ReceivedWebhook> {
  if (!isNumericId(id)) throw refuse('webhook_not_found')
  const webhookId = Number(id)
  await getWebhook(deps, webhookId)
  await processWebhook(deps, webhookId)
  return getWebhook(deps, webhookId)
}

async function getWebhook(deps: Deps, id: number): Promise<ReceivedWebhook> {
  const webhook = await selectWebhooks(getKysely(deps.db)).where('w.id', '=', id).executeTakeFirst()
  if (!webhook) throw refuse('webhook_not_found')
  return webhook
}

function selectFilteredWebhooks(db: Db, { state, request_id }: ReceivedWebhookQuery) {
  let webhooks = selectWebhooks(db)
  if (request_id !== undefined) webhooks = webhooks.where('w.request_id', '=', request_id)
  if (state === 'open') return webhooks.where('w.processed_at', 'is', null)
  if (state === 'unknown') return webhooks.where('w.outcome', '=', UNKNOWN_REQUEST)
  // One that is open has no outcome.
  if (state === 'done') return webhooks.where('w.outcome', '<>', UNKNOWN_REQUEST)
  return webhooks
}

function selectWebhooks(db: Db) {
  return db.selectFrom('received_webhooks as w').select(toColumns('received_webhooks as w', ReceivedWebhook))
}

/** Returns the gauges that `/metrics` reads from the database. */
export async function getBacklog(deps: Deps) {
  const { jobs, waiting } = await loadJobsReport(deps)
  return {
    kiraya_backlog_items: Object.entries(waiting).map(([queue, count]) => ({ labels: { queue }, count })),
    kiraya_job_runs: jobs.map(({ name, state, runs }) => ({ labels: { name, state }, count: runs })),
  }
}

export async function loadJobsReport(deps: Deps): Promise<JobsReport> {
  const db = getKysely(deps.db)
  const hasQueue = await hasJobQueue(db)
  const jobs = hasQueue ? await loadJobSummaries(db) : []
  const failed = hasQueue ? await loadJobFailures(db) : []
  return { jobs, failed, waiting: await countBacklog(db, deps.now()) }
}

/** The tables of the job queue exist once a process has run the jobs. */
async function hasJobQueue(db: Db) {
  const query = sql<{ exists: boolean }>`select to_regclass('jobs.job') is not null as exists`
  const { rows } = await query.execute(db)
  return rows[0]!.exists
}

async function loadJobSummaries(db: Db) {
  const newest = toIsoTimestamp(sql`max(coalesce(completed_on, started_on, created_on))`)
  const query = sql<JobSummary>`
    select name, state::text as state, count(*) as runs, ${newest} as newest
    from jobs.job
    where name not like '\\_\\_pgboss%'
    group by name, state
    order by name, state
  `
  const { rows } = await query.execute(db)
  return rows
}

async function loadJobFailures(db: Db) {
  const query = sql<JobFailure>`
    select
      id::text as id,
      name,
      coalesce(output ->> 'message', output::text) as error,
      ${toIsoTimestamp(sql`completed_on`)} as failed_at
    from jobs.job
    where state = 'failed'
    order by completed_on desc
    limit ${sql.lit(MAX_FAILURES)}
  `
  const { rows } = await query.execute(db)
  return rows
}

/** Counts the items that wait for background jobs. */
async function countBacklog(db: Db, now: Date) {
  const overdueSince = new Date(now.getTime() - OVERDUE_MS)
  const query = sql<Backlog>`
    select
      (select count(*) from agreement_signatures where status = 'PENDING') as open_signatures,
      (
        select count(*) from agreement_signatures
        where status = 'PENDING' and next_check_at <= ${overdueSince}
      ) as stuck_signatures,
      (select count(*) from received_webhooks where processed_at is null) as webhooks,
      (select count(*) from signing_cancellations) as cancellations,
      (select count(*) from agreements where evidence_due_at is not null) as documents,
      (select count(*) from agreement_signatures where next_reminder_at <= ${now}) as reminders
  `
  const { rows } = await query.execute(db)
  return rows[0]!
}

import { sql } from 'kysely'
import type { WebhookDelivery, WebhookDeliveryQuery, JobsReport } from '@kiraya/sdk/contract'
import { iso, isoTime, query, type Db } from '../../db/orm'
import type { Deps } from '../deps'
import { notFound } from '../faults'
import { processDelivery } from '../webhooks/service'
import { isNumericId } from '../domain/record-id'

const UNKNOWN = 'unknown request'

const shown = (db: Db) =>
  db
    .selectFrom('webhook_deliveries as w')
    .select([
      'w.id',
      'w.provider',
      'w.request_id',
      'w.document_id',
      'w.outcome',
      'w.attempts',
      'w.last_error',
      iso('w.created_at'),
      iso('w.processed_at'),
      iso('w.next_attempt_at'),
    ])

export async function listDeliveries(
  { orm }: Deps,
  { page = 1, limit = 50, sort = '-id', state, request_id }: WebhookDeliveryQuery,
) {
  const db = query(orm)
  const rows = shown(db)
    .$if(state === 'open', all => all.where('w.processed_at', 'is', null))
    .$if(state === 'unknown', all => all.where('w.outcome', '=', UNKNOWN))
    .$if(state === 'done', all =>
      all.where('w.processed_at', 'is not', null).where('w.outcome', '<>', UNKNOWN),
    )
    .$if(request_id !== undefined, all => all.where('w.request_id', '=', request_id!))
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const data = await rows
    .orderBy(sql.ref(`w.${sort.replace(/^-/, '')}`), direction)
    .orderBy('w.id', direction)
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await db
    .selectFrom(rows.as('counted'))
    .select(e => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return {
    data: data satisfies WebhookDelivery[],
    metadata: { page, limit, total, total_pages: Math.ceil(total / limit) },
  }
}

export async function replayDelivery(deps: Deps, id: string): Promise<WebhookDelivery> {
  const db = query(deps.orm)
  const one = () => shown(db).where('w.id', '=', Number(id)).executeTakeFirst()
  if (!isNumericId(id) || !(await one())) throw notFound('Webhook')
  await processDelivery(deps, Number(id))
  return (await one())!
}

export async function loadJobsReport(deps: Deps): Promise<JobsReport> {
  const db = query(deps.orm)
  const started = (
    await sql<{ there: boolean }>`select to_regclass('jobs.job') is not null as there`.execute(db)
  ).rows[0]!.there
  const jobs = started
    ? await sql<
        JobsReport['jobs'][number]
      >`select name, state::text as state, count(*) as runs, ${isoTime(sql`max(coalesce(completed_on, started_on, created_on))`)} as newest from jobs.job where name not like '\\_\\_pgboss%' group by name, state order by name, state`.execute(
        db,
      )
    : { rows: [] }
  const failed = started
    ? await sql<
        JobsReport['failed'][number]
      >`select id::text as id, name, coalesce(output ->> 'message', output::text) as error, ${isoTime(sql`completed_on`)} as failed_at from jobs.job where state = 'failed' order by completed_on desc limit 50`.execute(
        db,
      )
    : { rows: [] }
  return { jobs: jobs.rows, failed: failed.rows, waiting: await waiting(deps) }
}

/** What `/metrics` shows of the database: what waits, and the jobs by state. */
export async function getBacklog(deps: Deps) {
  const { jobs, waiting } = await loadJobsReport(deps)
  return {
    kiraya_backlog_items: Object.entries(waiting).map(([queue, count]) => ({ labels: { queue }, count })),
    kiraya_job_runs: jobs.map(({ name, state, runs }) => ({ labels: { name, state }, count: runs })),
  }
}

/** A signature that was to be asked about so long ago and was not: nobody runs the jobs, or they do not come through. */
const OVERDUE_MS = 10 * 60_000

/** What the background work has before it. */
async function waiting({ orm, now }: Deps) {
  const {
    rows: [counts],
  } = await sql<JobsReport['waiting']>`select
    (select count(*) from agreement_signatures where status = 'PENDING') as open_signatures,
    (select count(*) from agreement_signatures where status = 'PENDING' and next_check_at <= ${new Date(now().getTime() - OVERDUE_MS)}) as stuck_signatures,
    (select count(*) from webhook_deliveries where processed_at is null) as webhooks,
    (select count(*) from signing_cancellations) as cancellations,
    (select count(*) from agreement_signatures where document_due_at is not null) as documents,
    (select count(*) from agreement_signatures where next_reminder_at <= ${now()}) as reminders`.execute(
    query(orm),
  )
  return counts!
}

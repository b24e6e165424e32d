import { Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import { storeDueEvidence } from '../leases/evidence/job'
import { processCancellations } from '../leases/signing/sync'
import type { Deps } from '../deps'
import { LoggableError, toErrorText } from '../observability/safe-errors'
import { postCharges } from '../books/charges/daily-posting'
import { purgeExpired } from './purge-expired'
import { renewEncryption } from '../accounts/profile/renew-encryption'
import { reconcileWebhooks } from '../leases/signing/inbox'
import { reconcileSignatures } from '../leases/signing/reconciliation'
import { sendMessages } from '../messages-out/send'
import { sendReminders } from '../leases/signing/reminders'
import { reconcileKyc } from '../accounts/profile/reconciliation'
import { endTenures } from '../leases/agreements/tenures'

type Job = { cron: string; work: (deps: Deps) => Promise<unknown> }

/** Each job is idempotent: it may run twice or be interrupted anywhere, and the next run finishes it. */
export const jobs: Record<string, Job> = {
  'reconcile-signatures': { cron: '* * * * *', work: reconcileSignatures },
  'reconcile-kyc': { cron: '* * * * *', work: reconcileKyc },
  'reconcile-webhooks': { cron: '* * * * *', work: reconcileWebhooks },
  remind: { cron: '*/10 * * * *', work: sendReminders },
  'send-messages': { cron: '* * * * *', work: sendMessages },
  'cancel-requests': { cron: '* * * * *', work: processCancellations },
  'store-evidence': { cron: '* * * * *', work: storeDueEvidence },
  'end-tenures': { cron: '5 0,6,12,18 * * *', work: endTenures },
  'post-charges': { cron: '10 0,6,12,18 * * *', work: postCharges },
  'renew-encryption': { cron: '40 2 * * *', work: renewEncryption },
  purge: { cron: '30 * * * *', work: purgeExpired },
}

/**
 * At most one run waits, but several can be active: rows are claimed in batches, so that a run whose server
 * was killed blocks no other.
 */
const QUEUE = {
  policy: 'short',
  retryLimit: 3,
  retryDelay: 5,
  retryBackoff: true,
  expireInSeconds: 600,
} as const

/** Runs the jobs. Of all instances on the same database, one does each due run. */
export async function startJobs(deps: Deps) {
  const { log, db } = deps
  const pool = createQueuePool(db.url)
  const boss = new PgBoss({
    schema: 'jobs',
    db: { executeSql: (text, values) => executeQueueStatement(pool, text, values) },
  })
  const stop = async (options: { graceful: boolean; timeout?: number }) => {
    await boss.stop(options)
    await pool.end()
  }
  const warn = (error: Error) => log.warn({ err: error }, 'The job queue lost a connection')
  pool.on('error', warn)
  // Without a listener, a connection that is lost while in use ends the process.
  pool.on('connect', client => void client.on('error', warn))
  boss.on('error', error => log.warn({ err: error }, 'The job queue had an error'))
  try {
    await boss.start()
    await registerJobs(boss, deps)
  } catch (error) {
    await stop({ graceful: false })
    throw error
  }
  return { stop: () => stop({ graceful: true, timeout: 3000 }) }
}

/** The queue's scripts are several statements with own transactions, which Bun.SQL's pool refuses. */
function createQueuePool(url: string) {
  return new Pool({
    connectionString: url,
    application_name: 'kiraya',
    max: 3,
    connectionTimeoutMillis: 5000,
    query_timeout: 20_000,
    keepAlive: true,
  })
}

/** Closes the connection of a script that failed, since it may have left its transaction open. */
async function executeQueueStatement(pool: Pool, text: string, values?: unknown[]) {
  const client = await pool.connect()
  let hasFailed = true
  try {
    const result = await client.query<Record<string, unknown>>(text, values)
    hasFailed = false
    return result
  } finally {
    client.release(hasFailed)
  }
}

async function registerJobs(boss: PgBoss, deps: Deps) {
  for (const [name, { cron, work }] of Object.entries(jobs)) {
    await boss.createQueue(name, QUEUE)
    await boss.work(name, { pollingIntervalSeconds: 5 }, () => runJob(deps, name, work))
    await boss.schedule(name, cron, {}, { tz: 'Asia/Kolkata' })
  }
}

async function runJob(deps: Deps, name: string, work: Job['work']) {
  try {
    await work(deps)
  } catch (error) {
    deps.log.error({ err: error, job: name }, 'A job failed; it is tried again')
    // The queue stores the error: it must not hold personal data.
    throw new LoggableError(toErrorText(error))
  }
}

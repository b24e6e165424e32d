import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { openDatabase, getKysely } from '../../../../db/database'
import { createLog } from '../../../../server/observability/log'
import { startServer } from '../../../../server/process/server'
import { createDraft, signInUser, type TestUser } from '../../../support/users'
import { startTestServer } from '../../../support/server'
import { signingProvider, signs, start } from '../../../server/agreements/signing/provider'

const provider = signingProvider()
type Kysely = ReturnType<typeof getKysely>

type Server = Awaited<ReturnType<typeof startTestServer>>
/** Provider requests that some job has to handle. */
const due = {
  checked: [] as string[],
  downloaded: [] as string[],
  cancelled: [] as string[],
  reported: [] as string[],
}
const PAST = new Date(0)

function getRequestId(signature: string) {
  return provider.of(signature).id
}

/** Creates four agreements: one signature to check, one document, one failed cancellation, one failed webhook. */
async function createDueWork(server: Server, owner: TestUser) {
  const tenant = await signInUser(server.url)
  const drafts = await Promise.all(Array.from({ length: 4 }, () => createDraft(owner, [tenant])))
  const [open, active, ended, unreported] = drafts.map(({ agreement }) => agreement)
  const startSigning = async (agreement: { id: number }) =>
    (await start(owner, agreement, tenant)).body.data.signature_id as string

  due.checked.push(getRequestId(await startSigning(open)))
  for (const person of [owner, tenant])
    due.downloaded.push(getRequestId(await signs(provider, server.url, owner, active, person)))
  const cancelled = await startSigning(ended)
  provider.replies.cancel = () => new Response('x', { status: 500 })
  provider.replies.read = () => new Response('x', { status: 500 })
  await owner.call('POST', `/agreements/${ended.id}/terminate`, {})
  due.cancelled.push(getRequestId(cancelled))
  const signed = await startSigning(unreported)
  const request = provider.becomes(signed, { status: 'sign_complete', signerStatus: 'signed' })
  const webhook = await provider.webhook(server.url, provider.news('ESIGN_COMPLETE', request))
  expect(webhook.status).toBe(503)
  due.reported.push(getRequestId(signed))
  delete provider.replies.cancel
  delete provider.replies.read
}

async function makeWorkDue(db: Kysely) {
  const never = new Date('2100-01-01')
  await db
    .updateTable('agreement_signatures')
    .set({ next_check_at: PAST })
    .where('provider_request_id', 'in', due.checked)
    .execute()
  await db
    .updateTable('agreement_signatures')
    .set({ next_check_at: never })
    .where('provider_request_id', 'not in', due.checked)
    .execute()
  await db.updateTable('signing_cancellations').set({ due_at: PAST }).execute()
  await db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: PAST })
    .where('processed_at', 'is', null)
    .execute()
}

async function countDueWork(db: Kysely) {
  const { rows } = await sql<{ count: number }>`select
    (select count(*) from signing_cancellations)
    + (select count(*) from webhook_deliveries where processed_at is null)
    + (select count(*) from agreement_signatures where document_due_at is not null or next_check_at = ${PAST})
    as count`.execute(db)
  return rows[0]!.count
}

async function runJobsUntilDone(url: string, db: Kysely) {
  const boss = new PgBoss({
    schema: 'jobs',
    supervise: false,
    schedule: false,
    migrate: false,
    connectionString: url,
  })
  await boss.start()
  for (let round = 0; round < 60 && (await countDueWork(db)); round++) {
    for (const job of ['reconcile-signatures', 'reconcile-webhooks', 'cancel-requests', 'keep-documents'])
      await boss.send(job, {})
    await Bun.sleep(500)
  }
  await boss.stop({ graceful: false })
}

async function findCompletedJobs(db: Kysely) {
  const { rows } = await sql<{ name: string; runs: number }>`select name, count(*) as runs from jobs.job
    where state = 'completed' and name in ('reconcile-signatures', 'cancel-requests') group by name`.execute(
    db,
  )
  return rows
}

function findCalls(firstCall: number, method: string, action: string) {
  return provider.calls
    .slice(firstCall)
    .filter(call => call.method === method && call.path.endsWith(action))
    .map(({ path }) => path.split('/')[3]!)
}

test('two instances share the jobs of one database, and no job runs twice', async () => {
  const first = await startTestServer({ env: { ...provider.env, RUN_JOBS: 'true', PROVIDER_RETRIES: '0' } })
  const second = startServer(
    { ...first.deps.config, PORT: 0 },
    openDatabase(first.deps.config.DATABASE_URL!),
    createLog('silent', false),
  )
  try {
    await second.ready
    const db = getKysely(first.em())
    const owner = await signInUser(first.url)
    for (let round = 0; round < 4; round++) await createDueWork(first, owner)
    const firstCall = provider.calls.length
    await makeWorkDue(db)
    await runJobsUntilDone(first.deps.db.url, db)

    expect(await countDueWork(db)).toBe(0)
    expect(findCalls(firstCall, 'GET', '/pdf').toSorted()).toEqual(due.downloaded.toSorted())
    expect(findCalls(firstCall, 'POST', '/delete/').toSorted()).toEqual(due.cancelled.toSorted())
    const checked = [...due.checked, ...due.reported]
    const reads = findCalls(firstCall, 'GET', '').filter(id => checked.includes(id))
    expect(reads.toSorted()).toEqual(checked.toSorted())
    expect((await findCompletedJobs(db)).length).toBe(2)
  } finally {
    await second.stop()
    await first.end()
  }
}, 60_000)

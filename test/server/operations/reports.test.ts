import { beforeAll, expect, test } from 'bun:test'
import { createOperationsClient } from '@kiraya/sdk/operations'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { startJobs } from '../../../server/jobs'
import { clock, startTestServer, testServer } from '../../support/server'
import { createDraft, sendRequest, signInUser } from '../../support/users'
import { MINUTE_MS } from '../jobs/with-server'

const OPS_TOKEN = 'a token for those who run it'
const time = clock(new Date('2027-03-01T06:00:00Z'))
const server = testServer({ env: { OPS_TOKEN }, overrides: { now: time.now } })
const db = () => getKysely(server.em())
const operations = () => createOperationsClient({ baseUrl: server.url, token: OPS_TOKEN })
const fromNow = (ms: number) => new Date(time.now().getTime() + ms)

/** The queue makes its tables when it starts. */
beforeAll(async () => (await startJobs(server.deps)).stop())

type Run = { job: string; state: string; createdAt?: string; completedAt?: string; output?: unknown }

async function insertRuns(runs: Run[]) {
  for (const { job, state, createdAt = '2027-01-01', completedAt = null, output = null } of runs)
    await sql`
      insert into jobs.job (name, policy, data, state, created_on, completed_on, output)
      select name, policy, '{}', ${state}::jobs.job_state, ${createdAt}::timestamptz,
        ${completedAt}::timestamptz, ${JSON.stringify(output)}::text::jsonb
      from jobs.queue where name = ${job}`.execute(db())
}

test('the report counts the runs of each job by state, and lists the newest failures first', async () => {
  await insertRuns([
    { job: 'purge', state: 'completed', completedAt: '2027-02-01T10:00:00Z' },
    { job: 'purge', state: 'completed', completedAt: '2027-02-02T10:00:00Z' },
    { job: 'remind', state: 'failed', completedAt: '2027-02-03T10:00:00Z', output: { message: 'first' } },
    { job: 'remind', state: 'failed', completedAt: '2027-02-04T10:00:00Z', output: { value: 'second' } },
  ])

  const { jobs, failed } = await operations().jobs()

  expect(jobs).toEqual([
    { name: 'purge', state: 'completed', runs: 2, newest: '2027-02-02T10:00:00.000Z' },
    { name: 'remind', state: 'failed', runs: 2, newest: '2027-02-04T10:00:00.000Z' },
  ])
  expect(failed.map(({ name, error, failed_at }) => [name, error, failed_at])).toEqual([
    ['remind', '{"value": "second"}', '2027-02-04T10:00:00.000Z'],
    ['remind', 'first', '2027-02-03T10:00:00.000Z'],
  ])
  const { body } = await sendRequest(server, 'GET', '/metrics', { token: OPS_TOKEN })
  expect(body).toContain('kiraya_job_runs{name="purge",state="completed"} 2')
})

type Times = { status?: string; checkInMs?: number; remindInMs?: number; isDocumentDue?: boolean }

test('the backlog counts what waits, and what is late by ten minutes', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  const insertSignature = ({ status = 'EXPIRED', checkInMs, remindInMs, isDocumentDue }: Times) =>
    sql`
    insert into agreement_signatures (
      agreement_id, signer_id, signer_role, status, provider, expires_at, next_check_at, next_reminder_at,
      document_due_at
    ) values (
      ${agreement.id}, ${tenant.id}, 'TENANT', ${status}, 'sandbox', ${fromNow(MINUTE_MS)},
      ${checkInMs === undefined ? null : fromNow(checkInMs)}::timestamptz,
      ${remindInMs === undefined ? null : fromNow(remindInMs)}::timestamptz,
      ${isDocumentDue ? fromNow(MINUTE_MS) : null}::timestamptz
    )`.execute(db())
  await insertSignature({ checkInMs: -60 * MINUTE_MS, remindInMs: 0 })
  await insertSignature({ remindInMs: 1, isDocumentDue: true })
  await insertSignature({ status: 'PENDING', checkInMs: 1 - 10 * MINUTE_MS })
  expect((await operations().jobs()).waiting).toEqual({
    open_signatures: 1,
    stuck_signatures: 0,
    webhooks: 0,
    cancellations: 0,
    documents: 1,
    reminders: 1,
  })

  time.advance(1)

  expect((await operations().jobs()).waiting).toMatchObject({ stuck_signatures: 1, reminders: 2 })
})

test('webhooks are listed in pages, and those of equal age by their id', async () => {
  const { rows } = await sql<{ id: number }>`
    insert into webhook_deliveries (provider, digest, payload, outcome, processed_at, created_at)
    select 'sandbox', md5(n::text), '{}', 'signed', ${time.now()}, ${time.now()} from generate_series(1, 5) n
    returning id`.execute(db())
  const ids = rows.map(({ id }) => id).toSorted((one, other) => one - other)
  // An update moves a row to the end of the table.
  await sql`update webhook_deliveries set attempts = 1 where id = ${ids[1]!}`.execute(db())

  const pages = [1, 2, 3].map(page => operations().webhooks({ sort: 'created_at', limit: 2, page }))
  const [first, ...others] = await Promise.all(pages)

  expect(first!.metadata).toEqual({ page: 1, limit: 2, total: 5, total_pages: 3 })
  expect([first!, ...others].map(({ data }) => data.map(({ id }) => id))).toEqual([
    ids.slice(0, 2),
    ids.slice(2, 4),
    ids.slice(4),
  ])
})

test('503: the metrics of one of several processes are missing', async () => {
  const overrides = { scrapeMetrics: async () => undefined }
  const worker = await startTestServer({ env: { OPS_TOKEN }, overrides })
  try {
    const response = await sendRequest(worker, 'GET', '/metrics', { token: OPS_TOKEN })
    expect([response.status, response.error.reason]).toEqual([503, 'metrics_incomplete'])
  } finally {
    await worker.end()
  }
})

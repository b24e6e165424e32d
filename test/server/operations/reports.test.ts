import { beforeEach, expect, test } from 'bun:test'
import { createOperationsClient } from '@kiraya/sdk/operations'
import { sql } from 'kysely'
import { startJobs } from '../../../server/jobs'
import { clock, testServer } from '../../support/server'
import { createDraft, sendRequest, signInUser } from '../../support/users'
import { MINUTE_MS } from '../jobs/durations'

const OPS_TOKEN = 'a token for those who run it'
const time = clock(new Date('2027-03-01T06:00:00Z'))
const server = testServer({ env: { OPS_TOKEN }, overrides: { now: time.now } })
const operations = () => createOperationsClient({ baseUrl: server.url, token: OPS_TOKEN })
const NOON = '2027-02-01T12:00:00.000Z'
const fromNow = (ms: number) => new Date(time.now().getTime() + ms)

/** The queue makes its tables when it starts, and sometimes a first run. */
beforeEach(async () => {
  await (await startJobs(server.deps)).stop()
  await sql`delete from jobs.job`.execute(server.db)
  await sql`delete from received_webhooks`.execute(server.db)
})

type Runs = { started?: string; completed?: string; output?: unknown; count?: number }

async function insertRuns(job: string, state: string, runs: Runs = {}) {
  const { started = null, completed = null, output = { message: 'it failed' }, count = 1 } = runs
  await sql`
    insert into jobs.job (name, policy, data, state, created_on, started_on, completed_on, output)
    select name, policy, '{}', ${state}::jobs.job_state, '2027-01-01', ${started}::timestamptz,
      ${completed}::timestamptz + number * interval '1 second', ${JSON.stringify(output)}::text::jsonb
    from jobs.queue, generate_series(0, ${count}::int - 1) number where name = ${job}`.execute(server.db)
}

test('jobs are in the order of their names, with the newest time of each state, and without those of the queue', async () => {
  await insertRuns('remind', 'completed', { started: '2027-01-31', completed: NOON })
  await insertRuns('purge', 'active', { started: NOON })
  await insertRuns('purge', 'created')
  await insertRuns('purge', 'failed', { completed: NOON, count: 51 })
  await insertRuns('__pgboss__send-it', 'completed', { completed: NOON })

  await insertRuns('remind', 'failed', { completed: '2027-02-03', output: { value: 'second' } })

  const { jobs, failed } = await operations().jobs()

  expect(jobs.map(({ name, state, runs, newest }) => [name, state, runs, newest])).toEqual([
    ['purge', 'active', 1, NOON],
    ['purge', 'created', 1, '2027-01-01T00:00:00.000Z'],
    ['purge', 'failed', 51, '2027-02-01T12:00:50.000Z'],
    ['remind', 'completed', 1, NOON],
    ['remind', 'failed', 1, '2027-02-03T00:00:00.000Z'],
  ])
  expect(failed).toHaveLength(50)
  expect([failed[0]!.failed_at, failed.at(-1)!.failed_at]).toEqual([
    '2027-02-03T00:00:00.000Z',
    '2027-02-01T12:00:02.000Z',
  ])
  expect(failed.slice(0, 2).map(({ name, error }) => [name, error])).toEqual([
    ['remind', '{"value": "second"}'],
    ['purge', 'it failed'],
  ])
  const { body } = await sendRequest(server, 'GET', '/metrics', { token: OPS_TOKEN })
  expect(body).toContain('kiraya_job_runs{name="purge",state="failed"} 51')
})

type Times = { status?: string; checkInMs?: number; remindInMs?: number }

test('the backlog counts what waits, and what is late by ten minutes', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  const insertSignature = ({ status = 'EXPIRED', checkInMs, remindInMs }: Times) =>
    sql`
    insert into agreement_signatures (
      agreement_id, signer_id, signer_role, status, provider, expires_at, next_check_at, next_reminder_at,
      created_at, updated_at
    ) values (
      ${agreement.id}, ${tenant.id}, 'TENANT', ${status}, 'sandbox', ${fromNow(MINUTE_MS)},
      ${checkInMs === undefined ? null : fromNow(checkInMs)}::timestamptz,
      ${remindInMs === undefined ? null : fromNow(remindInMs)}::timestamptz, now(), now()
    )`.execute(server.db)
  await insertSignature({ checkInMs: -60 * MINUTE_MS, remindInMs: 0 })
  await insertSignature({ remindInMs: 1 })
  await sql`update agreements set evidence_due_at = ${fromNow(MINUTE_MS)} where id = ${agreement.id}`.execute(
    server.db,
  )
  await insertSignature({ status: 'PENDING', checkInMs: 1 - 10 * MINUTE_MS })
  await sql`
    insert into received_webhooks (provider, digest, payload, processed_at, created_at)
    values ('setu', 'waits', '{}', null, now()), ('setu', 'ended', '{}', ${NOON}, now()),
      ('setu', 'other', '{}', ${NOON}, now())`.execute(server.db)
  await sql`
    insert into signing_cancellations (provider, provider_request_id, agreement_id, due_at, created_at)
    values ('setu', 'request', ${agreement.id}, '9999-01-01', now())`.execute(server.db)
  expect((await operations().jobs()).waiting).toEqual({
    open_signatures: 1,
    stuck_signatures: 0,
    webhooks: 1,
    cancellations: 1,
    documents: 1,
    reminders: 1,
  })

  time.advance(1)

  expect((await operations().jobs()).waiting).toMatchObject({ stuck_signatures: 1, reminders: 2 })
})

test('webhooks are listed by what became of them', async () => {
  await sql`
    insert into received_webhooks (provider, digest, payload, request_id, outcome, processed_at, created_at)
    values ('setu', 'an open one', '{}', 'states', null, null, now()),
      ('setu', 'an unknown one', '{}', 'states', 'unknown request', ${NOON}, now()),
      ('setu', 'a done one', '{}', 'states', 'signed', ${NOON}, now())`.execute(server.db)
  const listOutcomes = async (state?: 'open' | 'unknown' | 'done') => {
    const { data } = await operations().webhooks({ request_id: 'states', ...(state && { state }) })
    return data.map(({ outcome }) => outcome)
  }

  expect(await listOutcomes('open')).toEqual([null])
  expect(await listOutcomes('unknown')).toEqual(['unknown request'])
  expect(await listOutcomes('done')).toEqual(['signed'])
  expect(await listOutcomes()).toEqual(['signed', 'unknown request', null])
})

test('webhooks of one moment are listed in pages by their ids, in the direction of the list', async () => {
  const { rows } = await sql<{ id: number }>`
    insert into received_webhooks (provider, digest, payload, request_id, outcome, processed_at, created_at)
    select 'sandbox', md5(n::text), '{}', 'pages', 'signed', ${time.now()}, ${time.now()}
    from generate_series(1, 5) n returning id`.execute(server.db)
  const ids = rows.map(({ id }) => id).toSorted((one, other) => one - other)
  // An update moves a row to the end of the table.
  await sql`update received_webhooks set attempts = 1 where id = ${ids[1]!}`.execute(server.db)
  const list = async (query: { sort?: 'created_at' | '-created_at'; limit?: number; page?: number }) => {
    const { data, metadata } = await operations().webhooks({ request_id: 'pages', ...query })
    return { ids: data.map(({ id }) => id), metadata }
  }

  const pages = await Promise.all([1, 2, 3].map(page => list({ sort: 'created_at', limit: 2, page })))
  expect(pages[0]!.metadata).toEqual({ page: 1, limit: 2, total: 5, total_pages: 3 })
  expect(pages.map(page => page.ids)).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)])
  for (const sort of [undefined, '-created_at'] as const)
    expect(await list({ ...(sort && { sort }) })).toEqual({
      ids: ids.toReversed(),
      metadata: { page: 1, limit: 50, total: 5, total_pages: 1 },
    })
})

import { beforeAll, expect, test } from 'bun:test'
import { createOperationsClient } from '@kiraya/sdk/operations'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { startJobs } from '../../../server/jobs'
import { testServer } from '../../support/server'
import { createDraft, signInUser } from '../../support/users'

const OPS_TOKEN = 'a token for those who run it'
const server = testServer({ env: { OPS_TOKEN } })
const db = () => getKysely(server.em())
const operations = () => createOperationsClient({ baseUrl: server.url, token: OPS_TOKEN })
const NOON = '2027-02-01T12:00:00.000Z'

/** The queue makes its tables when it starts, and sometimes a first run. */
beforeAll(async () => {
  await (await startJobs(server.deps)).stop()
  await sql`delete from jobs.job`.execute(db())
})

async function insertRuns(
  job: string,
  state: string,
  times: { started?: string; completed?: string },
  count = 1,
) {
  const { started = null, completed = null } = times
  await sql`
    insert into jobs.job (name, policy, data, state, created_on, started_on, completed_on, output)
    select name, policy, '{}', ${state}::jobs.job_state, '2027-01-01', ${started}::timestamptz,
      ${completed}::timestamptz + number * interval '1 second', '{"message": "it failed"}'
    from jobs.queue, generate_series(0, ${count}::int - 1) number where name = ${job}`.execute(db())
}

test('jobs are in the order of their names, with the newest time of each state, and without those of the queue', async () => {
  await insertRuns('remind', 'completed', { started: '2027-01-31', completed: NOON })
  await insertRuns('purge', 'active', { started: NOON })
  await insertRuns('purge', 'created', {})
  await insertRuns('purge', 'failed', { completed: NOON }, 51)
  await insertRuns('__pgboss__send-it', 'completed', { completed: NOON })

  const { jobs, failed } = await operations().jobs()

  expect(jobs.map(({ name, state, runs, newest }) => [name, state, runs, newest])).toEqual([
    ['purge', 'active', 1, NOON],
    ['purge', 'created', 1, '2027-01-01T00:00:00.000Z'],
    ['purge', 'failed', 51, '2027-02-01T12:00:50.000Z'],
    ['remind', 'completed', 1, NOON],
  ])
  expect(failed).toHaveLength(50)
  expect([failed[0]!.failed_at, failed.at(-1)!.failed_at]).toEqual([
    '2027-02-01T12:00:50.000Z',
    '2027-02-01T12:00:01.000Z',
  ])
})

test('webhooks of one moment are in the order of their ids, in the direction of the list', async () => {
  await sql`
    insert into webhook_deliveries (provider, digest, payload, created_at)
    select 'setu', 'digest ' || number, '{}', ${NOON}::timestamptz from generate_series(1, 60) number`.execute(
    db(),
  )
  const listIds = async (sort?: 'created_at' | '-created_at') => {
    const { data, metadata } = await operations().webhooks({ ...(sort && { sort }) })
    return { ids: data.map(({ id }) => id), metadata }
  }

  const newest = await listIds()
  expect(newest.metadata).toEqual({ page: 1, limit: 50, total: 60, total_pages: 2 })
  expect(newest.ids).toEqual(newest.ids.toSorted((a, b) => b - a))
  expect(newest.ids).toHaveLength(50)
  expect((await listIds('-created_at')).ids).toEqual(newest.ids)
  const oldest = (await listIds('created_at')).ids
  expect(oldest).toEqual(oldest.toSorted((a, b) => a - b))
})

test('webhooks are listed by what became of them', async () => {
  await sql`
    insert into webhook_deliveries (provider, digest, payload, request_id, outcome, processed_at)
    values ('setu', 'an open one', '{}', 'states', null, null),
      ('setu', 'an unknown one', '{}', 'states', 'unknown request', ${NOON}),
      ('setu', 'a done one', '{}', 'states', 'signed', ${NOON})`.execute(db())
  const listOutcomes = async (state?: 'open' | 'unknown' | 'done') => {
    const { data } = await operations().webhooks({ request_id: 'states', ...(state && { state }) })
    return data.map(({ outcome }) => outcome)
  }

  expect(await listOutcomes('open')).toEqual([null])
  expect(await listOutcomes('unknown')).toEqual(['unknown request'])
  expect(await listOutcomes('done')).toEqual(['signed'])
  expect(await listOutcomes()).toEqual(['signed', 'unknown request', null])
})

test('the backlog counts the open webhooks and the cancellations', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement } = await createDraft(owner, [tenant])
  const { waiting: before } = await operations().jobs()
  await sql`
    insert into webhook_deliveries (provider, digest, payload, processed_at)
    values ('setu', 'waits', '{}', null), ('setu', 'ended', '{}', ${NOON}),
      ('setu', 'ended too', '{}', ${NOON})`.execute(db())
  await sql`
    insert into signing_cancellations (provider, provider_request_id, agreement_id, due_at)
    values ('setu', 'request', ${agreement.id}, '9999-01-01')`.execute(db())

  const { waiting } = await operations().jobs()

  expect([waiting.webhooks - before.webhooks, waiting.cancellations - before.cancellations]).toEqual([1, 1])
})

import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { getKysely } from '../../../db/database'
import { startJobs } from '../../../server/jobs'
import { createLog } from '../../../server/observability/log'
import { waitUntil } from '../../support/round'
import { startTestServer, testServer } from '../../support/server'

const lines: { level: string; msg: string; job?: string }[] = []
const log = createLog('info', false, { write: line => void lines.push(JSON.parse(line)) })
const server = testServer()
const db = () => getKysely(server.em())
let boss: PgBoss
let jobs: Awaited<ReturnType<typeof startJobs>>

/** The jobs ask for the time first, so all of them fail. */
const failingClock = () => {
  throw new Error('no time')
}

beforeAll(async () => {
  const starting = spyOn(PgBoss.prototype, 'start')
  jobs = await startJobs({ ...server.deps, log, now: failingClock })
  boss = starting.mock.contexts[0] as PgBoss
  starting.mockRestore()
})
afterAll(() => jobs.stop())

test('leases end five minutes after midnight in India, and the other jobs run more often', async () => {
  const schedule = db()
    .selectFrom(sql<{ name: string; cron: string; timezone: string }>`jobs.schedule`.as('s'))
    .select(['s.name', 's.cron', 's.timezone'])
    .orderBy('s.name')
  expect(await schedule.execute()).toEqual(
    [
      ['cancel-requests', '* * * * *'],
      ['end-tenures', '5 0,6,12,18 * * *'],
      ['keep-documents', '* * * * *'],
      ['post-charges', '10 0,6,12,18 * * *'],
      ['purge', '30 * * * *'],
      ['reconcile-kyc', '* * * * *'],
      ['reconcile-signatures', '* * * * *'],
      ['reconcile-webhooks', '* * * * *'],
      ['remind', '*/10 * * * *'],
      ['renew-encryption', '40 2 * * *'],
    ].map(([name, cron]) => ({ name: name!, cron: cron!, timezone: 'Asia/Kolkata' })),
  )
})

test('a job that fails is logged with its name, and is tried again three times, later each time', async () => {
  const id = await boss.send('purge', {})
  const findState = async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select state::text as state, retry_limit, retry_delay, retry_backoff, expire_seconds
      from jobs.job where id = ${id}::uuid`.execute(db())
    return rows[0]!
  }

  await waitUntil(async () => !['created', 'active'].includes(String((await findState()).state)), 'a run')

  const retries = { retry_limit: 3, retry_delay: 5, retry_backoff: true, expire_seconds: 600 }
  expect(await findState()).toEqual({ state: 'retry', ...retries })
  expect(lines).toContainEqual(expect.objectContaining({ level: 'error', job: 'purge' }))
}, 40_000)

test('an error of the queue itself is logged', () => {
  boss.emit('error', new Error('x'))

  expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg: 'The job queue had an error' }))
})

test('what waits in a queue outlasts a new start', async () => {
  const id = crypto.randomUUID()
  await sql`insert into jobs.job (id, name, policy, data, start_after)
    select ${id}::uuid, name, policy, '{}', now() + interval '1 hour' from jobs.queue where name = 'purge'`.execute(
    db(),
  )
  const again = await startJobs({ ...server.deps, log, now: failingClock })
  await again.stop()

  const { rows } = await sql`select id from jobs.job where id = ${id}::uuid`.execute(db())
  expect(rows).toEqual([{ id }])
})

test('a queue of another kind is made anew, and a stop leaves no connection', async () => {
  const other = await startTestServer({ poolSize: 1 })
  const otherDb = getKysely(other.em())
  const earlier = new PgBoss({ schema: 'jobs', connectionString: other.deps.db.url })
  const countOthers = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(otherDb)
    return rows[0]!.count
  }
  try {
    await earlier.start()
    await earlier.createQueue('purge', { policy: 'singleton' })
    await earlier.stop({ graceful: false })
    const { stop } = await startJobs(other.deps)
    const queue = await sql`select policy from jobs.queue where name = 'purge'`.execute(otherDb)
    expect(queue.rows).toEqual([{ policy: 'short' }])

    await stop()

    await waitUntil(async () => (await countOthers()) === 0, 'the connections are closed', 9000)
  } finally {
    await other.end()
  }
}, 30_000)

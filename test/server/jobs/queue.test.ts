import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { startJobs } from '../../../server/jobs'
import { recordLog } from '../../support/log'
import { waitUntil } from '../../support/round'
import { startTestServer, testServer } from '../../support/server'
import { sendRequest } from '../../support/users'

const OPS_TOKEN = 'a token for those who run it'
const MAX_CONNECTIONS = 3
const PERSONAL = 'Asha Rao, 9876543210'

const INTERNAL_QUEUE = '__pgboss__send-it'

const { lines, log } = recordLog()
const server = testServer({ env: { OPS_TOKEN }, own: true })
let boss: PgBoss
let jobs: Awaited<ReturnType<typeof startJobs>>

/** Every job that asks for the time fails, with an error that quotes a person. */
const failingClock = () => {
  throw new Error(`Key (phone)=(${PERSONAL}) is not present`)
}

beforeAll(async () => {
  using starting = spyOn(PgBoss.prototype, 'start')
  jobs = await startJobs({ ...server.deps, log, now: failingClock })
  boss = starting.mock.contexts[0] as PgBoss
})
afterAll(() => jobs.stop())

test('leases end five minutes after midnight in India, and the other jobs run more often', async () => {
  const schedule = server.db
    .selectFrom(sql<{ name: string; cron: string; timezone: string }>`jobs.schedule`.as('s'))
    .select(['s.name', 's.cron', 's.timezone'])
    .orderBy('s.name')
  expect(await schedule.execute()).toEqual(
    [
      ['cancel-requests', '* * * * *'],
      ['end-tenures', '5 0,6,12,18 * * *'],
      ['post-charges', '10 0,6,12,18 * * *'],
      ['purge', '30 * * * *'],
      ['reconcile-kyc', '* * * * *'],
      ['reconcile-signatures', '* * * * *'],
      ['reconcile-webhooks', '* * * * *'],
      ['remind', '*/10 * * * *'],
      ['renew-encryption', '40 2 * * *'],
      ['send-messages', '* * * * *'],
      ['store-evidence', '* * * * *'],
    ].map(([name, cron]) => ({ name: name!, cron: cron!, timezone: 'Asia/Kolkata' })),
  )
})

test('a job that fails is logged, tried again three times, and stored with what may be logged', async () => {
  // A job that waits would have this one refused.
  await sql`delete from jobs.job where name = 'purge'`.execute(server.db)
  const id = await boss.send('purge', {})
  const findJob = async () => {
    const { rows } = await sql<Record<string, unknown>>`
      select state::text as state, retry_limit, retry_delay, retry_backoff, expire_seconds, output
      from jobs.job where id = ${id}::uuid`.execute(server.db)
    return rows[0]!
  }

  await waitUntil(async () => !['created', 'active'].includes(String((await findJob()).state)), 'a run')

  const { output, ...job } = await findJob()
  const retries = { retry_limit: 3, retry_delay: 5, retry_backoff: true, expire_seconds: 600 }
  expect(job).toEqual({ state: 'retry', ...retries })
  expect(output).toMatchObject({ message: 'Error' })
  for (const personal of PERSONAL.split(', ')) expect(JSON.stringify(output)).not.toContain(personal)
  expect(lines).toContainEqual(expect.objectContaining({ level: 'error', job: 'purge' }))
}, 40_000)

test('a run that ended with its server does not block the next', async () => {
  const insert = async (state: string) => {
    const { rows } = await sql<{ id: string }>`
      insert into jobs.job (name, state, policy, started_on, expire_seconds, retry_limit, data)
      select name, ${state}::text::jobs.job_state, policy, case when ${state} = 'active' then now() end, 600, 3, '{}'
      from jobs.queue where name = 'store-evidence' returning id`.execute(server.db)
    return rows[0]!.id
  }
  const readState = async (id: string) => {
    const { rows } = await sql<{ state: string }>`
      select state::text as state from jobs.job where id = ${id}::uuid`.execute(server.db)
    return rows[0]!.state
  }
  const [cutOff, next] = [await insert('active'), await insert('created')]

  await waitUntil(async () => (await readState(next)) !== 'created', 'the next run')

  expect(await readState(cutOff)).toBe('active')
}, 40_000)

test('an error of the queue itself is logged', () => {
  boss.emit('error', new Error('x'))

  expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', msg: 'The job queue had an error' }))
})

test('the report of the jobs leaves out the queue’s own', async () => {
  await boss.send('remind', {})
  await sql`
    insert into jobs.job (name, policy, data)
    select name, policy, '{}' from jobs.queue where name = ${INTERNAL_QUEUE}`.execute(server.db)

  const { data } = await sendRequest(server, 'GET', '/operations/jobs', { token: OPS_TOKEN })

  const names: string[] = data.jobs.map(({ name }: { name: string }) => name)
  expect(names).toContain('remind')
  expect(names.filter(name => name.startsWith('__'))).toEqual([])
})

const run = (text: string) => boss.getDb().executeSql(text)
const onEveryConnection = <T>(work: () => Promise<T>) =>
  Promise.all(Array.from({ length: MAX_CONNECTIONS }, work))
const countLosses = () => lines.filter(({ msg }) => msg === 'The job queue lost a connection').length

test('connections that are lost are logged and made anew', async () => {
  const readPid = async (): Promise<number> => (await run('select pg_backend_pid() as pid')).rows[0].pid
  const pids = await onEveryConnection(readPid)
  const before = countLosses()

  await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as pid`.execute(server.db)

  await waitUntil(() => countLosses() > before, 'the news of the loss')
  const isBack = () => run('select 1').then(Boolean, () => false)
  await waitUntil(isBack, 'another connection')
})

test.each([
  ['that cannot be started', true],
  ['that are stopped', false],
])(
  'jobs %s leave no connection',
  async (_, fails) => {
    const other = await startTestServer({ poolSize: 1 })
    const countOthers = async () => {
      const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
    `.execute(other.db)
      return rows[0]!.count
    }
    try {
      using scheduling = spyOn(PgBoss.prototype, 'schedule')
      if (fails) {
        scheduling.mockRejectedValueOnce(new Error('lost'))
        await expect(startJobs(other.deps)).rejects.toThrow('lost')
      } else {
        const { stop } = await startJobs(other.deps)
        await stop()
      }
      await waitUntil(async () => (await countOthers()) === 0, 'the end of its connections', 9000)
    } finally {
      await other.end()
    }
  },
  30_000,
)

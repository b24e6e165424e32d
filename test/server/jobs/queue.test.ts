import { expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { openDatabase, getKysely } from '../../../db/database'
import { startJobs } from '../../../server/jobs'
import { waitUntil } from '../../support/round'
import { startTestServer } from '../../support/server'

test('every job is scheduled, in a schema that the entities do not see', async () => {
  const server = await startTestServer({ env: { RUN_JOBS: 'true' } })
  const scheduled = async () =>
    (
      await sql<{ name: string }>`select name from jobs.schedule order by name`.execute(
        getKysely(server.em()),
      )
    ).rows.map(({ name }) => name)
  for (let tries = 0; tries < 100 && (await scheduled().catch(() => [])).length < 10; tries++)
    await Bun.sleep(50)
  expect(await scheduled()).toEqual([
    'cancel-requests',
    'end-tenures',
    'keep-documents',
    'post-charges',
    'purge',
    'reconcile-kyc',
    'reconcile-signatures',
    'reconcile-webhooks',
    'remind',
    'renew-encryption',
  ])
  const orm = openDatabase(server.deps.config.DATABASE_URL!)
  expect((await orm.orm.schema.getUpdateSchemaSQL()).replace("set names 'utf8';", '').trim()).toBe('')
  await orm.close()
  await server.end()
})

test('a run that ended with its server does not block the next', async () => {
  const first = await startTestServer({ env: { RUN_JOBS: 'true' } })
  const db = getKysely(first.em())
  const state = async (id: string) =>
    (await sql<{ state: string }>`select state::text as state from jobs.job where id = ${id}`.execute(db))
      .rows[0]?.state
  try {
    for (
      let tries = 0;
      tries < 100 &&
      !(
        await sql<{
          there: boolean
        }>`select exists (select 1 from pg_tables where schemaname = 'jobs' and tablename = 'schedule') as there`.execute(
          db,
        )
      ).rows[0]!.there;
      tries++
    )
      await Bun.sleep(50)
    for (
      let tries = 0;
      tries < 100 &&
      (await sql`select 1 from jobs.schedule where name = 'purge'`.execute(db)).rows.length === 0;
      tries++
    )
      await Bun.sleep(50)
    const add = async (as: string) =>
      (
        await sql<{
          id: string
        }>`insert into jobs.job (name, state, policy, started_on, expire_seconds, retry_limit, data) select name, ${as}::jobs.job_state, policy, case when ${as} = 'active' then now() end, 600, 3, '{}' from jobs.queue where name = 'keep-documents' returning id`.execute(
          db,
        )
      ).rows[0]!.id
    const cutOff = await add('active')
    const next = await add('created')
    for (let tries = 0; tries < 200 && (await state(next)) !== 'completed'; tries++) await Bun.sleep(100)
    expect([await state(cutOff), await state(next)]).toEqual(['active', 'completed'])
  } finally {
    await first.end()
  }
}, 40_000)

test('a failed statement of the queue leaves the connections usable', async () => {
  const server = await startTestServer({ poolSize: 3 })
  try {
    await sql`create schema jobs`.execute(getKysely(server.em()))
    await sql`create table jobs.version (version text)`.execute(getKysely(server.em())) // none that the queue understands
    expect(
      await startJobs(server.deps).then(
        () => 'started',
        () => 'failed',
      ),
    ).toBe('failed')
    for (let round = 0; round < 5; round++)
      expect(
        await Promise.all(
          Array.from({ length: 6 }, async () => (await fetch(`${server.url}/health/ready`)).status),
        ),
      ).toEqual(Array(6).fill(200))
  } finally {
    await server.end()
  }
}, 20_000)

test('jobs that cannot be started leave no connection', async () => {
  const server = await startTestServer({ poolSize: 1 })
  const db = getKysely(server.em())
  const countOthers = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    return rows[0]!.count
  }
  try {
    using _ = spyOn(PgBoss.prototype, 'schedule').mockRejectedValueOnce(new Error('lost'))
    await expect(startJobs(server.deps)).rejects.toThrow('lost')

    await waitUntil(async () => (await countOthers()) === 0, 'the end of its connections', 9000)
  } finally {
    await server.end()
  }
}, 20_000)

import { afterAll, afterEach, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely, openDatabase, type Database } from '../../../db/database'
import { getSqlState } from '../../../db/database-errors'
import type { Config } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import type { ReadDatabase } from '../../../server/deps'
import { createReadReplica } from '../../../server/process/read-replica'
import { waitUntil } from '../../support/round'
import { freshDatabase } from '../../support/database'
import { waitForLocks } from '../../support/locks'

type Fresh = Awaited<ReturnType<typeof freshDatabase>>

/** One database stands for the standby of the other: what PostgreSQL says of replication is read from tables. */
const pretence = [
  'create table said (name text primary key, value text)',
  'create table standbys (pid int, application_name text, sync_state text, replay_lsn pg_lsn)',
  'create view pg_stat_replication as select * from standbys',
  `create function current_setting(text) returns text language sql stable as
    $$ select coalesce((select value from public.said where name = $1), pg_catalog.current_setting($1)) $$`,
  `create function pg_is_in_recovery() returns boolean language sql stable as
    $$ select exists (select from public.said where name = 'cluster_name') $$`,
  `create function fail(state text) returns text language plpgsql as
    $$ begin if not pg_is_in_recovery() then return 'primary'; end if;
      raise exception 'x' using errcode = state; end $$`,
]
const standby = `insert into standbys values (7, 'replica', 'sync', 'FFFFFFFF/0')`

let [main, other]: Fresh[] = []
let primary: Database
let replica: ReadDatabase

async function pretend({ url, name }: Fresh, ...more: string[]) {
  const database = openDatabase(url, { poolSize: 1 })
  const path = `alter database "${name}" set search_path = public, pg_catalog`
  for (const text of [...pretence, ...more, path]) await sql.raw(text).execute(getKysely(database))
  await database.close()
}

beforeAll(async () => {
  ;[main, other] = [await freshDatabase(), await freshDatabase()]
  await pretend(main, `insert into said values ('synchronous_commit', 'remote_apply')`, standby)
  await pretend(other, `insert into said values ('cluster_name', 'replica')`)
  primary = openDatabase(main.url)
})
beforeEach(() => void (replica = createReplica()))
afterEach(() => replica.close())
afterAll(async () => {
  await primary.close()
  for (const database of [main, other]) await database!.drop()
})

function createReplica() {
  const settings = { DATABASE_REPLICA_URL: other!.url, DATABASE_TIMEOUT_MS: 2500, REPLICA_SETTLE_MS: 0 }
  return createReadReplica(settings as Config, primary, createLog('silent', false))!
}

const readSource = async () => {
  const text = 'select current_database() as name'
  const [{ name }] = (await replica.sendStatement<{ name: string }>(text, [])) as any
  return name === other!.name ? 'replica' : 'primary'
}
const readFailing = async (state: string) => {
  const [row] = await replica.sendStatement<{ fail: string }>('select fail($1)', [state])
  return row!.fail
}
const waitForSource = (source: string) =>
  waitUntil(async () => (await readSource()) === source, `reads from the ${source}`)

/** Works while a check of the replica waits for the primary and time stands still: neither changes where reads go. */
async function withoutChecks(work: () => Promise<void>) {
  await waitForSource('replica')
  await primary.transactional(async em => {
    await sql`lock table standbys in access exclusive mode`.execute(getKysely(em))
    await waitForLocks({ em: () => em })
    using _ = spyOn(performance, 'now').mockReturnValue(performance.now())
    await work()
  })
}

test('until the first check has ended, reads go to the primary', async () => {
  await primary.transactional(async em => {
    await sql`lock table standbys in access exclusive mode`.execute(getKysely(em))
    const unchecked = createReplica()
    await waitForLocks({ em: () => em })
    const [row] = await unchecked.sendStatement<{ name: string }>('select current_database() as name', [])
    expect(row!.name).toBe(main!.name)
    await unchecked.close()
  })
}, 20_000)

test(
  'a query that conflicts with replication is sent to the primary, and the next one to the replica',
  () =>
    withoutChecks(async () => {
      expect(await readFailing('40001')).toBe('primary')
      expect(await readSource()).toBe('replica')
    }),
  20_000,
)

test('once the replica does not answer, reads go to the primary until the next check', async () => {
  await withoutChecks(async () => {
    expect(await readFailing('57P03')).toBe('primary')
    expect(await readSource()).toBe('primary')
  })
  await waitForSource('replica')
}, 20_000)

test(
  'an error of the query itself is no reason to ask the primary',
  () =>
    withoutChecks(async () => {
      expect(await replica.sendStatement('select 1 / 0', []).catch(getSqlState)).toBe('22012')
      expect(await readSource()).toBe('replica')
    }),
  20_000,
)

/** Connections without work end by themselves after 10 s. */
const CLOSED_WITHIN_MS = 5000

test('a replica that is closed is left by all connections', async () => {
  const countConnections = async () => {
    const sessions = await primary.sendStatement('select 1 from pg_stat_activity where datname = $1', [
      other!.name,
    ])
    return sessions.length
  }
  await waitUntil(async () => (await countConnections()) > 0, 'a check of the replica')

  await replica.close()

  const isLeft = async () => (await countConnections()) === 0
  await waitUntil(isLeft, 'the end of its connections', CLOSED_WITHIN_MS)
  expect(await readSource()).toBe('primary')
})

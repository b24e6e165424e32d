import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { withQueryDeadline } from '../../db/deadlines'
import { getKysely } from '../../db/database'
import { workBeside } from '../support/locks'
import { waitUntil } from '../support/round'
import { ask, databaseOfFile, refusal } from './database'

const { open } = await databaseOfFile()
const orm = open({ poolSize: 2 })
const watch = open({ poolSize: 1 })
const works = async () =>
  expect(await Promise.all([1, 2, 3].map(n => ask(orm, `select ${n} as n`)))).toEqual([
    [{ n: 1 }],
    [{ n: 2 }],
    [{ n: 3 }],
  ])
const others = () =>
  ask(
    watch,
    `select pid, state from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and (state = 'active' or state like 'idle in transaction%')`,
  )

test('connections that break in or before a transaction are returned to the pool', async () => {
  for (let round = 0; round < 2; round++) {
    expect(
      await refusal(orm.transactional(em => ask(em, 'select pg_terminate_backend(pg_backend_pid())'))),
    ).toBe('SERVICE_UNAVAILABLE')
    await works()
    await ask(
      watch,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await refusal(orm.transactional(em => ask(em, 'select 1')))
    await Promise.all([1, 2].map(() => refusal(ask(orm, 'select 1')))) // each may meet one that is not known to be dead yet
  }
  await works()
})

test('a statement beyond its timeout fails, and neither its connection nor its transaction is reused', async () => {
  const waiting = await ask(orm, 'select 1').then(() =>
    Promise.all([
      refusal(withQueryDeadline({ leftMs: 300 }, () => ask(orm, 'select pg_sleep(60)'))),
      refusal(
        withQueryDeadline({ leftMs: 300 }, () =>
          orm.transactional(async em => {
            await ask(em, 'select 1')
            await ask(em, 'select pg_sleep(60)')
          }),
        ),
      ),
    ]),
  )
  expect(waiting).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])
  await works()
  for (let tries = 0; tries < 100 && (await others()).length; tries++) await Bun.sleep(100)
  expect(await others()).toEqual([])
})

test('one deadline covers the waits for connections, statements and the end of a transaction', async () => {
  const statements: number[] = []
  const answered = refusal(
    withQueryDeadline({ leftMs: 700 }, () =>
      orm.transactional(async em => {
        for (let n = 0; n < 20; n++) {
          await ask(em, 'select pg_sleep(0.1)')
          statements.push(n)
        }
      }),
    ),
  )
  expect([await answered, statements.length < 10]).toEqual(['SERVICE_UNAVAILABLE', true])
  const held = Promise.all([1, 2].map(() => ask(orm, 'select pg_sleep(1)')))
  // Each would keep its connection if what comes too late were not given back.
  const late = [1, 2].map(() => refusal(withQueryDeadline({ leftMs: 200 }, () => ask(orm, 'select 1'))))
  expect(await Promise.all(late)).toEqual(['SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])
  await held
  await withQueryDeadline({ leftMs: 5000 }, works)
  expect(await others()).toEqual([])
})

test('work without a deadline waits for statements and connections, also if work with a deadline started it', async () => {
  const sleep = (seconds: number) => refusal(ask(orm, `select pg_sleep(${seconds})`))
  const started: Promise<string>[] = []
  // Ends at once, so what it has started is no longer a part of it.
  await withQueryDeadline(
    { leftMs: 300 },
    async () => void started.push(Bun.sleep(50).then(() => sleep(0.5))),
  )
  const waiting = [1, 2, 3, 4].map(() => sleep(1.2))
  expect(await Promise.all([...started, ...waiting])).toEqual(['none', 'none', 'none', 'none', 'none'])
})

test('the connection of a statement that is cancelled at its deadline is reused', async () => {
  const pid = () => ask(watch, 'select pg_backend_pid() as pid')
  const before = await pid()
  expect(await refusal(withQueryDeadline({ leftMs: 200 }, () => ask(watch, 'select pg_sleep(60)')))).toBe(
    'SERVICE_UNAVAILABLE',
  )
  expect(await pid()).toEqual(before)
  await Bun.sleep(500) // the server has cancelled it in time, so its connections are not replaced later either
  expect(await pid()).toEqual(before)
})

test('a wait for a lock ends at the deadline without a lock, which the next transaction gets', async () => {
  await ask(orm, 'create table locked as select 1 as n')
  const change = () => orm.transactional(em => ask(em, 'update locked set n = n + 1'))
  const lock = sql`select n from locked for update`
  const changed = await workBeside(
    { em: () => orm.fork() },
    db => lock.execute(db),
    () => refusal(withQueryDeadline({ leftMs: 200 }, change)),
  )
  expect(changed).toBe('SERVICE_UNAVAILABLE')
  await change()
  expect(await ask(orm, 'select n from locked')).toEqual([{ n: 2 }])
  expect(orm.getConnectionCounts()).toEqual({ in_use: 0, waiting: 0, max: 2 })
})

test('a transaction that cannot begin fails for its own reason, and gives its connection back once', async () => {
  const broken = open({ poolSize: 1 })
  await ask(broken, 'select 1')
  await ask(
    watch,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and query = 'select 1'`,
  )
  const begun = getKysely(broken)
    .transaction()
    .execute(async () => {})

  expect(['none', 'SERVICE_UNAVAILABLE']).toContain(await refusal(begun))

  expect(broken.getConnectionCounts()).toEqual({ in_use: 0, waiting: 0, max: 1 })
})

test('connections to a server that became a standby are closed at once', async () => {
  const primary = open({ poolSize: 1 })
  const [first] = await ask(primary, 'select pg_backend_pid() as pid')
  const change = primary.transactional(async em => {
    await ask(em, 'set transaction read only')
    await ask(em, 'create table never (n int)')
  })
  expect(await refusal(change)).toBe('SERVICE_UNAVAILABLE')
  expect((await ask(primary, 'select pg_backend_pid() as pid'))[0]).not.toEqual(first)
})

test('a database that is closed has no connection, whatever was sent on it', async () => {
  const own = open({ poolSize: 1 })
  const [connection] = await ask(own, 'select pg_backend_pid() as pid')
  const isOpen = async () =>
    (await ask(watch, `select 1 from pg_stat_activity where pid = ${connection!.pid}`)).length > 0
  expect(await isOpen()).toBe(true)

  await own.close()

  // One without work would end by itself after 10 s.
  await waitUntil(async () => !(await isOpen()), 'its connection ends', 5000)
})

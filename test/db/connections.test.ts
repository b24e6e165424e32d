import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { withQueryDeadline } from '../../db/deadlines'
import { openDatabase, query, type Orm } from '../../db/orm'
import { transact, type Transaction } from '../../db/records'
import { faultOf } from '../../server/http/errors'
import { freshDatabase } from '../support/database'

let database: Awaited<ReturnType<typeof freshDatabase>>
let orm: Orm
let watch: Orm
beforeAll(async () => {
  database = await freshDatabase()
  orm = openDatabase(database.url, { poolSize: 2 })
  watch = openDatabase(database.url, { poolSize: 1 })
})
afterAll(async () => {
  await Promise.all([orm.close(), watch.close()])
  await database.drop()
})

const ask = (of: Orm | Transaction, text: string) =>
  sql<Record<string, unknown>>`${sql.raw(text)}`.execute(query(of)).then(({ rows }) => rows)
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    error => faultOf(error).code,
  )
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

test('connections that die within transactions, or before one begins, are given back however often', async () => {
  for (let round = 0; round < 5; round++) {
    expect(await refusal(transact(orm, tx => ask(tx, 'select pg_terminate_backend(pg_backend_pid())')))).toBe(
      'SERVICE_UNAVAILABLE',
    )
    await works()
    await ask(
      watch,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await refusal(transact(orm, tx => ask(tx, 'select 1')))
    await Promise.all([1, 2].map(() => refusal(ask(orm, 'select 1')))) // each may meet one that is not known to be dead yet
  }
  await works()
})

test('a statement that takes too long is given up, ends by itself and goes back to nobody, its transaction neither', async () => {
  const waiting = await ask(orm, 'select 1').then(() =>
    Promise.all([
      refusal(withQueryDeadline({ leftMs: 300 }, () => ask(orm, 'select pg_sleep(60)'))),
      refusal(
        withQueryDeadline({ leftMs: 300 }, () =>
          transact(orm, async tx => {
            await ask(tx, 'select 1')
            await ask(tx, 'select pg_sleep(60)')
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

test('what a piece of work may wait is one sum: connections, statements and the end of a transaction', async () => {
  const statements: number[] = []
  const answered = refusal(
    withQueryDeadline({ leftMs: 700 }, () =>
      transact(orm, async tx => {
        for (let n = 0; n < 20; n++) {
          await ask(tx, 'select pg_sleep(0.1)')
          statements.push(n)
        }
      }),
    ),
  )
  expect([await answered, statements.length < 10]).toEqual(['SERVICE_UNAVAILABLE', true])
  const held = Promise.all([1, 2].map(() => ask(orm, 'select pg_sleep(1)')))
  expect(await refusal(withQueryDeadline({ leftMs: 200 }, () => ask(orm, 'select 1')))).toBe('SERVICE_UNAVAILABLE')
  await held
  await works()
  expect(await others()).toEqual([])
})

test('what is not hurried waits for a statement and for a connection, also when it was begun by something hurried', async () => {
  const left: Promise<unknown>[] = []
  await withQueryDeadline({ leftMs: 300 }, async () => {
    left.push(Bun.sleep(50).then(() => ask(orm, 'select pg_sleep(0.5)')))
  })
  left.push(...[1, 2, 3, 4].map(() => ask(orm, 'select pg_sleep(1.2)')))
  await Promise.all(left)
})

import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import type { Socket } from 'node:net'
import { Client } from 'pg'
import { PgBoss } from 'pg-boss'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { getSqlState } from '../../../db/database-errors'
import { startJobs } from '../../../server/jobs'
import { waitUntil } from '../../support/round'
import { testServer } from '../../support/server'
import { sendRequest } from '../../support/users'

const OPS_TOKEN = 'a token for those who run it'
const MAX_CONNECTIONS = 3
const PERSONAL = 'Asha Rao, 9876543210'
const SLEEP = 'select pg_sleep(60)'
const INTERNAL_QUEUE = '__pgboss__send-it'

const server = testServer({ env: { OPS_TOKEN } })
let boss: PgBoss
let jobs: Awaited<ReturnType<typeof startJobs>>

const warnings: unknown[] = []
const warn: typeof server.deps.log.warn = (...line) => void warnings.push(line.at(-1))

/** Every job that asks for the time fails, with an error that quotes a person. */
const failingClock = () => {
  throw new Error(`Key (phone)=(${PERSONAL}) is not present`)
}

beforeAll(async () => {
  const starting = spyOn(PgBoss.prototype, 'start')
  jobs = await startJobs({ ...server.deps, log: { ...server.deps.log, warn }, now: failingClock })
  boss = starting.mock.contexts[0] as PgBoss
  starting.mockRestore()
})
afterAll(() => jobs.stop())

const onEveryConnection = <T>(work: () => Promise<T>) =>
  Promise.all(Array.from({ length: MAX_CONNECTIONS }, work))

test('a script that fails within its own transaction leaves no connection in it', async () => {
  const fail = () => boss.getDb().executeSql('begin; select 1 / 0; commit;').catch(getSqlState)
  const select = async () => (await boss.getDb().executeSql('select 1 as n')).rows[0].n

  expect(await onEveryConnection(fail)).toEqual(Array(MAX_CONNECTIONS).fill('22012'))
  expect(await onEveryConnection(select)).toEqual(Array(MAX_CONNECTIONS).fill(1))
})

test('connections that are lost are logged and made anew', async () => {
  const run = (text: string) => boss.getDb().executeSql(text)
  const readPid = async (): Promise<number> => (await run('select pg_backend_pid() as pid')).rows[0].pid
  const pids = await onEveryConnection(readPid)

  await sql`select pg_terminate_backend(pid) from unnest(${pids}::int[]) as pid`.execute(
    getKysely(server.em()),
  )

  const isLogged = () => warnings.includes('The job queue lost a connection')
  await waitUntil(isLogged, 'the news of the loss')
  const isBack = () => run('select 1').then(Boolean, () => false)
  await waitUntil(isBack, 'another connection')
})

test('a connection that is cut while in use fails its statement alone, and is logged', async () => {
  const logged = warnings.length
  const sending = spyOn(Client.prototype, 'query')
  const failed = boss.getDb().executeSql(SLEEP).catch(String)
  const findClient = () => sending.mock.contexts[sending.mock.calls.findIndex(([text]) => text === SLEEP)]
  await waitUntil(() => findClient() !== undefined, 'the statement')
  const { connection } = findClient() as unknown as { connection: { stream: Socket } }
  sending.mockRestore()

  connection.stream.destroy()

  expect(await failed).toContain('Connection terminated unexpectedly')
  const isLogged = () => warnings.slice(logged).includes('The job queue lost a connection')
  await waitUntil(isLogged, 'the news of the loss')
  expect((await boss.getDb().executeSql('select 1 as n')).rows).toEqual([{ n: 1 }])
})

test('the queue stores of a failed job what may be logged', async () => {
  const db = getKysely(server.em())
  const id = await boss.send('purge', {})
  const findOutput = async () => {
    const { rows } = await sql<{ output: { message: string } | null }>`
      select output from jobs.job where id = ${id}::uuid`.execute(db)
    return rows[0]!.output
  }

  await waitUntil(async () => (await findOutput()) !== null, 'a run that failed')

  const output = await findOutput()
  expect(output!.message).toBe('Error')
  for (const personal of PERSONAL.split(', ')) expect(JSON.stringify(output)).not.toContain(personal)
}, 40_000)

test('the report of the jobs leaves out the queue’s own', async () => {
  await boss.send('remind', {})
  await sql`
    insert into jobs.job (name, policy, data)
    select name, policy, '{}' from jobs.queue where name = ${INTERNAL_QUEUE}`.execute(getKysely(server.em()))

  const { body } = await sendRequest(server, 'GET', '/operations/jobs', { token: OPS_TOKEN })

  const names: string[] = body.data.jobs.map(({ name }: { name: string }) => name)
  expect(names).toContain('remind')
  expect(names.filter(name => name.startsWith('__'))).toEqual([])
})

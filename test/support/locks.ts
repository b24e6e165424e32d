import { sql } from 'kysely'
import { getKysely, type Db } from '../../db/database'
import { waitUntil } from './round'
import type { TestServer } from './server'

type Databased = Pick<TestServer, 'em'>

/** Lists the backends that wait for a lock in this database, the one that waits longest first. */
export async function findWaitingBackends({ em }: Databased) {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' order by query_start`.execute(
    getKysely(em()),
  )
  return rows.map(({ pid }) => pid)
}

/** Waits until statements of as many backends wait for a lock. */
export function waitForLocks(server: Databased, count = 1) {
  const isWaiting = async () => (await findWaitingBackends(server)).length >= count
  return waitUntil(isWaiting, `${count} statements that wait for a lock`, 10_000)
}

type Lockable =
  | 'agreements'
  | 'agreement_signatures'
  | 'maintenance_requests'
  | 'properties'
  | 'property_units'
  | 'users'

/** Locks a record for update. */
export const lockRow = (table: Lockable, id: number) => (db: Db) =>
  db.selectFrom(table).where('id', '=', id).select('id').forUpdate().execute()

type Interruption<T> = {
  /** Takes the locks that stop the work, and may change rows of its own. */
  lock: (db: Db) => Promise<unknown>
  start: () => Promise<T>
  /** How many statements of the work wait for the locks; 1 unless given. */
  waitingCount?: number
  /** What happens while the work waits. */
  meanwhile?: (db: Db) => Promise<unknown>
}

/** Starts work that another transaction stops; it commits once the statements of the work wait for it. */
export async function interrupt<T>(
  server: Databased,
  { lock, start, waitingCount = 1, meanwhile }: Interruption<T>,
) {
  let work: Promise<T> | undefined
  await server.em().transactional(async em => {
    const db = getKysely(em)
    await lock(db)
    work = start()
    await waitForLocks(server, waitingCount)
    await meanwhile?.(db)
  })
  return work!
}

/** Does work while another transaction, which it must not join, holds locks. */
export async function workBeside<T>(
  { em }: Databased,
  lock: Interruption<T>['lock'],
  work: Interruption<T>['start'],
) {
  const [locked, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = em().transactional(async manager => {
    await lock(getKysely(manager))
    locked.resolve()
    await done.promise
  })
  await locked.promise
  const result = await work().finally(done.resolve)
  await other
  return result
}

/** Sends requests while another transaction holds locks, each once the ones before it wait for them. */
export function interruptInOrder<T>(
  server: Databased,
  lock: Interruption<T>['lock'],
  requests: (() => Promise<T>)[],
) {
  const start = async () => {
    const sent: Promise<T>[] = []
    for (const [index, send] of requests.entries()) {
      await waitForLocks(server, index)
      sent.push(send())
    }
    return Promise.all(sent)
  }
  return interrupt(server, { lock, start, waitingCount: requests.length })
}

import { sql } from 'kysely'
import { expect } from 'bun:test'
import { getKysely } from '../../db/database'
import { findWaitingBackends, waitForLocks } from './locks'
import type { ServerProcess } from './process'
import { waitUntil } from './round'
import type { TestServer } from './server'

const LOCKS = { inside: 77, commit: 78 }

/** The rows of a table for which a condition on `new` holds. */
type Rows = { table: string; when: string }

/** Returns SQL by which an insert stops, within its transaction or in its commit, until `killServer` ends it. */
export const toStops = ({ inside, commit }: { inside: Rows; commit: Rows }) => `
  create function stop() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(tg_argv[0]::int); return new; end $$;
  create trigger inside before insert on ${inside.table}
    for each row when (${inside.when}) execute function stop(${LOCKS.inside});
  create constraint trigger commit after insert on ${commit.table} deferrable initially deferred
    for each row when (${commit.when}) execute function stop(${LOCKS.commit})`

type Kill = {
  victim: ServerProcess
  /** Sends a request that stops within its transaction, and one that stops in its commit. */
  send: () => Promise<unknown>[]
  isCommitted: () => Promise<boolean>
}

/** Kills a server with both requests under way, once the commit has taken effect and before the server knows it. */
export async function killServer(database: Pick<TestServer, 'em'>, { victim, send, isCommitted }: Kill) {
  await getKysely(database.em())
    .connection()
    .execute(async holder => {
      for (const lock of Object.values(LOCKS)) await sql`select pg_advisory_lock(${lock})`.execute(holder)
      const lost = Promise.allSettled(send())
      await waitForLocks(database, 2)
      const stopped = await findWaitingBackends(database)
      // A process that stands still cannot learn that its commit took effect.
      victim.child.kill('SIGSTOP')
      await sql`select pg_advisory_unlock(${LOCKS.commit})`.execute(holder)
      await waitUntil(isCommitted, 'the commit')
      await victim.end('SIGKILL')
      expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      await sql`select pg_advisory_unlock_all()`.execute(holder)
      const findStopped = () => sql`select from pg_stat_activity where pid = any(${stopped})`.execute(holder)
      await waitUntil(
        async () => (await findStopped()).rows.length === 0,
        'the end of the stopped connections',
      )
    })
}

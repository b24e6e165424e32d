import { sql } from 'kysely'
import { getSqlState } from '../../db/database-errors'
import { withQueryDeadline } from '../../db/deadlines'
import { openDatabase, query, type Observe, type Orm } from '../../db/orm'
import type { Config } from '../config'
import { toFault } from '../http/error-mapping'
import type { Log } from '../observability/log'

export type ReadReplica = ReturnType<typeof createReadReplica>

/** How often it is looked whether the replica may be read, and how long what was seen counts. */
const CHECK_MS = 1000
const VALID_MS = 3000
/** Until each of the primary's processes has surely taken over its settings, one of them may not wait for the replica yet. */
const SETTLED_MS = 5000

/** As the primary sees the standbys that bear the replica's name. */
type Seen = {
  at: string
  named: number
  sender: number | null
  is_waited_for: boolean | null
  shows: boolean | null
  is_applied: boolean
  is_holding_up: boolean
}

/**
 * Reads go to a replica only while they find there whatever anybody was told is done: while the primary commits with
 * `synchronous_commit = remote_apply`, waits for this standby by its `cluster_name`, and it shows all that was done before the
 * primary waited. This is looked at every second. Otherwise, and when the replica does not answer, reads go to the primary.
 */
export function createReadReplica(
  url: string,
  { DATABASE_TIMEOUT_MS }: Config,
  orm: Orm,
  log: Log,
  observe?: Observe,
) {
  const replica = openDatabase(url, { limitMs: DATABASE_TIMEOUT_MS / 2, observe })
  let usableUntil = -Infinity
  let isBlockingCommits = false
  let isClosed = false
  let name = ''
  let waited: { sender: number; since: number; mark: string } | undefined
  let told: string | undefined
  const tell = (reason: string) => {
    if (reason !== told)
      log[reason ? 'warn' : 'info'](reason ? `Reads go to the primary: ${reason}` : 'Reads go to the replica')
    told = reason
  }

  /** Why the replica may not be read, or nothing. */
  const reasonAgainst = async () => {
    const system = sql<string>`(select system_identifier::text from pg_control_system())`
    const itself = await sql<{
      name: string
      follows: boolean
      system: string
    }>`select current_setting('cluster_name') as name, pg_is_in_recovery() as follows, ${system} as system`
      .execute(query(replica))
      .then(
        ({ rows: [row] }) => row!,
        () => undefined,
      )
    name = itself?.name ?? name
    const {
      rows: [seen],
    } = await sql<
      Seen & { system: string }
    >`select ${system} as system, pg_current_wal_lsn()::text as at, count(*) as named, min(pid) as sender, bool_and(sync_state = 'sync') as is_waited_for, bool_and(replay_lsn >= ${waited?.mark ?? '0/0'}::pg_lsn) as shows,
      current_setting('synchronous_commit') = 'remote_apply' as is_applied, current_setting('synchronous_standby_names') <> '' and not exists (select from pg_stat_replication where sync_state in ('sync', 'quorum')) as is_holding_up
      from pg_stat_replication where application_name = ${name}`.execute(query(orm))
    isBlockingCommits = seen!.is_holding_up
    const { at, named, sender, is_waited_for, shows, is_applied } = seen!
    const now = performance.now()
    const isWaitedFor =
      !!itself && name !== '' && named === 1 && !!is_waited_for && is_applied && sender !== null
    waited = !isWaitedFor
      ? undefined
      : waited?.sender !== sender
        ? { sender, since: now, mark: at }
        : now - waited.since < SETTLED_MS
          ? { ...waited, mark: at }
          : waited
    if (!itself) return 'the replica does not answer'
    if (!itself.follows || itself.system !== seen!.system) return 'the replica does not follow this primary'
    if (!waited) return 'the primary does not wait until the replica shows what it confirms'
    return now - waited.since < SETTLED_MS || !shows ? 'the replica is catching up' : ''
  }
  const check = async () => {
    const began = performance.now()
    const reason = await withQueryDeadline({ leftMs: DATABASE_TIMEOUT_MS }, reasonAgainst).catch(() => {
      waited = undefined
      isBlockingCommits = false
      return 'the primary cannot be asked about it'
    })
    usableUntil = reason ? -Infinity : began + VALID_MS
    tell(reason)
  }
  void (async () => {
    for (; !isClosed; await Bun.sleep(CHECK_MS)) await check()
  })()

  return {
    /** Asks the replica if it may be asked, else the primary. */
    read: async <R extends object>(text: string, values: unknown[]): Promise<R[]> => {
      if (performance.now() < usableUntil) {
        try {
          return await replica.sendStatement<R>(text, values)
        } catch (error) {
          if (toFault(error).code !== 'SERVICE_UNAVAILABLE') throw error
          if (!getSqlState(error)?.startsWith('40')) usableUntil = -Infinity // until the next look; a query that stood in the way of what came from the primary is one query
        }
      }
      return orm.sendStatement<R>(text, values)
    },
    /** Whether the primary waits for a standby that is not there, so that no change would be confirmed. */
    isBlockingCommits: () => isBlockingCommits,
    close: async () => {
      isClosed = true
      await replica.close()
    },
  }
}

import { sql } from 'kysely'
import { getKysely, openDatabase, type Database, type Observe } from '../../db/database'
import { getSqlState, isDatabaseUnavailable } from '../../db/database-errors'
import { withQueryDeadline } from '../../db/deadlines'
import type { Config } from '../config'
import type { ReadDatabase } from '../deps'
import type { Log } from '../observability/log'

const CHECK_INTERVAL_MS = 1000
/** How long the result of a check counts. */
const CHECK_TTL_MS = 3000
const START_OF_WAL = '0/0'
const TRANSACTION_ROLLBACK_CLASS = '40'

/** What a replica says of itself. */
export type ReplicaIdentity = { name: string; is_standby: boolean; system: string }

/** How the primary sees the standbys that have the replica's name. */
export type PrimaryStatus = {
  system: string
  position: string
  standbys: number
  sender: number | null
  is_synchronous: boolean | null
  is_caught_up: boolean | null
  is_remote_apply: boolean
  /** A commit waits for the standby for longer than a second; it may give up and still show on the primary. */
  is_stalled: boolean
}

/** The primary waits for this connection of the standby; a read needs the standby to show `position`. */
export type Wait = { sender: number; sinceMs: number; position: string }

/**
 * Reads from the replica only while it shows everything that any client knows to be done. That is: the
 * primary commits with `synchronous_commit = remote_apply`, waits for this standby by its `cluster_name`, and
 * the standby shows what was committed before the primary waited. Otherwise, and when the replica does not
 * answer, reads go to the primary.
 */
export function createReadReplica(
  config: Config,
  primary: Database,
  log: Log,
  observe?: Observe,
): ReadDatabase | undefined {
  const { DATABASE_REPLICA_URL, DATABASE_TIMEOUT_MS, REPLICA_SETTLE_MS } = config
  if (!DATABASE_REPLICA_URL) return undefined

  const replica = openDatabase(DATABASE_REPLICA_URL, { limitMs: DATABASE_TIMEOUT_MS / 2, observe })
  let usableUntilMs = -Infinity
  let isClosed = false
  let name = ''
  let wait: Wait | undefined
  const logTarget = createTargetLog(log)

  /** Returns why the replica must not be read, or an empty text. */
  const inspect = async () => {
    const identity = await findReplicaIdentity(replica)
    name = identity?.name ?? name
    const status = await loadPrimaryStatus(primary, name, wait?.position ?? START_OF_WAL)
    const nowMs = performance.now()
    wait = identity && name ? nextWait(wait, status, nowMs, REPLICA_SETTLE_MS) : undefined
    return findObstacle(identity, status, wait, nowMs - REPLICA_SETTLE_MS)
  }
  const check = async () => {
    const startedAtMs = performance.now()
    const obstacle = await withQueryDeadline({ leftMs: DATABASE_TIMEOUT_MS }, inspect).catch(() => {
      wait = undefined
      return 'the primary cannot be asked about it'
    })
    usableUntilMs = obstacle ? -Infinity : startedAtMs + CHECK_TTL_MS
    logTarget(obstacle)
  }
  const checkRegularly = async () => {
    while (!isClosed) {
      await check()
      await Bun.sleep(CHECK_INTERVAL_MS)
    }
  }
  void checkRegularly()

  return {
    /** Sends a statement to the replica if it is usable, else to the primary. */
    sendStatement: async <R extends object>(text: string, values: unknown[]): Promise<R[]> => {
      if (performance.now() >= usableUntilMs) return primary.sendStatement<R>(text, values)
      try {
        return await replica.sendStatement<R>(text, values)
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
        // A conflict with replication concerns this query alone; anything else waits for the next check.
        const isConflict = getSqlState(error)?.startsWith(TRANSACTION_ROLLBACK_CLASS)
        if (!isConflict) usableUntilMs = -Infinity
        return primary.sendStatement<R>(text, values)
      }
    },
    close: async () => {
      isClosed = true
      await replica.close()
    },
  }
}

/** Logs where reads go whenever that changes. */
function createTargetLog(log: Log) {
  let lastObstacle: string | undefined
  return (obstacle: string) => {
    if (obstacle === lastObstacle) return
    lastObstacle = obstacle
    if (obstacle) log.warn(`Reads go to the primary: ${obstacle}`)
    else log.info('Reads go to the replica')
  }
}

const systemIdentifier = sql<string>`(select system_identifier::text from pg_control_system())`

async function findReplicaIdentity(replica: Database): Promise<ReplicaIdentity | undefined> {
  const query = sql<ReplicaIdentity>`
    select
      current_setting('cluster_name') as name,
      pg_is_in_recovery() as is_standby,
      ${systemIdentifier} as system`
  try {
    const { rows } = await query.execute(getKysely(replica))
    return rows[0]
  } catch {
    return undefined
  }
}

async function loadPrimaryStatus(primary: Database, name: string, position: string) {
  const query = sql<PrimaryStatus>`
    select
      ${systemIdentifier} as system,
      pg_current_wal_lsn()::text as position,
      count(*) as standbys,
      min(pid) as sender,
      bool_and(sync_state = 'sync') as is_synchronous,
      bool_and(replay_lsn >= ${position}::pg_lsn) as is_caught_up,
      current_setting('synchronous_commit') = 'remote_apply' as is_remote_apply,
      exists (
        select from pg_stat_activity where wait_event = 'SyncRep' and query_start < now() - interval '1 second'
      ) as is_stalled
    from pg_stat_replication
    where application_name = ${name}`
  const { rows } = await query.execute(getKysely(primary))
  return rows[0]!
}

/** Follows how long the primary waits for the replica; while that settles, or is stalled, the position moves on. */
export function nextWait(
  previous: Wait | undefined,
  status: PrimaryStatus,
  nowMs: number,
  settleMs: number,
): Wait | undefined {
  const { sender, position, standbys, is_synchronous, is_remote_apply, is_stalled } = status
  const isWaitedFor = standbys === 1 && is_synchronous && is_remote_apply
  if (sender === null || !isWaitedFor) return undefined
  if (previous?.sender !== sender || is_stalled) return { sender, sinceMs: nowMs, position }
  if (nowMs - previous.sinceMs < settleMs) return { ...previous, position }
  return previous
}

/** Returns why the replica must not be read, or an empty text; a wait since `settledMs` or before has settled. */
export function findObstacle(
  identity: ReplicaIdentity | undefined,
  status: PrimaryStatus,
  wait: Wait | undefined,
  settledMs: number,
): string {
  if (!identity) return 'the replica does not answer'
  if (!identity.is_standby || identity.system !== status.system)
    return 'the replica does not follow this primary'
  if (!wait) return 'the primary does not wait until the replica shows what it confirms'
  const isSettled = wait.sinceMs <= settledMs
  return isSettled && status.is_caught_up ? '' : 'the replica is catching up'
}

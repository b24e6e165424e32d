import { sql } from 'kysely'
import { getKysely, type Database } from '../../db/database'

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
  is_blocking_commits: boolean
  /** A commit waits for the standby for longer than a second; it may give up and still show on the primary. */
  is_stalled: boolean
}

/** The primary waits for this connection of the standby; a read needs the standby to show `position`. */
export type Wait = { sender: number; sinceMs: number; position: string }

const systemIdentifier = sql<string>`(select system_identifier::text from pg_control_system())`

export async function findReplicaIdentity(replica: Database): Promise<ReplicaIdentity | undefined> {
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

export async function loadPrimaryStatus(primary: Database, name: string, position: string) {
  const query = sql<PrimaryStatus>`
    select
      ${systemIdentifier} as system,
      pg_current_wal_lsn()::text as position,
      count(*) as standbys,
      min(pid) as sender,
      bool_and(sync_state = 'sync') as is_synchronous,
      bool_and(replay_lsn >= ${position}::pg_lsn) as is_caught_up,
      current_setting('synchronous_commit') = 'remote_apply' as is_remote_apply,
      current_setting('synchronous_standby_names') <> '' and not exists (
        select from pg_stat_replication where sync_state in ('sync', 'quorum')
      ) as is_blocking_commits,
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

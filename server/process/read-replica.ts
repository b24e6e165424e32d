import { openDatabase, type Database, type Observe } from '../../db/database'
import { getSqlState } from '../../db/database-errors'
import { withQueryDeadline } from '../../db/deadlines'
import type { Config } from '../config'
import { toFault } from '../http/variants/error-mapping'
import type { Log } from '../observability/log'
import { findObstacle, findReplicaIdentity, loadPrimaryStatus, nextWait, type Wait } from './replica-status'

export type ReadReplica = NonNullable<ReturnType<typeof createReadReplica>>

const CHECK_INTERVAL_MS = 1000
/** How long the result of a check counts. */
const CHECK_TTL_MS = 3000
const START_OF_WAL = '0/0'
const TRANSACTION_ROLLBACK_CLASS = '40'

type Options = { observe?: Observe }

/**
 * Reads from the replica only while it shows everything that any client knows to be done. That is: the
 * primary commits with `synchronous_commit = remote_apply`, waits for this standby by its `cluster_name`, and
 * the standby shows what was committed before the primary waited. Otherwise, and when the replica does not
 * answer, reads go to the primary.
 */
export function createReadReplica(config: Config, primary: Database, log: Log, { observe }: Options = {}) {
  const { DATABASE_REPLICA_URL, DATABASE_TIMEOUT_MS, REPLICA_SETTLE_MS } = config
  if (!DATABASE_REPLICA_URL) return undefined

  const replica = openDatabase(DATABASE_REPLICA_URL, { limitMs: DATABASE_TIMEOUT_MS / 2, observe })
  let usableUntilMs = -Infinity
  let isBlockingCommits = false
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
    isBlockingCommits = status.is_blocking_commits
    wait = identity && name ? nextWait(wait, status, nowMs, REPLICA_SETTLE_MS) : undefined
    return findObstacle(identity, status, wait, nowMs - REPLICA_SETTLE_MS)
  }
  const check = async () => {
    const startedAtMs = performance.now()
    const obstacle = await withQueryDeadline({ leftMs: DATABASE_TIMEOUT_MS }, inspect).catch(() => {
      wait = undefined
      isBlockingCommits = false
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
    read: async <R extends object>(text: string, values: unknown[]): Promise<R[]> => {
      if (performance.now() >= usableUntilMs) return primary.sendStatement<R>(text, values)
      try {
        return await replica.sendStatement<R>(text, values)
      } catch (error) {
        if (toFault(error).code !== 'SERVICE_UNAVAILABLE') throw error
        // A conflict with replication concerns this query alone; anything else waits for the next check.
        const isConflict = getSqlState(error)?.startsWith(TRANSACTION_ROLLBACK_CLASS)
        if (!isConflict) usableUntilMs = -Infinity
        return primary.sendStatement<R>(text, values)
      }
    },
    /** Whether the primary waits for a standby that is offline, so that no commit would be confirmed. */
    isBlockingCommits: () => isBlockingCommits,
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

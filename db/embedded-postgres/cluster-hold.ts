import { SQL } from 'bun'
import { awaitInTime } from '../deadlines'
import { getSocketPath } from './folders'

const LOCK_KEY = 7046029255
const TIMEOUT_MS = 3000
const RECONNECT_MS = 500

export type ClusterHold = Awaited<ReturnType<typeof holdCluster>>

/**
 * Holds a running cluster by a shared advisory lock: it is not stopped while any process has one. Who can take the
 * exclusive lock on release is the last.
 */
export async function holdCluster(socket: string) {
  let [isHeld, isReleased] = [false, false]
  const sql = connect(socket, () => void reacquire())
  const ask = (text: string): Promise<{ is_last?: boolean }[]> =>
    awaitInTime(
      TIMEOUT_MS,
      async () => await sql.unsafe(text),
      () => {},
    )
  // A frozen server would not answer a goodbye, and a forgotten lock would keep it running forever.
  const close = () => void sql.close({ timeout: 0 })
  const acquire = async () => {
    await ask(`select pg_advisory_lock_shared(${LOCK_KEY})`)
    isHeld = true
  }
  /** Retries until the cluster runs again: its restart ends the connection. */
  const reacquire = async () => {
    if (!isHeld) return
    for (isHeld = false; !isHeld && !isReleased;) {
      await Bun.sleep(RECONNECT_MS)
      await acquire().catch(() => {})
    }
  }
  /** Calls `stopCluster` if no other process holds it. */
  const release = async (stopCluster: () => Promise<void>) => {
    isReleased = true
    const statement = `select pg_advisory_unlock_shared(${LOCK_KEY}), pg_try_advisory_lock(${LOCK_KEY}) as is_last`
    const [row] = await ask(statement).catch(() => [])
    close()
    if (row?.is_last) await stopCluster()
  }
  await acquire().catch(error => {
    close()
    throw error
  })
  return { release }
}

function connect(socket: string, onclose: () => void) {
  return new SQL({
    adapter: 'postgres',
    url: 'postgresql://localhost', // else what is missing below comes from DATABASE_URL in the environment
    path: getSocketPath(socket),
    username: 'kiraya',
    database: 'postgres',
    max: 1,
    connectionTimeout: TIMEOUT_MS / 1000,
    connection: { application_name: 'kiraya cluster hold' },
    onclose,
  })
}

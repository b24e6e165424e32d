import { Client } from 'pg'

const LOCK_KEY = 7046029255
const TIMEOUT_MS = 3000
const RECONNECT_MS = 500

/** Leases a running cluster: it is not stopped while any process has a lease. */
export async function leaseCluster(socket: string) {
  const lease = new ClusterLease(socket)
  await lease.acquire()
  return lease
}

/** A shared advisory lock. The process that can take the exclusive lock on release is the last one. */
export class ClusterLease {
  #client!: Client // set by acquire()
  #isReleased = false

  constructor(readonly socket: string) {}

  async acquire() {
    const client = createClient(this.socket)
    this.#client = client
    let isHeld = false
    client.on('error', () => {
      // A client may emit several errors.
      if (isHeld) void this.#reacquire()
      isHeld = false
    })
    try {
      await client.connect()
      await client.query('select pg_advisory_lock_shared($1)', [LOCK_KEY])
      isHeld = true
    } catch (error) {
      client.connection.stream.destroy() // a forgotten lock would keep the cluster running forever
      throw error
    }
  }

  /** Calls `stopCluster` if no other process has a lease. */
  async release(stopCluster: () => Promise<void>) {
    this.#isReleased = true
    const isLast = await this.#unlock()
    this.#client.connection.stream.destroy() // a frozen or stopped server would not answer a goodbye
    if (isLast) await stopCluster()
  }

  async #unlock(): Promise<boolean> {
    const statement = 'select pg_advisory_unlock_shared($1), pg_try_advisory_lock($1) as is_last'
    try {
      const { rows } = await this.#client.query(statement, [LOCK_KEY])
      return rows[0].is_last
    } catch {
      return false
    }
  }

  /** Retries until the cluster runs again: its restart ends the connection. */
  async #reacquire() {
    while (!this.#isReleased) {
      await Bun.sleep(RECONNECT_MS)
      try {
        return await this.acquire()
      } catch {
        // The cluster is still down.
      }
    }
  }
}

function createClient(socket: string) {
  return new Client({
    host: socket,
    user: 'kiraya',
    database: 'postgres',
    application_name: 'kiraya cluster lease',
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
  })
}

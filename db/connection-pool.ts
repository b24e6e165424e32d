import { SQL } from 'bun'
import { parse, type ConnectionOptions } from 'pg-connection-string'
import {
  addCallerStack,
  createNulCharacterError,
  getSqlState,
  READ_ONLY,
  setSqlState,
} from './database-errors'
import { awaitInTime } from './deadlines'
import { toJsonValues } from './row-values'

/** One attempt to connect; who may wait longer tries again. */
const CONNECT_TIMEOUT_S = 1.5
const IDLE_TIMEOUT_S = 10
/** What a living server takes at most to cancel a statement. */
const CANCEL_TIMEOUT_MS = 300
/** What a statement may take that no request waits for. */
const MAX_STATEMENT_MS = 20_000
/** The server ends the statement of a client that is gone, instead of waiting on for a lock. */
const CONNECTION_CHECK_MS = 2000

/** Observes every statement and its result. */
export type Observe = (text: string, result: Promise<unknown>, values: readonly unknown[]) => void
export type PoolOptions = { poolSize?: number; limitMs?: number; observe?: Observe }
export type Row = Record<string, unknown>
type Settings = SQL.PostgresOrMySQLOptions & { max: number }

/**
 * The connections to one PostgreSQL address. Bun.SQL has neither a deadline for a statement nor a way to
 * leave a server that hangs: this adds both, for single statements and for Kysely's dialect.
 */
export class ConnectionPool {
  readonly #settings: Settings
  readonly #maxStatementMs: number
  readonly #observe: Observe | undefined
  #sql: SQL
  #active = 0

  constructor(url: string, { poolSize = 10, limitMs = MAX_STATEMENT_MS, observe }: PoolOptions) {
    this.#settings = toPoolSettings(url, poolSize)
    this.#maxStatementMs = limitMs
    this.#observe = observe
    this.#sql = new SQL(this.#settings)
  }

  /** Sends one statement, which each connection prepares once by its text. */
  async send<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    this.#active++
    try {
      return (await this.#whenConnected(sql => this.execute(sql, sql, text, values))) as R[]
    } catch (error) {
      throw addCallerStack(error)
    } finally {
      this.#active--
    }
  }

  /** Takes a connection out of the pool until it is released. */
  async reserve(): Promise<ReservedConnection> {
    this.#active++
    try {
      return await this.#whenConnected(async sql => {
        const reserved = await this.#reserveInTime(sql)
        return new ReservedConnection(this, sql, reserved, () => void this.#active--)
      })
    } catch (error) {
      this.#active--
      throw setSqlState(error)
    }
  }

  /** Sends a statement on any connection of `sql`, or on a reserved one, and awaits it until its deadline. */
  execute(
    sql: SQL,
    client: SQL | Bun.ReservedSQL,
    text: string,
    values: readonly unknown[],
    onCancel?: (query: Promise<unknown>) => void,
  ): Promise<Row[]> {
    const result = this.#execute(sql, client, text, values, onCancel)
    this.#observe?.(text, result, values)
    return result
  }

  /** Counts the statements and transactions that have a connection, and those that wait for one. */
  getCounts() {
    const { max } = this.#settings
    return { in_use: Math.min(this.#active, max), waiting: Math.max(this.#active - max, 0), max }
  }

  close() {
    return this.#sql.close()
  }

  async #execute(...[sql, client, text, values, onCancel]: Parameters<ConnectionPool['execute']>) {
    if (text.includes('\0')) throw createNulCharacterError()
    let query: SQL.Query<Row[]>
    const start = () => (query = client.unsafe<Row[]>(text, values as unknown[]))
    const cancel = () => {
      this.#cancel(sql, query)
      onCancel?.(query)
    }
    try {
      return toJsonValues(await awaitInTime(this.#maxStatementMs, start, cancel))
    } catch (error) {
      if (getSqlState(setSqlState(error)) === READ_ONLY) this.#replace(sql)
      throw error
    }
  }

  /** Cancels a statement; a server that does not even do that hangs, and with it the other connections. */
  #cancel(sql: SQL, query: SQL.Query<Row[]>) {
    const timer = setTimeout(() => this.#replace(sql), CANCEL_TIMEOUT_MS)
    const clear = () => clearTimeout(timer)
    query.then(clear, clear)
    query.cancel()
  }

  /** Leaves the connections of a server that hangs, or is a standby now: the next statement opens new ones. */
  #replace(abandoned: SQL) {
    if (this.#sql !== abandoned) return
    this.#sql = new SQL(this.#settings)
    // Whatever still runs there has reached its deadline by then.
    abandoned.close({ timeout: this.#maxStatementMs / 1000 }).catch(() => {})
  }

  /** A connection attempt that timed out is made again until the deadline: the address may lead elsewhere now. */
  async #whenConnected<T>(send: (sql: SQL) => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    for (;;) {
      try {
        return await send(this.#sql)
      } catch (error) {
        const isTooLate = performance.now() - startedAt > this.#maxStatementMs
        if (isTooLate || getSqlState(error) !== 'ERR_POSTGRES_CONNECTION_TIMEOUT') throw error
      }
    }
  }

  #reserveInTime(sql: SQL) {
    let reserving: Promise<Bun.ReservedSQL>
    const start = () => (reserving = sql.reserve())
    const giveBack = () => void reserving.then(late => late.release()).catch(() => {})
    return awaitInTime(this.#maxStatementMs, start, giveBack)
  }
}

/** A connection of its own for a transaction, as Kysely's dialect wants it. */
export class ReservedConnection {
  readonly #pool: ConnectionPool
  readonly #sql: SQL
  readonly #reserved: Bun.ReservedSQL
  #onRelease: (() => void) | undefined
  #cancelling: Promise<unknown> | undefined

  constructor(pool: ConnectionPool, sql: SQL, reserved: Bun.ReservedSQL, onRelease: () => void) {
    this.#pool = pool
    this.#sql = sql
    this.#reserved = reserved
    this.#onRelease = onRelease
  }

  async unsafe(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const onCancel = (query: Promise<unknown>) => void (this.#cancelling = query.catch(() => {}))
    try {
      return await this.#pool.execute(this.#sql, this.#reserved, text, values, onCancel)
    } catch (error) {
      // Kysely keeps a connection whose transaction it could neither begin nor roll back.
      if (text === 'begin' || text === 'rollback') this.release()
      throw error
    }
  }

  /** Gives the connection back once it is at rest; Bun.SQL closes one that is still within a transaction. */
  release() {
    if (!this.#onRelease) return
    this.#onRelease()
    this.#onRelease = undefined
    void (this.#cancelling ?? Promise.resolve()).then(() => this.#reserved.release())
  }
}

/** Translates an address as pg reads it: `?host=/directory` is a Unix socket, `?prepared=false` a pooler's. */
export function toPoolSettings(url: string, max: number): Settings {
  const { host, port, user, password, database, ssl } = parse(url)
  const isPrepared = new URL(url).searchParams.get('prepared') !== 'false'
  return {
    adapter: 'postgres',
    url: 'postgresql://localhost', // else what is missing below comes from DATABASE_URL in the environment
    ...(host?.startsWith('/')
      ? { path: `${host}/.s.PGSQL.${port || 5432}` }
      : { hostname: host || 'localhost', port: Number(port || 5432) }),
    username: user,
    password,
    database: database ?? user,
    tls: toTlsOptions(ssl),
    max,
    prepare: isPrepared,
    connectionTimeout: CONNECT_TIMEOUT_S,
    idleTimeout: IDLE_TIMEOUT_S,
    // Bun.SQL has no option for TCP keepalive: it always probes a connection that is silent for 60 s.
    connection: {
      application_name: 'kiraya',
      ...(isPrepared && { client_connection_check_interval: CONNECTION_CHECK_MS }),
    },
  }
}

/** Requires a certificate that a known authority has signed; Bun.SQL does not by itself. */
function toTlsOptions(ssl: ConnectionOptions['ssl']): Bun.TLSOptions | false {
  if (!ssl) return false
  if (typeof ssl !== 'object') return { rejectUnauthorized: true }
  return { rejectUnauthorized: true, ...ssl, cert: ssl.cert ?? undefined }
}

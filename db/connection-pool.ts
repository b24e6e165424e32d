import { SQL } from 'bun'
import { parse } from 'pg-connection-string'
import { createNulCharacterError, getSqlState, READ_ONLY, setSqlState } from './database-errors'
import { awaitInTime, setDeadline } from './deadlines'
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

/** Is told of every statement and of its result. */
export type Observe = (text: string, result: Promise<unknown>, values: readonly unknown[]) => void
export type PoolOptions = { poolSize?: number; limitMs?: number; observe?: Observe }
export type Row = Record<string, unknown>
type Settings = SQL.PostgresOrMySQLOptions & { max: number }

/**
 * The connections to one PostgreSQL address. Bun.SQL has neither a deadline for a statement nor a way to
 * give up a server that hangs: this adds both, for its own statements and for Kysely's dialect.
 */
export class ConnectionPool {
  readonly maxStatementMs: number
  readonly observe: Observe | undefined
  readonly #settings: Settings
  #sql: SQL
  #inUse = 0
  #waiting = 0

  constructor(url: string, { poolSize = 10, limitMs = MAX_STATEMENT_MS, observe }: PoolOptions) {
    this.maxStatementMs = limitMs
    this.observe = observe
    this.#settings = toPoolSettings(url, poolSize)
    this.#sql = new SQL(this.#settings)
  }

  /** Takes a connection out of the pool until it is released. */
  async reserve(): Promise<ReservedConnection> {
    this.#waiting++
    try {
      const { sql, reserved } = await this.#reserveInTime()
      this.#inUse++
      return new ReservedConnection(this, sql, reserved, () => void this.#inUse--)
    } finally {
      this.#waiting--
    }
  }

  /** Sends one statement, which each connection prepares once by its text. */
  async send<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    const connection = await this.reserve()
    try {
      return (await connection.unsafe(text, values)) as unknown as R[]
    } finally {
      connection.release()
    }
  }

  /** Leaves the connections of a server that hangs, or is a standby now: the next statement opens new ones. */
  replace(hanging: SQL) {
    if (this.#sql !== hanging) return
    this.#sql = new SQL(this.#settings)
    hanging.close().catch(() => {})
  }

  getCounts() {
    return { in_use: this.#inUse, waiting: this.#waiting, max: this.#settings.max }
  }

  close() {
    return this.#sql.close()
  }

  /** A connection attempt that timed out is made again until the deadline: the address may lead elsewhere now. */
  async #reserveInTime() {
    for (const startedAt = performance.now(); ;) {
      const leftMs = this.maxStatementMs - (performance.now() - startedAt)
      const sql = this.#sql
      try {
        return { sql, reserved: await reserveInTime(sql, leftMs) }
      } catch (error) {
        if (getSqlState(error) !== 'ERR_POSTGRES_CONNECTION_TIMEOUT') throw setSqlState(error)
      }
    }
  }
}

function reserveInTime(sql: SQL, maxMs: number) {
  const reserving = Promise.withResolvers<Bun.ReservedSQL>()
  const giveBack = () => void reserving.promise.then(late => late.release()).catch(() => {})
  const start = () => {
    sql.reserve().then(reserving.resolve, reserving.reject)
    return reserving.promise
  }
  return awaitInTime(maxMs, start, giveBack)
}

/** A connection of its own, for a statement or a transaction. */
export class ReservedConnection {
  readonly #pool: ConnectionPool
  readonly #sql: SQL
  readonly #reserved: Bun.ReservedSQL
  #onRelease: (() => void) | undefined
  #isCancelling = false

  constructor(pool: ConnectionPool, sql: SQL, reserved: Bun.ReservedSQL, onRelease: () => void) {
    this.#pool = pool
    this.#sql = sql
    this.#reserved = reserved
    this.#onRelease = onRelease
  }

  /** Sends one statement and awaits it until its deadline; the name is what Kysely's dialect calls. */
  unsafe(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const result = this.#send(text, values)
    this.#pool.observe?.(text, result, values)
    return result
  }

  /** Gives the connection back; Bun.SQL closes one that is still within a transaction. */
  release() {
    this.#onRelease?.()
    this.#onRelease = undefined
    if (!this.#isCancelling) void this.#reserved.release()
  }

  async #send(text: string, values: readonly unknown[]) {
    if (text.includes('\0')) throw createNulCharacterError()
    let query: SQL.Query<Row[]> | undefined
    const start = () => (query = this.#reserved.unsafe<Row[]>(text, values as unknown[]))
    try {
      return toJsonValues(await awaitInTime(this.#pool.maxStatementMs, start, () => this.#cancel(query!)))
    } catch (error) {
      if (getSqlState(setSqlState(error)) === READ_ONLY) this.#abandon()
      // Kysely keeps a connection whose transaction it could neither begin nor roll back.
      if (text === 'begin' || text === 'rollback') this.release()
      throw error
    }
  }

  /** Cancels a statement; a server that does not even do that hangs, and with it its other connections. */
  #cancel(query: SQL.Query<Row[]>) {
    this.#isCancelling = true
    const clear = setDeadline(CANCEL_TIMEOUT_MS, () => this.#abandon())
    const finish = () => {
      clear()
      this.#isCancelling = false
      if (!this.#onRelease) void this.#reserved.release()
    }
    query.then(finish, finish)
    query.cancel()
  }

  #abandon() {
    this.#pool.replace(this.#sql)
    this.#reserved.close({ timeout: 0 }).catch(() => {})
  }
}

/** Translates an address as pg reads it: `?host=/directory` is a Unix socket, `?prepared=false` a pooler's. */
function toPoolSettings(url: string, max: number): Settings {
  const { host, port, user, password, database, ssl } = parse(url)
  const isPrepared = new URL(url).searchParams.get('prepared') !== 'false'
  return {
    adapter: 'postgres',
    ...(host?.startsWith('/')
      ? { path: `${host}/.s.PGSQL.${port || 5432}` }
      : { hostname: host || 'localhost', port: Number(port || 5432) }),
    username: user,
    password,
    database: database ?? user,
    tls: ssl as SQL.PostgresOrMySQLOptions['tls'],
    max,
    prepare: isPrepared,
    connectionTimeout: CONNECT_TIMEOUT_S,
    idleTimeout: IDLE_TIMEOUT_S,
    connection: {
      application_name: 'kiraya',
      ...(isPrepared && { client_connection_check_interval: CONNECTION_CHECK_MS }),
    },
  }
}

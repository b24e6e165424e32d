import { MikroORM, type InferKyselyDB, type MigrationObject } from '@mikro-orm/postgresql'
import { Migrator } from '@mikro-orm/migrations'
import { sql, type ColumnType, type Expression, type Kysely } from 'kysely'
import { PostgresJSDialect } from 'kysely-postgres-js'
import { setClock } from './clock'
import { ConnectionPool, type PoolOptions } from './connection-pool'
import { addCallerStack } from './database-errors'
import { runInSlot } from './deadlines'
import { entities } from './entities'
import { migrations } from './migrations'

export type { Observe } from './connection-pool'

export type Migration = { name: string; class: MigrationObject['class'] }
export type DatabaseOptions = PoolOptions & { migrations?: Migration[] }

/**
 * Opens the database behind a PostgreSQL URL: MikroORM, Kysely and single statements on one connection pool.
 * `?host=/a/directory` reaches a Unix socket, `?prepared=false` a pooler that keeps no prepared statements.
 * Nothing is connected yet. `limitMs` is the longest that one statement may take, within a request too.
 */
export function openDatabase(url: string, options: DatabaseOptions = {}) {
  return new Database(url, options)
}

export class Database {
  readonly orm: ReturnType<typeof createOrm>
  readonly migrations: Migration[]
  readonly #pool: ConnectionPool
  #now = (): Date => {
    throw new Error('This database has no clock')
  }

  constructor(
    readonly url: string,
    options: DatabaseOptions,
  ) {
    this.migrations = options.migrations ?? migrations
    this.#pool = new ConnectionPool(url, options)
    this.orm = createOrm(this.#pool, this.migrations)
  }

  /** The global entity manager. */
  get em() {
    return this.orm.em
  }

  /** Sets the clock of `created_at` and `updated_at`. Without one, no entity can be created or changed. */
  useClock(now: () => Date) {
    this.#now = now
  }

  /** Returns an entity manager of its own, which has the clock. */
  fork() {
    const em = this.em.fork()
    setClock(em, this.#now)
    return em
  }

  /** Runs work in one transaction, which is flushed and committed at its end, or rolled back as a whole. */
  async transactional<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await runInSlot(() => this.fork().transactional(work))
    } catch (error) {
      throw addCallerStack(error)
    }
  }

  /** Sends one statement outside a transaction, prepared once on each connection. */
  sendStatement<R extends object>(text: string, values: unknown[]): Promise<R[]> {
    return this.#pool.send<R>(text, values)
  }

  /** Counts the connections in use and the requests that wait for one. */
  getConnectionCounts() {
    return this.#pool.getCounts()
  }

  /** Closes all connections once their statements have ended. */
  async close() {
    await this.orm.close()
    await this.#pool.close()
  }
}

export type EntityManager = Database['orm']['em']

function createOrm(pool: ConnectionPool, migrationsList: Migration[]) {
  return new MikroORM({
    entities,
    dbName: 'postgres', // the pool's address decides
    driverOptions: createDialect(pool),
    ensureDatabase: false, // else the first connection closes the pool to look for the database
    extensions: [Migrator],
    autoJoinRefsForFilters: false, // else a lock on a record locks its parents too, against the lock order
    schemaGenerator: { ignoreSchema: ['jobs'], ignoreTriggers: true, ignoreRoutines: true },
    migrations: {
      migrationsList,
      snapshot: false,
      silent: true,
      allOrNothing: false,
    },
  })
}

/** Kysely's dialect for Bun.SQL, on connections that have deadlines. */
function createDialect(pool: ConnectionPool) {
  // The dialect knows Bun.SQL, which is a function, by its options.
  const postgres = Object.assign(() => {}, {
    options: { adapter: 'postgres' },
    reserve: () => pool.reserve(),
    end: () => pool.close(),
  })
  return new PostgresJSDialect({ postgres: postgres as never }) as never
}

/** The tables as a query sees them: a timestamp is an ISO string. */
export type Tables = { [T in keyof Inferred]: { [C in keyof Inferred[T]]: JsonColumn<Inferred[T][C]> } }
type Inferred = InferKyselyDB<(typeof entities)[number]>
type JsonColumn<C> =
  C extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<JsonValue<S>, I, U>
    : Date extends C
      ? ColumnType<JsonValue<C>, C, C>
      : C
type JsonValue<T> = T extends Date ? string : T
export type Db = Kysely<Tables>

/** Returns typed queries: of the database, or of the transaction of an entity manager. */
export function getKysely(of: Database | EntityManager): Db {
  return ('em' in of ? of.em : of).getKysely<Tables>()
}

/** Writes a timestamp as responses have it, as a column or within JSON. */
export function toIsoTimestamp(time: Expression<unknown>) {
  return sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Written out: a partial index serves a condition that the planner knows, not a parameter. */
export const SQL_TRUE = sql.lit(true)

/** Gathers the ids first: else the planner may walk a whole table in the order that a page asks for. */
export function anyIdIn(ids: Expression<unknown>) {
  return sql<number>`any (array${ids})`
}

import { MikroORM, type InferKyselyDB, type MigrationObject } from '@mikro-orm/postgresql'
import { Migrator, TSMigrationGenerator } from '@mikro-orm/migrations'
import { TypeOverrides, type Pool } from 'pg'
import { parse } from 'pg-connection-string'
import { sql, type ColumnType, type Expression, type Kysely } from 'kysely'
import { CONNECT_MS, PatientClient } from './connections'
import { entities } from './entities'
import { migrations } from './migrations'
import { guard } from './pool'

// Rows of a query hold JSON's own types; entities hold a Date for a timestamp, which MikroORM makes of this string.
const types = new TypeOverrides()
types.setTypeParser(20, Number) // bigint: counts
types.setTypeParser(1700, Number) // numeric(12,2): exact in a double
types.setTypeParser(1082, day => day) // date: YYYY-MM-DD
types.setTypeParser(1184, time => new Date(time).toISOString()) // timestamptz

/** A statement whose asker is gone ends soon, instead of waiting on for a lock. */
const LEFT_ALONE = '-c client_connection_check_interval=2000'

/** Is told of every statement and of the promise of its answer. */
export type Observe = (text: string, answer: Promise<unknown>) => void
const observed = (observe: Observe) =>
  class extends PatientClient {
    override query(text: any, values?: any, done?: any): any {
      const answer = super.query(text, values, done)
      if (typeof text === 'string' && answer instanceof Promise) observe(text, answer)
      return answer
    }
  }

/**
 * Opens the database behind a PostgreSQL URL; `?host=/a/directory` reaches it through the socket there, and with `?prepared=false`
 * nothing is asked for that outlives a transaction, as behind a pooler. Nothing is connected yet. `limitMs` is what one statement
 * may take at the utmost, within a request too.
 */
export function openDatabase(
  url: string,
  options: {
    poolSize?: number
    migrations?: { name: string; class: MigrationObject['class'] }[]
    limitMs?: number
    observe?: Observe
  } = {},
) {
  let opened: Opened | undefined
  // MikroORM drops the parameters of a URL, and pg takes a directory for a host.
  const parameters = new URL(url).searchParams
  const prepared = parameters.get('prepared') !== 'false'
  const host = parameters.get('host')
  const { ssl } = parse(url)
  const orm = new MikroORM({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    autoJoinRefsForFilters: false, // else a lock on a record would lock its parents too, against the order of locks
    pool: { min: 0, max: options.poolSize ?? 10 },
    driverOptions: {
      types,
      Client: options.observe ? observed(options.observe) : PatientClient,
      onPoolCreated: (pool: Pool) => void (opened = { pool, counts: guard(pool, options.limitMs) }),
      application_name: 'kiraya',
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      prepared,
      ...(prepared && { options: LEFT_ALONE }),
      limitMs: options.limitMs,
      ...(ssl !== undefined && { ssl }),
      ...(host && { host }),
    },
    schemaGenerator: { ignoreSchema: ['jobs', 'set_aside'] },
    migrations: {
      migrationsList: options.migrations ?? migrations,
      snapshot: false,
      silent: true,
      allOrNothing: false,
      path: `${import.meta.dir}/migrations`,
      generator: TSMigrationGenerator,
      emit: 'ts',
    },
  })
  pools.set(orm, () => opened)
  return orm
}
type Opened = { pool: Pool; counts: ReturnType<typeof guard> }
const pools = new WeakMap<object, () => Opened | undefined>()

/** How many connections there are, how many of them nobody uses, and how many wait for one. */
export const connectionsOf = (orm: Orm) => pools.get(orm)?.()?.counts() ?? { open: 0, idle: 0, waiting: 0 }

/** The connections themselves, which MikroORM makes with its first query. */
export function poolOf(orm: Orm): Pool {
  const opened = pools.get(orm)!
  if (!opened()) query(orm)
  return opened()!.pool
}
export type Orm = ReturnType<typeof openDatabase>
export type Em = Orm['em']

/** The tables as a query sees them: a timestamp is an ISO string. */
export type Tables = { [T in keyof Inferred]: { [C in keyof Inferred[T]]: Wire<Inferred[T][C]> } }
type Inferred = InferKyselyDB<(typeof entities)[number]>
type Wire<C> =
  C extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<Json<S>, I, U>
    : Date extends C
      ? ColumnType<Json<C>, C, C>
      : C
type Json<T> = T extends Date ? string : T
export type Db = Kysely<Tables>
/** A timestamp as answers write it, whether it travels as a column or within JSON. */
export const isoTime = (time: Expression<unknown>) =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
export const iso = <const C extends `${string}.${string}`>(column: C) =>
  isoTime(sql.ref(column)).as(column.slice(column.indexOf('.') + 1) as Name<C>)
type Name<C> = C extends `${string}.${infer N}` ? N : never
/** Written out, since a partial index serves a condition that is known when a statement is planned, and not a parameter. */
export const yes = sql.lit(true)
/** Those that a query finds, gathered first: else the planner may walk a whole table in the order that a page asks for. */
export const anyOf = (ids: Expression<unknown>) => sql<number>`any (array${ids})`
/** Typed queries: of the database, or within a transaction. */
export const query = (of: Orm | Em | { db: Db }): Db =>
  'db' in of ? of.db : ('em' in of ? of.em : of).getKysely<Tables>()

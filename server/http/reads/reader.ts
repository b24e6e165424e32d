import { sql, type Expression, type SelectQueryBuilder } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import type { Language } from '@kiraya/sdk/contract'
import { compileCached, type Build, type Given } from '../../../db/compiled-queries'
import { SQL_TRUE, type Database, type Db } from '../../../db/database'
import { runInSlot } from '../../../db/deadlines'
import type { Claims } from '../../deps'
import { refuse, type NotFoundReason } from '../../errors'
import { RawJson } from './raw-json'

const DEFAULT_PAGE_SIZE = 50
const DEFAULT_SORT = '-id'

/** The id of the user who asks, within a query. */
export type UserId = Expression<number>

/**
 * Builds a query of what a user may see. It is compiled once, so it must be a function of a module.
 * Kysely's builder is invariant in its tables: only `any` accepts every query.
 */
export type Select<V extends Given, O> = (db: Db, userId: UserId, given: V) => SelectQueryBuilder<any, any, O>

/** What a list belongs to: without it there is nothing to list. */
export type Parent<V extends Given> = { select: Select<V, unknown>; missing: NotFoundReason }

type PageQuery = { page?: number | undefined; limit?: number | undefined; sort?: string | undefined }

const userId = sql.ref<number>('me.id')

/** Selects the session of a token and its user, as `me`. */
export function selectSession(db: Db, claims: Claims) {
  return db
    .selectFrom('auth_sessions as s')
    .innerJoin('users as me', 'me.id', 's.user_id')
    .where('s.auth_token', '=', claims.hash)
    .where('s.sid', '=', claims.sid)
    .where('me.id', '=', claims.userId)
    .where('me.phone', '=', claims.phone)
}

/** Reads what a user may see, and checks the session, in one statement. */
export class Reader {
  constructor(
    private readonly database: Pick<Database, 'sendStatement'>,
    private readonly claims: Claims,
    /** In which the user reads what is worded for them. */
    readonly language: Language,
  ) {}

  /** The phone number of the token's user. */
  get phone() {
    return this.claims.phone
  }

  /** The id of the token's user. */
  get userId() {
    return this.claims.userId
  }

  /** @throws NOT_FOUND The query has no row. */
  async row<V extends Given, O>(select: Select<V, O>, given: V, missing: NotFoundReason) {
    const [{ row }] = await this.#read(select, 'row', given, (db, { claims, given }) =>
      selectActiveSession(db, claims).select(jsonObjectFrom(select(db, userId, given)).as('row')),
    )
    if (!row) throw refuse(missing)
    return row
  }

  /**
   * Reads one row as raw JSON.
   * @throws NOT_FOUND The query has no row.
   */
  async one<V extends Given, O>(select: Select<V, O>, given: V, missing: NotFoundReason) {
    const [{ text }] = await this.#read(select, 'one', given, (db, { claims, given }) => {
      const object = jsonObjectFrom(select(db, userId, given))
      return selectActiveSession(db, claims).select(toText<string | null>(object).as('text'))
    })
    if (text === null) throw refuse(missing)
    return new RawJson<O>(text)
  }

  /** Reads all rows of a short list as raw JSON, and counts them. */
  async all<V extends Given, O>(select: Select<V, O>, given: V) {
    const [{ text, total }] = await this.#read(select, 'all', given, (db, { claims, given }) => {
      const array = jsonArrayFrom(select(db, userId, given)).as('data')
      // The offset keeps PostgreSQL from computing the array twice.
      const found = db.selectNoFrom(array).offset(sql.lit(0)).as('found')
      return selectActiveSession(db, claims)
        .crossJoinLateral(found)
        .select([
          toText(sql.ref('found.data')).as('text'),
          sql<number>`json_array_length(found.data)`.as('total'),
        ])
    })
    return { data: new RawJson<O[]>(text), total }
  }

  /**
   * Reads a page of rows as raw JSON, with its metadata.
   * @throws NOT_FOUND The parent of the rows does not exist.
   */
  async page<V extends Given & PageQuery, O>(select: Select<V, O>, given: V, parent?: Parent<V>) {
    const { page = 1, limit = DEFAULT_PAGE_SIZE, sort = DEFAULT_SORT, ...filters } = given
    const range = { limit, offset: (page - 1) * limit }
    const slots = { ...range, given: filters as unknown as V }
    const name = `page ${sort} ${parent?.missing}`
    const [{ text, total, has_parent }] = await this.#read(select, name, slots, (db, { claims, given }) => {
      const rows = select(db, userId, given.given)
      const pageRows = sortRows(rows, sort).limit(given.limit).offset(given.offset)
      return selectActiveSession(db, claims).select([
        toText(jsonArrayFrom(pageRows)).as('text'),
        sql<number>`(select count(*) from ${rows} as row)`.as('total'),
        selectExistence(parent?.select(db, userId, given.given)).as('has_parent'),
      ])
    })
    if (parent && !has_parent) throw refuse(parent.missing)

    return { data: new RawJson<O[]>(text), metadata: toMetadata(page, limit, total) }
  }

  /** Reads rows as they are, of a query that always has one. */
  rows<V extends Given, O extends object>(select: Select<V, O>, given: V) {
    return this.#read<V, O>(select, 'rows', given, (db, { claims, given }) =>
      selectActiveSession(db, claims)
        .crossJoinLateral(select(db, userId, given).as('found'))
        .selectAll('found' as never),
    )
  }

  /** Sends a statement that is compiled once for each select, name and shape of what it is given. */
  async #read<V extends Given, O>(
    select: object,
    name: string,
    given: V,
    build: Build<{ claims: Claims; given: V }, O>,
  ) {
    const { text, values } = compileCached(select, build, { claims: this.claims, given }, name)
    const results = (await runInSlot(() => this.database.sendStatement<object>(text, values))) as O[]
    if (results.length === 0) throw refuse('session_ended')
    return results as [O, ...O[]]
  }
}

/** Loads a page of rows for operators, who have no session. */
export async function loadPage<O>(
  db: Db,
  rows: SelectQueryBuilder<any, any, O>,
  { page = 1, limit = DEFAULT_PAGE_SIZE, sort = DEFAULT_SORT }: PageQuery,
) {
  const pageRows = sortRows(rows, sort).limit(limit)
  const data = await pageRows.offset((page - 1) * limit).execute()
  const counted = await sql<{ total: number }>`select count(*) as total from ${rows} as row`.execute(db)
  return { data, metadata: toMetadata(page, limit, counted.rows[0]!.total) }
}

const toMetadata = (page: number, limit: number, total: number) => ({
  page,
  limit,
  total,
  total_pages: Math.ceil(total / limit),
})

function selectActiveSession(db: Db, claims: Claims) {
  return selectSession(db, claims).where('me.is_active', '=', SQL_TRUE)
}

const toText = <T extends string | null = string>(json: Expression<unknown>) => sql<T>`${json}::text`

/** Sorts by a field, `-field` for descending; the id makes the order of equal values stable. */
function sortRows<O>(rows: SelectQueryBuilder<any, any, O>, sort: string) {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const field = sort.replace(/^-/, '')
  const sorted = rows.orderBy(sql.ref(field), direction)
  return field === 'id' ? sorted : sorted.orderBy(sql.ref('id'), direction)
}

function selectExistence(rows: Expression<unknown> | undefined) {
  return rows ? sql<boolean>`exists ${rows}` : sql<boolean>`true`
}

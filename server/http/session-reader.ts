import type { TArray, TObject } from '@sinclair/typebox'
import { sql, type Expression, type SelectQueryBuilder } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { compileCached, type Build, type Given } from '../../db/compiled-queries'
import { SQL_TRUE, type Database, type Db } from '../../db/database'
import type { Claims } from '../auth/tokens'
import { refuse, type NotFoundReason } from '../faults'
import type { Turns } from './turns'
import { getSchemaId, RawJson, selectJsonArray, selectJsonObject, type JsonRow } from './raw-json'

const DEFAULT_PAGE_SIZE = 50
const DEFAULT_SORT = '-id'

/** The id of the user of the session, within a query. */
export type UserIdExpression = Expression<number>

/** Builds a query of what a user may see. It is compiled once, so it must be a function of a module. */
export type ReadQuery<V extends Given, O> = (
  db: Db,
  userId: UserIdExpression,
  given: V,
) => SelectQueryBuilder<any, any, O>

/** The schema of a response that lists. */
type ListSchema<S extends TObject> = { properties: { data: TArray<S> } }
type PageOptions = { page?: number; limit?: number; sort?: string }
/** What a page belongs to: without it there is nothing to list. */
type Parent<V extends Given> = { missing: NotFoundReason; rows: ReadQuery<V, unknown> }

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

function selectActiveSession(db: Db, claims: Claims) {
  return selectSession(db, claims).where('me.is_active', '=', SQL_TRUE)
}

/** Reads what a user may see, and checks the session, in one round trip to the database. */
export class SessionReader {
  constructor(
    private readonly database: Pick<Database, 'sendStatement'>,
    private readonly claims: Claims,
    private readonly turns: { runLongResponse: Turns; runDocument: Turns },
  ) {}

  /** The phone number of the token's user. */
  get phone() {
    return this.claims.phone
  }

  /** The id of the token's user. */
  get userId() {
    return this.claims.userId
  }

  /**
   * Runs reads that many records make long when it is the user's turn.
   * @throws TOO_MANY_REQUESTS Too many requests wait.
   */
  inTurn<T>(read: () => Promise<T>) {
    return this.turns.runLongResponse(this.userId, read)
  }

  /**
   * Makes what may take long to compute, such as a PDF, when it is the user's turn. Long reads within take a turn of
   * their own.
   * @throws TOO_MANY_REQUESTS Too many requests wait.
   */
  inDocumentTurn<T>(create: () => Promise<T>) {
    return this.turns.runDocument(this.userId, create)
  }

  /** @throws NOT_FOUND The query has no row. */
  async row<V extends Given, O>(missing: NotFoundReason, rows: ReadQuery<V, O>, given: V) {
    const row = await this.findRow(rows, given)
    if (!row) throw refuse(missing)
    return row
  }

  /** Reads a row; null if the query has none. */
  async findRow<V extends Given, O>(rows: ReadQuery<V, O>, given: V) {
    const [{ row }] = await this.#read(
      (db, { claims, given }) =>
        selectActiveSession(db, claims).select(jsonObjectFrom(rows(db, userId, given)).as('row')),
      { claims: this.claims, given },
      rows,
      'row',
    )
    return row
  }

  /**
   * Reads one row as raw JSON.
   * @throws NOT_FOUND The query has no row.
   */
  async one<V extends Given, S extends TObject, O extends JsonRow<S>>(
    missing: NotFoundReason,
    schema: S,
    rows: ReadQuery<V, O>,
    given: V,
  ) {
    const found = await this.findOne(schema, rows, given)
    if (!found) throw refuse(missing)
    return found
  }

  /** Reads one row as raw JSON; null if the query has none. */
  async findOne<V extends Given, S extends TObject, O extends JsonRow<S>>(
    schema: S,
    rows: ReadQuery<V, O>,
    given: V,
  ) {
    const text = await this.#findText(schema, rows, given)
    return text === null ? null : new RawJson(schema, text)
  }

  /**
   * Reads sums as raw JSON when it is the user's turn. Their query always has a row: who manages nothing has sums of 0.
   * @throws TOO_MANY_REQUESTS Too many requests wait.
   */
  async report<V extends Given, S extends TObject, O extends JsonRow<S>>(
    schema: S,
    rows: ReadQuery<V, O>,
    given: V,
  ) {
    const text = await this.inTurn(() => this.#findText(schema, rows, given))
    return new RawJson(schema, text!)
  }

  async #findText<V extends Given, S extends TObject, O extends JsonRow<S>>(
    schema: S,
    rows: ReadQuery<V, O>,
    given: V,
  ) {
    const [{ text }] = await this.#read(
      (db, { claims, given }) => {
        const object = selectJsonObject(db, schema, rows(db, userId, given))
        return selectActiveSession(db, claims).select(toText<string | null>(object).as('text'))
      },
      { claims: this.claims, given },
      rows,
      `one ${getSchemaId(schema)}`,
    )
    return text
  }

  /** Reads all rows of a short list as raw JSON, and counts them. */
  async all<V extends Given, S extends TObject, O extends JsonRow<S>>(
    list: ListSchema<S>,
    rows: ReadQuery<V, O>,
    given: V,
  ) {
    const { data } = list.properties
    const [{ text, total }] = await this.#read(
      (db, { claims, given }) => {
        const array = selectJsonArray(db, data.items, rows(db, userId, given)).as('data')
        // The offset keeps PostgreSQL from computing the array twice.
        const found = db.selectNoFrom(array).offset(sql.lit(0)).as('found')
        return selectActiveSession(db, claims)
          .crossJoinLateral(found)
          .select([
            toText(sql.ref('found.data')).as('text'),
            sql<number>`json_array_length(found.data)`.as('total'),
          ])
      },
      { claims: this.claims, given },
      rows,
      `all ${getSchemaId(data)}`,
    )
    return { data: new RawJson(data, text), total }
  }

  /**
   * Reads a page of rows as raw JSON, with its metadata, when it is the user's turn.
   * @throws NOT_FOUND The parent of the rows does not exist.
   * @throws TOO_MANY_REQUESTS Too many requests wait.
   */
  async page<V extends Given, S extends TObject, O extends JsonRow<S>>(
    list: ListSchema<S>,
    rows: ReadQuery<V, O>,
    given: V,
    options: PageOptions,
    parent?: Parent<V>,
  ) {
    const { page = 1, limit = DEFAULT_PAGE_SIZE, sort = DEFAULT_SORT } = options
    const { data } = list.properties
    const read = () =>
      this.#read(
        (db, { claims, given, limit, offset }) => {
          const pageRows = sortRows(rows(db, userId, given), sort)
            .limit(limit)
            .offset(offset)
          const allRows = rows(db, userId, given).as('counted')
          return selectActiveSession(db, claims).select([
            toText(selectJsonArray(db, data.items, pageRows)).as('text'),
            db
              .selectFrom(allRows)
              .select(e => e.fn.countAll<number>().as('count'))
              .as('total'),
            selectExistence(parent?.rows(db, userId, given)).as('has_parent'),
          ])
        },
        { claims: this.claims, given, limit, offset: (page - 1) * limit },
        rows,
        sort + getSchemaId(data),
      )
    const [found] = await this.inTurn(read)
    if (parent && !found.has_parent) throw refuse(parent.missing)

    const total = found.total ?? 0
    return {
      data: new RawJson(data, found.text),
      metadata: { page, limit, total, total_pages: Math.ceil(total / limit) },
    }
  }

  /** Reads rows as they are, of a query that always has one. */
  rows<V extends Given, O extends object>(rows: ReadQuery<V, O>, given: V) {
    const build: Build<{ claims: Claims; given: V }, O> = (db, { claims, given }) =>
      selectActiveSession(db, claims)
        .crossJoinLateral(rows(db, userId, given).as('found'))
        .selectAll('found' as never)
    return this.#read(build, { claims: this.claims, given }, rows, 'rows')
  }

  /** Runs a query that joins the session; `variant` tells apart queries that are built from the same rows. */
  async #read<V extends Given, O>(build: Build<V, O>, given: V, rows: object, variant: string) {
    const { text, values } = compileCached(rows, build, given, variant)
    const results = (await this.database.sendStatement<object>(text, values)) as O[]
    if (results.length === 0) throw refuse('sign_in_required')
    return results as [O, ...O[]]
  }
}

function toText<T extends string | null = string>(json: Expression<unknown>) {
  return sql<T>`${json}::text`
}

/** Sorts by a column, `-column` for descending; the id makes the order of equal values stable. */
function sortRows<O>(rows: SelectQueryBuilder<any, any, O>, sort: string) {
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const column = sort.replace(/^-/, '')
  const sorted = rows.orderBy(sql.ref(column), direction)
  return column === 'id' ? sorted : sorted.orderBy(sql.ref('id'), direction)
}

function selectExistence(rows: Expression<unknown> | undefined) {
  return rows ? sql<boolean>`exists ${rows}` : sql<boolean>`true`
}

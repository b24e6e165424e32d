import type { TArray, TObject } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { sql, type Expression, type SelectQueryBuilder } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { yes, type Db } from '../../db/orm'
import { records, type Records } from '../../db/records'
import type { Build, Given } from '../../db/compiled-queries'
import type { Claims } from '../auth/tokens'
import type { Deps } from '../deps'
import { notFound, unauthorized } from '../faults'
import { isNumericId, isUuid } from './formats'
import { selectJsonArray, getSchemaId, selectJsonObject, RawJson, type JsonRow } from './raw-json'

/** The user behind a request that changes something. */
export type Actor = { id: number; sid: string; phone: string; is_active: boolean }

/** Gives the handlers below it `actor`. Whoever is not signed in is told so before anything else is looked at. */
export function withActor(deps: Deps, options: { inactive?: 'told' } = {}) {
  const database = records(deps.orm)
  return new Elysia().derive({ as: 'scoped' }, async ({ request }) => {
    const [found] = await database.run(actorBy, claimsOf(deps, request))
    if (!found || (!found.is_active && options.inactive !== 'told')) throw unauthorized()
    return { actor: found satisfies Actor }
  })
}

const actorBy = (db: Db, claims: Claims) =>
  session(db, claims).select(['me.id', 's.sid', 'me.phone', 'me.is_active'])
const session = (db: Db, { hash, sid, userId, phone }: Claims) =>
  db
    .selectFrom('auth_sessions as s')
    .innerJoin('users as me', 'me.id', 's.user_id')
    .where('s.auth_token', '=', hash)
    .where('s.sid', '=', sid)
    .where('me.id', '=', userId)
    .where('me.phone', '=', phone)

/** Gives the handlers below it `asker`, whose queries look up the session themselves. */
export function withReader(deps: Deps) {
  const database = records(deps.orm, deps.replica?.read)
  return new Elysia().derive({ as: 'scoped' }, ({ request }) => ({
    asker: new SessionReader(database, claimsOf(deps, request)),
  }))
}

function claimsOf(deps: Deps, request: Request): Claims {
  const claims = deps.tokens.read(request.headers.get('authorization'))
  if (!claims) throw unauthorized()
  return claims
}

/** The asker's user id within a query. */
export type UserIdExpression = Expression<number>
/** A query of a user, written for what it is given; one function for all calls, since it is built once. */
export type ReadQuery<V extends Given, O> = (
  db: Db,
  me: UserIdExpression,
  given: V,
) => SelectQueryBuilder<any, any, O>

/** The schema of an answer that lists. */
type Paged<S extends TObject> = { properties: { data: TArray<S> } }
type Page = { page?: number; limit?: number; sort?: string }

const me = sql.ref<number>('me.id')
const textOf = <T extends string | null = string>(json: Expression<unknown>) => sql<T>`${json}::text`
const active = (db: Db, claims: Claims) => session(db, claims).where('me.is_active', '=', yes)

/** Reads: whose session it is and what that user may see, in one round trip to the database. */
export class SessionReader {
  constructor(
    private readonly database: Records,
    private readonly claims: Claims,
  ) {}

  /** What a query answers that looks up the session too; `variant` tells apart what is built of the same rows. */
  private async ask<V extends Given, O>(build: Build<V, O>, given: V, rows: object, variant: string) {
    const [answer] = await this.database.run(build, given, rows, variant)
    if (!answer) throw unauthorized()
    return answer
  }

  /** The one row of `rows`, or `what` is not found. */
  async row<V extends Given, O>(what: string, rows: ReadQuery<V, O>, given: V) {
    const { row } = await this.ask(
      (db, { claims, given }) => active(db, claims).select(jsonObjectFrom(rows(db, me, given)).as('row')),
      { claims: this.claims, given },
      rows,
      'row',
    )
    if (!row) throw notFound(what)
    return row
  }

  /** The one row of `rows` as an answer, or `what` is not found. */
  async one<V extends Given, S extends TObject, O extends JsonRow<S>>(
    what: string,
    schema: S,
    rows: ReadQuery<V, O>,
    given: V,
  ) {
    const { text } = await this.ask(
      (db, { claims, given }) =>
        active(db, claims).select(
          textOf<string | null>(selectJsonObject(db, schema, rows(db, me, given))).as('text'),
        ),
      { claims: this.claims, given },
      rows,
      `one ${getSchemaId(schema)}`,
    )
    if (text === null) throw notFound(what)
    return new RawJson(schema, text)
  }

  /** All of `rows`, where they are few, and how many. */
  async all<V extends Given, S extends TObject, O extends JsonRow<S>>(
    { properties: { data } }: Paged<S>,
    rows: ReadQuery<V, O>,
    given: V,
  ) {
    const { text, total } = await this.ask(
      (db, { claims, given }) =>
        active(db, claims)
          .crossJoinLateral(
            db
              .selectNoFrom(selectJsonArray(db, data.items, rows(db, me, given)).as('data'))
              .offset(sql.lit(0))
              .as('found'),
          )
          .select([
            textOf(sql.ref('found.data')).as('text'),
            sql<number>`json_array_length(found.data)`.as('total'),
          ]),
      { claims: this.claims, given },
      rows,
      `all ${getSchemaId(data)}`,
    )
    return { data: new RawJson(data, text), total }
  }

  /** A page of `rows`; where they belong to something, `of` is that: without a row of it nothing is there to list. */
  async page<V extends Given, S extends TObject, O extends JsonRow<S>>(
    { properties: { data } }: Paged<S>,
    rows: ReadQuery<V, O>,
    given: V,
    { page = 1, limit = 50, sort = '-id' }: Page,
    of?: { what: string; rows: ReadQuery<V, unknown> },
  ) {
    const answer = await this.ask(
      (db, { claims, given, limit, offset }) => {
        const direction = sort.startsWith('-') ? 'desc' : 'asc'
        const column = sort.replace(/^-/, '')
        const sorted = rows(db, me, given)
          .orderBy(sql.ref(column), direction)
          .$if(column !== 'id', all => all.orderBy(sql.ref('id'), direction))
          .limit(limit)
          .offset(offset)
        return active(db, claims).select([
          textOf(selectJsonArray(db, data.items, sorted)).as('text'),
          db
            .selectFrom(rows(db, me, given).as('counted'))
            .select(e => e.fn.countAll<number>().as('n'))
            .as('total'),
          (of ? sql<boolean>`exists ${of.rows(db, me, given)}` : sql<boolean>`true`).as('there'),
        ])
      },
      { claims: this.claims, given, limit, offset: (page - 1) * limit },
      rows,
      sort + getSchemaId(data),
    )
    if (of && !answer.there) throw notFound(of.what)
    const total = answer.total ?? 0
    return {
      data: new RawJson(data, answer.text),
      metadata: { page, limit, total, total_pages: Math.ceil(total / limit) },
    }
  }
}

/** A path's id: the number or the UUID of a record, and anything else names nothing. */
export type RecordId = { id: number } | { uuid: string }
export function parseRecordId(text: string, what: string): RecordId {
  if (isUuid(text)) return { uuid: text }
  if (isNumericId(text)) return { id: Number(text) }
  throw notFound(what)
}

/** Matches what contains the text. */
export const toContainsPattern = (text: string) =>
  sql<string>`'%' || regexp_replace(${text}::text, '([\\\\%_])', '\\\\\\1', 'g') || '%'`

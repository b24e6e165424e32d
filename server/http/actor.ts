import { Elysia } from 'elysia'
import { sql, type SelectQueryBuilder } from 'kysely'
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres'
import { query } from '../../db/orm'
import type { Claims } from '../auth/tokens'
import type { Deps } from '../deps'
import { notFound, unauthorized } from '../faults'
import { isNumericId, isUuid } from './formats'

/** The user behind a request that changes something. */
export type Actor = { id: number; sid: string; phone: string; is_active: boolean }

/** Gives the handlers below it `actor`. Whoever is not signed in is told so before anything else is looked at. */
export const acting = (deps: Deps, options: { inactive?: 'told' } = {}) => new Elysia().derive({ as: 'scoped' }, async ({ request }) => {
  const claims = await claimsOf(deps, request)
  const found = await query(deps.orm.em.fork()).selectFrom('auth_sessions as s').innerJoin('users as me', 'me.id', 's.user_id')
    .where('s.auth_token', '=', claims.hash).where('s.sid', '=', claims.sid).where('me.id', '=', claims.userId).where('me.phone', '=', claims.phone)
    .select(['me.id', 's.sid', 'me.phone', 'me.is_active']).executeTakeFirst()
  if (!found || !found.is_active && options.inactive !== 'told') throw unauthorized()
  return { actor: found satisfies Actor }
})

/** Gives the handlers below it `asker`, whose queries look up the session themselves. */
export const asking = (deps: Deps) => new Elysia().derive({ as: 'scoped' }, async ({ request }) => ({ asker: createAsker(deps, await claimsOf(deps, request)) }))

async function claimsOf(deps: Deps, request: Request): Promise<Claims> {
  const claims = await deps.tokens.read(request.headers.get('authorization'))
  if (!claims) throw unauthorized()
  return claims
}

/** Reads: whose session it is and what that user may see, in one round trip to the database. */
export type Asker = ReturnType<typeof createAsker>

function createAsker(deps: Deps, claims: Claims) {
  const db = query(deps.orm.em.fork()), me = sql.ref<number>('me.id')
  const session = db.selectFrom('auth_sessions as s').innerJoin('users as me', 'me.id', 's.user_id')
    .where('s.auth_token', '=', claims.hash).where('s.sid', '=', claims.sid).where('me.id', '=', claims.userId).where('me.phone', '=', claims.phone).where('me.is_active', '=', true)

  return {
    db,
    /** Stands for the asker's user id within a query. */
    me,

    /** The one row of `rows`, or `what` is not found. */
    one: async <O>(what: string, rows: Rows<O>) => {
      const answer = await session.select(jsonObjectFrom(rows).as('row')).executeTakeFirst()
      if (!answer) throw unauthorized()
      if (!answer.row) throw notFound(what)
      return answer.row
    },

    /** A page of `rows`; where they belong to something, `of` is that: without a row of it nothing is there to list. */
    page: async <O>(rows: Rows<O>, { page = 1, limit = 50, sort = '-id' }: Page, of?: { what: string; rows: Rows<unknown> }) => {
      const direction = sort.startsWith('-') ? 'desc' : 'asc', column = sort.replace(/^-/, '')
      const sorted = rows.orderBy(sql.ref(column), direction).$if(column !== 'id', all => all.orderBy(sql.ref('id'), direction)).limit(limit).offset((page - 1) * limit)
      const answer = await session.select([
        jsonArrayFrom(sorted).as('data'),
        db.selectFrom(rows.as('counted')).select(e => e.fn.countAll<number>().as('n')).as('total'),
        (of ? sql<boolean>`exists ${of.rows}` : sql<boolean>`true`).as('there'),
      ]).executeTakeFirst()
      if (!answer) throw unauthorized()
      if (of && !answer.there) throw notFound(of.what)
      const total = answer.total ?? 0
      return { data: answer.data, metadata: { page, limit, total, total_pages: Math.ceil(total / limit) } }
    },
  }
}
type Rows<O> = SelectQueryBuilder<any, any, O>
type Page = { page?: number; limit?: number; sort?: string }

/** A path's id: the number or the UUID of a record, and anything else names nothing. */
export type Id = { id: number } | { uuid: string }
export function idOf(text: string, what: string): Id {
  if (isUuid(text)) return { uuid: text }
  if (isNumericId(text)) return { id: Number(text) }
  throw notFound(what)
}

/** Matches what contains the text, whatever its case. */
export const like = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

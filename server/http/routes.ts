import type { TSchema } from '@sinclair/typebox'
import { Elysia, type AnyElysia } from 'elysia'
import type { ErrorReason } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db } from '../../db/database'
import { getRequestContext, runInSlot } from '../../db/deadlines'
import type { Actor, Claims, Deps, ReadDatabase } from '../deps'
import { refuse } from '../errors'
import { readLanguage } from '../messages'
import { createChange } from './changes'
import { Reader, selectSession } from './reads/reader'
import { findStoredResponse, KEY_PATTERN, readIdempotencyKey } from './stored-responses'

declare module 'elysia' {
  interface DocumentDecoration {
    /** The reasons of a route's own rules; those of its path, its body and its session follow from it. */
    reasons?: readonly ErrorReason[]
  }
}

const SECURITY = [{ bearer: [] }]
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated request with the same key and body gets the first response, for 24 hours',
  schema: { type: 'string', pattern: KEY_PATTERN },
} as const
const REPLAYED = 'idempotency-replayed'

/** Routes for everyone. */
export const openRoutes = () => new Elysia({ detail: { security: [] } })

/** Routes that read: each of their statements checks the session itself. */
export const readerRoutes = (deps: Deps, database: ReadDatabase = deps.replica ?? deps.db) =>
  new Elysia({ detail: { security: SECURITY } }).derive(async ({ request }) => ({
    reader: new Reader(database, await readClaims(deps, request), readLanguage(request)),
  }))

type ActorOptions = { allowInactive?: boolean; isKeyed?: boolean }

/**
 * Routes that change something. The first response to an `Idempotency-Key` answers its repetitions, unless it has a
 * secret, which must not be stored.
 */
export const actorRoutes = (deps: Deps, { isKeyed = true, ...options }: ActorOptions = {}) =>
  new Elysia({ detail: { security: SECURITY, parameters: isKeyed ? [IDEMPOTENCY_KEY] : [] } })
    .derive(async ({ request }) => ({ actor: await requireActor(deps, request, options) }))
    .resolve(({ request, actor, body, set }) => {
      const key = isKeyed ? readIdempotencyKey(deps.config, request, actor, body) : undefined
      const markReplayed = () => void (set.headers[REPLAYED] = 'true')
      return { key, markReplayed, change: createChange(deps, { actor, key, markReplayed }) }
    })
    // Elysia awaits a hook only if it is declared `async`.
    .onBeforeHandle(async ({ key, markReplayed }) => {
      const stored = key && (await findStoredResponse(deps.db, key))
      if (stored !== undefined) markReplayed()
      return stored
    })

/** The response of a route that creates, typed as 200: Elysia checks a handler against no other status. */
export const created = <S extends TSchema>(schema: S) => ({ 201: schema }) as unknown as { 200: S }

/** Answers 201 where a route declares it. Elysia would answer 200, without stripping undeclared fields. */
export function setCreatedStatus(app: AnyElysia) {
  for (const { hooks } of app.routes) {
    if (!hooks.response || !(201 in hooks.response)) continue
    const setStatus = { fn: ({ set }: { set: { status: number } }) => void (set.status = 201) }
    hooks.transform = [setStatus, ...(hooks.transform ?? [])]
  }
}

/**
 * @throws UNAUTHORIZED The session has ended, or its user is not active.
 * @throws TOO_MANY_REQUESTS The user has changed too much today.
 */
async function requireActor(
  deps: Deps,
  request: Request,
  { allowInactive = false }: ActorOptions,
): Promise<Actor> {
  const claims = await readClaims(deps, request)
  const [actor] = await runInSlot(() => executeCompiled(deps.db, selectActor, claims))
  if (!actor || !(actor.is_active || allowInactive)) throw refuse('session_ended')
  deps.limiter.countChange(actor.id)
  return { ...actor, language: readLanguage(request) }
}

function selectActor(db: Db, claims: Claims) {
  return selectSession(db, claims).select(['me.id', 's.sid', 'me.phone', 'me.is_active'])
}

/**
 * Reads whose request it is, and lets it use the database in this user's slots alone.
 * @throws UNAUTHORIZED The request has no valid token.
 */
async function readClaims({ limiter, tokens }: Deps, request: Request): Promise<Claims> {
  const claims = await tokens.read(request.headers.get('authorization'))
  getRequestContext()!.takeSlot = work => limiter.run(`user ${claims.userId}`, work)
  return claims
}

import type { TSchema } from '@sinclair/typebox'
import { Elysia, type AnyElysia } from 'elysia'
import type { ErrorReason } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db } from '../../db/database'
import { getRequestContext } from '../../db/deadlines'
import type { Claims } from './tokens'
import type { Actor, Deps } from '../deps'
import { refuse } from '../faults'
import { createChange } from './changes'
import { Reader, selectSession } from './reads/reader'
import { findStoredResponse, KEY_PATTERN, readIdempotencyKey } from './stored-responses'
import type { Turns } from './limits/turns'

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

type ReaderOptions = { isOfPrimary?: boolean }

/** Routes that read: each of their statements checks the session itself. */
export const readerRoutes = (deps: Deps, { isOfPrimary }: ReaderOptions = {}) => {
  const replica = isOfPrimary ? undefined : deps.replica
  const database = { sendStatement: replica?.read ?? deps.db.sendStatement.bind(deps.db) }
  return new Elysia({ detail: { security: SECURITY } }).derive(({ request }) => ({
    reader: new Reader(database, readClaims(deps, request), deps),
  }))
}

type ActorOptions = { allowInactive?: boolean; runInTurn?: Turns }

/** Routes that change something. The first response to an `Idempotency-Key` answers its repetitions. */
export const actorRoutes = (deps: Deps, options: ActorOptions = {}) =>
  new Elysia({ detail: { security: SECURITY, parameters: [IDEMPOTENCY_KEY] } })
    .derive(async ({ request }) => ({ actor: await requireActor(deps, request, options) }))
    .resolve(({ request, actor, body, set }) => {
      const key = readIdempotencyKey(deps.config, request, actor, body)
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

/** Whether a request has the token of an active user's session. */
export async function hasSession(deps: Deps, request: Request) {
  const claims = deps.tokens.read(request.headers.get('authorization'))
  if (!claims) return false
  const [actor] = await executeCompiled(deps.db, selectActor, claims)
  return actor?.is_active ?? false
}

/** @throws UNAUTHORIZED The session has ended, or its user is not active. */
async function requireActor(
  deps: Deps,
  request: Request,
  { allowInactive = false, runInTurn = deps.runChange }: ActorOptions,
): Promise<Actor> {
  const [actor] = await executeCompiled(deps.db, selectActor, readClaims(deps, request))
  if (!actor) throw refuse('sign_in_required')
  if (!actor.is_active && !allowInactive) throw refuse('sign_in_required')
  getRequestContext()!.runInTurn = work => runInTurn(actor.id, work)
  return actor
}

function selectActor(db: Db, claims: Claims) {
  return selectSession(db, claims).select(['me.id', 's.sid', 'me.phone', 'me.is_active'])
}

/** @throws UNAUTHORIZED The request has no valid token. */
function readClaims(deps: Deps, request: Request): Claims {
  const claims = deps.tokens.read(request.headers.get('authorization'))
  if (!claims) throw refuse('sign_in_required')
  return claims
}

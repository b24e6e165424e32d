import { Elysia } from 'elysia'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db } from '../../db/database'
import { getRequestContext } from '../../db/deadlines'
import type { Claims } from '../auth/tokens'
import type { Deps } from '../deps'
import { refuse } from '../faults'
import { selectSession, SessionReader } from './session-reader'
import type { Turns } from './turns'

export { SessionReader, type ReadQuery, type UserIdExpression } from './session-reader'

/** The user who sends a request that changes something. */
export type Actor = { id: number; sid: string; phone: string; is_active: boolean }

type ActorOptions = { allowInactive?: boolean; runInTurn?: Turns }

/**
 * Adds `actor` to the context of later handlers, and answers 401 without a valid session. The transactions of the
 * request wait for the actor's turn.
 */
export function withActor(
  deps: Deps,
  { allowInactive = false, runInTurn = deps.runChange }: ActorOptions = {},
) {
  return new Elysia().derive({ as: 'scoped' }, async ({ request }) => {
    const [actor] = await executeCompiled(deps.db, selectActor, getClaims(deps, request))
    if (!actor) throw refuse('sign_in_required')
    if (!actor.is_active && !allowInactive) throw refuse('sign_in_required')
    getRequestContext()!.runInTurn = work => runInTurn(actor.id, work)
    return { actor: actor satisfies Actor }
  })
}

/** Whether a request has the token of an active user's session. */
export async function hasSession(deps: Deps, request: Request) {
  const claims = deps.tokens.read(request.headers.get('authorization'))
  if (!claims) return false
  const [actor] = await executeCompiled(deps.db, selectActor, claims)
  return actor?.is_active ?? false
}

function selectActor(db: Db, claims: Claims) {
  return selectSession(db, claims).select(['me.id', 's.sid', 'me.phone', 'me.is_active'])
}

/** Adds `reader`, whose queries check the session themselves, to the context of later handlers. */
export function withReader(deps: Deps, options: { isOfPrimary?: boolean } = {}) {
  const replica = options.isOfPrimary ? undefined : deps.replica
  const database = { sendStatement: replica?.read ?? deps.db.sendStatement.bind(deps.db) }
  return new Elysia().derive({ as: 'scoped' }, ({ request }) => ({
    reader: new SessionReader(database, getClaims(deps, request), deps),
  }))
}

function getClaims(deps: Deps, request: Request): Claims {
  const claims = deps.tokens.read(request.headers.get('authorization'))
  if (!claims) throw refuse('sign_in_required')
  return claims
}

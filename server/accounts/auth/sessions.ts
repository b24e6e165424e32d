import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Session, SignInResponse } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { User } from '../../../db/entities'
import type { Deps, Tx } from '../../deps'
import { DAY_MS } from '../../domain/durations'
import type { Variant } from '../../domain/variants'
import { refuse } from '../../errors'
import { lockUser, toSignInStatus, userSelection } from './queries'

/** Until `expires_by`, which is informational. */
const TRACKED = sql`interval '1 hour'`
/** From the sign-in on, however often the session is renewed. */
const MAX_SESSION_MS = 90 * DAY_MS

/** Opens a session of a locked user. Parallel sign-ins leave one active session. */
export async function openSession(
  deps: Deps,
  em: EntityManager,
  user: Pick<User, 'id' | 'phone'>,
  variant: Variant,
): Promise<SignInResponse> {
  const now = deps.now()
  const sid = randomUUID()
  const { token, hash, expiresAt } = await deps.tokens.issue(user, { sid, variant })

  await executeCompiled(em, endSessions, { userId: user.id, now })
  await executeCompiled(em, insertToken, {
    sid,
    userId: user.id,
    hash,
    isActive: true,
    signedInAt: now,
    now,
    expiresAt,
  })
  const [view] = await executeCompiled(em, updateLastLogin, { userId: user.id, now })
  return { access_token: token, user: view!, status: toSignInStatus(view!) }
}

/**
 * Adds a token to the actor's session; the older ones stay valid until they expire.
 * @throws UNAUTHORIZED The session has ended.
 */
export async function renewSession(tx: Tx, variant: Variant): Promise<Session> {
  const { em, actor, log, now: readClock } = tx
  // A logout, which locks the user too, would not delete a token that is added meanwhile.
  await lockUser(em, actor.id)
  const [newest] = await executeCompiled(em, selectNewestToken, { sid: actor.sid })
  if (!newest) throw refuse('session_ended')

  const now = readClock()
  const signedInAt = new Date(newest.created_at)
  const latest = new Date(signedInAt.getTime() + MAX_SESSION_MS)
  const { token, hash, expiresAt } = await tx.tokens.issue(actor, { sid: actor.sid, variant, latest })
  await executeCompiled(em, deactivateToken, { id: newest.id, now })
  await executeCompiled(em, insertToken, {
    sid: actor.sid,
    userId: actor.id,
    hash,
    isActive: newest.is_active,
    signedInAt,
    now,
    expiresAt,
  })
  log.audit('session_renewed', { user: actor.id })
  return { access_token: token, expires_at: expiresAt.toISOString() }
}

function selectNewestToken(db: Db, { sid }: { sid: string }) {
  return db
    .selectFrom('auth_sessions')
    .where('sid', '=', sid)
    .orderBy('id', 'desc')
    .limit(sql.lit(1))
    .select(['id', 'created_at', 'is_active'])
}

function deactivateToken(db: Db, { id, now }: { id: number; now: Date }) {
  return db.updateTable('auth_sessions').where('id', '=', id).set({ is_active: false, updated_at: now })
}

type UserTime = { userId: number; now: Date }

/** Deletes a user's expired sessions and deactivates the other ones, whose tokens stay valid. */
function endSessions(_: Db, { userId, now }: UserTime) {
  return sql`
    with expired as (delete from auth_sessions where user_id = ${userId} and token_expires_at <= ${now})
    update auth_sessions set is_active = false, updated_at = ${now}
    where user_id = ${userId} and is_active and token_expires_at > ${now}`
}

type NewToken = UserTime & {
  sid: string
  hash: string
  isActive: boolean
  signedInAt: Date
  expiresAt: Date
}

function insertToken(db: Db, { sid, userId, hash, isActive, signedInAt, now, expiresAt }: NewToken) {
  const state = { is_active: isActive, updated_at: now }
  return (
    db
      .insertInto('auth_sessions')
      .values({
        sid,
        user_id: userId,
        auth_token: hash,
        expires_by: sql<Date>`${now}::timestamptz + ${TRACKED}`,
        token_expires_at: expiresAt,
        created_at: signedInAt,
        ...state,
      })
      // Two tokens of a session that are issued in the same second are the same.
      .onConflict(conflict => conflict.column('auth_token').doUpdateSet(state))
  )
}

function updateLastLogin(db: Db, { userId, now }: UserTime) {
  return db
    .updateTable('users as u')
    .where('u.id', '=', userId)
    .set({ last_login_at: now, updated_at: now })
    .returning(userSelection)
}

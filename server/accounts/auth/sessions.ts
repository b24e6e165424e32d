import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SignInResponse } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { User } from '../../../db/entities'
import type { Deps } from '../../deps'
import { HOUR_MS } from '../../domain/durations'
import type { Variant } from '../../domain/variants'
import { toSignInStatus, userSelection } from './queries'

/** Until `expires_by`, which is informational. */
const TRACKED_MS = HOUR_MS

/** Opens a session of a locked user. Parallel sign-ins leave one active session. */
export async function openSession(
  deps: Deps,
  em: EntityManager,
  user: Pick<User, 'id' | 'phone'>,
  variant: Variant,
): Promise<SignInResponse> {
  const now = deps.now()
  const sid = randomUUID()
  const { token, hash, expiresAt } = await deps.tokens.issue(user, sid, variant)

  await executeCompiled(em, endSessions, { userId: user.id, now })
  await executeCompiled(em, insertSession, {
    sid,
    userId: user.id,
    hash,
    now,
    trackedUntil: new Date(now.getTime() + TRACKED_MS),
    expiresAt,
  })
  const [view] = await executeCompiled(em, updateLastLogin, { userId: user.id, now })
  return { access_token: token, user: view!, status: toSignInStatus(view!) }
}

type UserTime = { userId: number; now: Date }

/** Deletes a user's expired sessions and deactivates the other ones, whose tokens stay valid. */
function endSessions(_: Db, { userId, now }: UserTime) {
  return sql`
    with expired as (delete from auth_sessions where user_id = ${userId} and token_expires_at <= ${now})
    update auth_sessions set is_active = false, updated_at = ${now}
    where user_id = ${userId} and is_active and token_expires_at > ${now}`
}

type NewSession = UserTime & { sid: string; hash: string; trackedUntil: Date; expiresAt: Date }

function insertSession(db: Db, { sid, userId, hash, now, trackedUntil, expiresAt }: NewSession) {
  return db.insertInto('auth_sessions').values({
    sid,
    user_id: userId,
    auth_token: hash,
    expires_by: trackedUntil,
    token_expires_at: expiresAt,
    created_at: now,
    updated_at: now,
  })
}

function updateLastLogin(db: Db, { userId, now }: UserTime) {
  return db
    .updateTable('users as u')
    .where('u.id', '=', userId)
    .set({ last_login_at: now, updated_at: now })
    .returning(userSelection)
}

import { sql } from 'kysely'
import type { SignInStatus, User } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { SQL_TRUE, type Db, type EntityManager } from '../../db/database'
import { unauthorized } from '../faults'

/** Users as answers show them. */
export const selectUsers = (db: Db) =>
  db
    .selectFrom('users as u')
    .select([
      'u.id',
      'u.user_id',
      'u.phone',
      'u.first_name',
      'u.last_name',
      'u.email',
      sql<User['role']>`lower(u.role)`.as('role'),
      sql<boolean>`u.first_name is not null and u.last_name is not null and u.email is not null`.as(
        'has_completed_profile',
      ),
      'u.kyc_verified as has_verified_profile',
    ])

export const selectUserById = (db: Db, { id }: { id: number }) => selectUsers(db).where('u.id', '=', id)

/** What stands in the place of an erased user's phone number: it can be neither dialled nor signed in with. */
export const toErasedPhone = (id: number) => `erased-${id}`
export const isErasedPhone = (column: string) => sql<boolean>`${sql.ref(column)} like 'erased-%'`

/**
 * Locks the given users against erasure until the transaction ends, and returns the ids of the active ones.
 * In the global lock order users come after properties, units and agreements.
 */
export async function lockActiveUsers(em: EntityManager, ids: number[]) {
  const users = await executeCompiled(em, selectActiveUsersForShare, { ids })
  return new Set(users.map(({ id }) => id))
}

function selectActiveUsersForShare(db: Db, { ids }: { ids: number[] }) {
  return db
    .selectFrom('users')
    .where(e => e('id', '=', e.fn.any(e.val(ids))))
    .where('is_active', '=', SQL_TRUE)
    .orderBy('id')
    .select('id')
    .forKeyShare()
}

/** @throws UNAUTHORIZED The user was erased after the request arrived. */
export async function requireActiveUser(em: EntityManager, { id }: { id: number }) {
  const activeIds = await lockActiveUsers(em, [id])
  if (!activeIds.has(id)) throw unauthorized()
}

export const toSignInStatus = (
  user: Pick<User, 'has_completed_profile' | 'has_verified_profile'>,
): SignInStatus =>
  !user.has_completed_profile
    ? 'NEEDS_PROFILE_COMPLETION'
    : !user.has_verified_profile
      ? 'NEEDS_VERIFICATION'
      : 'LOGIN_SUCCESSFUL'

import { sql } from 'kysely'
import type { SignInStatus, User } from '@kiraya/sdk/contract'
import { yes, type Db } from '../../db/orm'
import type { EntityManager } from '../../db/database'
import { toRecords, type Transaction } from '../../db/records'
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

/** Of these users those who are there, and stay until the transaction ends. Users are locked after properties, units and agreements. */
export const lockActiveUsers = async (tx: Transaction | EntityManager, ids: number[]) =>
  new Set((await toRecords(tx).run(holding, { ids })).map(({ id }) => id))
const holding = (db: Db, { ids }: { ids: number[] }) =>
  db
    .selectFrom('users')
    .where(e => e('id', '=', e.fn.any(e.val(ids))))
    .where('is_active', '=', yes)
    .orderBy('id')
    .select('id')
    .forKeyShare()

/** Whoever was erased since the request came does nothing any more. */
export async function requireActiveUser(tx: Transaction, { id }: { id: number }) {
  if (!(await lockActiveUsers(tx, [id])).has(id)) throw unauthorized()
}

export const toSignInStatus = (
  user: Pick<User, 'has_completed_profile' | 'has_verified_profile'>,
): SignInStatus =>
  !user.has_completed_profile
    ? 'NEEDS_PROFILE_COMPLETION'
    : !user.has_verified_profile
      ? 'NEEDS_VERIFICATION'
      : 'LOGIN_SUCCESSFUL'

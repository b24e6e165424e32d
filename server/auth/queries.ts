import { sql } from 'kysely'
import type { SignInStatus, User } from '@kiraya/sdk/contract'
import type { Db } from '../../db/orm'

/** Users as answers show them. */
export const users = (db: Db) => db.selectFrom('users as u').select([
  'u.id', 'u.user_id', 'u.phone', 'u.first_name', 'u.last_name', 'u.email',
  sql<User['role']>`lower(u.role)`.as('role'),
  sql<boolean>`u.first_name is not null and u.last_name is not null and u.email is not null`.as('has_completed_profile'),
  'u.kyc_verified as has_verified_profile',
])

export const signInStatus = (user: Pick<User, 'has_completed_profile' | 'has_verified_profile'>): SignInStatus =>
  !user.has_completed_profile ? 'NEEDS_PROFILE_COMPLETION' : !user.has_verified_profile ? 'NEEDS_VERIFICATION' : 'LOGIN_SUCCESSFUL'

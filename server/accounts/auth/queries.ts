import { sql } from 'kysely'
import { User as UserView, type Profile, type SignInStatus } from '@kiraya/sdk/contract'
import { executeCompiled, findEntities } from '../../../db/compiled-queries'
import { SQL_TRUE, type Database, type Db, type EntityManager } from '../../../db/database'
import { User } from '../../../db/entities'
import { toColumns } from '../../domain/fields'
import { maskedPan } from '../../domain/pan'
import { refuse } from '../../errors'
import type { UserId } from '../../http/reads/reader'

/** Whether a user has completed the profile: only then does the row of `users` have the person's own name. */
export function hasCompletedProfile(users: string) {
  const column = (name: string) => sql.ref(`${users}.${name}`)
  return sql<boolean>`(
    ${column('first_name')} is not null and ${column('last_name')} is not null
    and ${column('email')} is not null
  )`
}

/** Every field of a user, of the table `users as u`. */
export const userSelection = toColumns('users as u', UserView, {
  role: sql<UserView['role']>`lower(u.role)`,
  has_completed_profile: hasCompletedProfile('u'),
  has_verified_profile: sql.ref<boolean>('u.kyc_verified'),
})

/** Selects a user as responses show it. */
export function selectUserView(db: Db, userId: UserId) {
  return db.selectFrom('users as u').where('u.id', '=', userId).select(userSelection)
}

/** Selects a user as only they themselves see it; `toProfile` makes it their profile. */
export function selectProfile(db: Db, userId: UserId) {
  return selectUserView(db, userId).select(maskedPan.as('pan'))
}

/** A PAN is absent unless there is one, so that other users look as they did before there was any. */
export function toProfile({ pan, ...user }: UserView & { pan: string | null }): Profile {
  return pan === null ? user : { ...user, pan }
}

/** Reads the profile back, in the transaction that changed it or outside one. */
export async function loadProfile(of: EntityManager | Database, id: number): Promise<Profile> {
  const [profile] = await executeCompiled(of, selectProfileById, { id })
  return toProfile(profile!)
}

function selectProfileById(db: Db, { id }: { id: number }) {
  return selectProfile(db, sql.val(id))
}

/** Returns the placeholder of an erased user's phone number: it can neither be dialled nor used to sign in. */
export function toErasedPhone(id: number) {
  return `erased-${id}`
}

export function isErasedPhone(column: string) {
  return sql<boolean>`${sql.ref(column)} like 'erased-%'`
}

/**
 * Shares the given users, so that they are not erased until the transaction ends, and returns the ids of the active
 * ones.
 */
export async function shareActiveUsers(em: EntityManager, ids: number[]) {
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

/**
 * Locks a user for a change of anything but their number and phone. `for update` would also wait for those who name
 * the user, and PostgreSQL lets new ones of them pass a lock that waits: others could prevent a sign-in forever.
 */
export async function lockUser(em: EntityManager, id: number) {
  const [user] = await findEntities(em, User, selectUserForChange, { id })
  return user
}

function selectUserForChange(db: Db, { id }: { id: number }) {
  return db.selectFrom('users').where('id', '=', id).forNoKeyUpdate()
}

type NewUser = Pick<User, 'phone' | 'role'> & { now: Date }

/**
 * Finds or creates the user with a phone number, who cannot be erased until the transaction ends; an existing one
 * stays as is. Two rounds: another transaction may create the user between select and insert.
 */
export async function findOrCreateUser(em: EntityManager, user: NewUser) {
  for (let round = 1; round <= 2; round++) {
    const [known] = await executeCompiled(em, selectUserByPhoneForShare, { phone: user.phone })
    if (known) return known
    const [created] = await executeCompiled(em, insertUser, user)
    if (created) return created
  }
  throw refuse('phone_number_busy')
}

function selectUserByPhoneForShare(db: Db, { phone }: { phone: string }) {
  return db.selectFrom('users').where('phone', '=', phone).select(['id', 'user_id', 'phone']).forKeyShare()
}

function insertUser(db: Db, { phone, role, now }: NewUser) {
  return db
    .insertInto('users')
    .values({ phone, role, created_at: now, updated_at: now })
    .onConflict(conflict => conflict.column('phone').doNothing())
    .returning(['id', 'user_id', 'phone'])
}

/** @throws UNAUTHORIZED The user was erased after the request arrived. */
export async function shareActor(em: EntityManager, { id }: { id: number }) {
  const activeIds = await shareActiveUsers(em, [id])
  if (!activeIds.has(id)) throw refuse('session_ended')
}

type OnboardingFlags = Pick<UserView, 'has_completed_profile' | 'has_verified_profile'>

export function toSignInStatus(user: OnboardingFlags): SignInStatus {
  if (!user.has_completed_profile) return 'NEEDS_PROFILE_COMPLETION'
  if (!user.has_verified_profile) return 'NEEDS_VERIFICATION'
  return 'LOGIN_SUCCESSFUL'
}

type Named = { first_name: string | null; last_name: string | null; email: string | null }

/** Keeps first letters, by which only those who know the user recognise them: `A•••` and `a•••@…`. */
export function maskUser({ first_name, last_name, email }: Named): Named {
  return {
    first_name: maskText(first_name),
    last_name: maskText(last_name),
    email: email && `${maskText(email)}@…`,
  }
}

/** The number of dots does not tell the length. */
function maskText(text: string | null) {
  const [firstCharacter = ''] = text ?? ''
  return text && `${firstCharacter}•••`
}

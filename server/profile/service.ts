import type { CompleteProfileInput, ProfileResponse } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import type { User } from '../../db/entities'
import { loadUserView } from '../auth/queries'
import type { Deps } from '../deps'
import { recordActivities, type NewActivity } from '../domain/activities'
import { badRequest } from '../faults'
import type { Actor } from '../http/authentication'
import { lockOwnUser } from './access'

type ProfileFields = Required<Omit<CompleteProfileInput, 'password'>>
type ProfileField = keyof ProfileFields

/** Sets the profile's fields; a new password ends the user's other sessions. */
export async function completeProfile(
  deps: Deps,
  actor: Actor,
  input: CompleteProfileInput,
): Promise<ProfileResponse> {
  const fields = toProfileFields(input)
  const password = input.password ? await deps.passwords.hash(input.password) : undefined

  const { user, changedFields } = await deps.db.transactional(async em => {
    const user = await lockOwnUser(em, actor)
    const changedFields = changeProfile(user, fields)
    if (password !== undefined) await changePassword(em, actor, user, password)
    await em.flush()

    await recordActivities(em, deps.now(), toProfileActivity(user))
    return { user: await loadUserView(em, user.id), changedFields }
  })

  deps.log.audit('profile_changed', { user: user.id, fields: changedFields })
  if (password !== undefined) deps.log.audit('password_changed', { user: user.id })
  return { message: 'Your profile is complete', user }
}

/** A field missing here does not compile: `CompleteProfileInput` has to be covered. */
function toProfileFields(input: CompleteProfileInput): ProfileFields {
  return {
    first_name: input.first_name.trim(),
    last_name: input.last_name.trim(),
    email: input.email.trim(),
  }
}

/**
 * Returns the names of the fields that changed.
 * @throws BAD_REQUEST The identity is verified and the name differs from the stored one.
 */
function changeProfile(user: User, fields: ProfileFields): ProfileField[] {
  const names = Object.keys(fields) as ProfileField[]
  const changedFields = names.filter(name => fields[name] !== user[name])
  const isNameChanged = changedFields.some(name => name !== 'email')
  if (user.kyc_verified && isNameChanged) {
    throw badRequest('The name cannot be changed once the identity is verified')
  }
  Object.assign(user, fields)
  return changedFields
}

async function changePassword(em: EntityManager, actor: Actor, user: User, hash: string) {
  user.password = hash
  await executeCompiled(em, deleteOtherSessions, { userId: user.id, sid: actor.sid })
}

function deleteOtherSessions(db: Db, { userId, sid }: { userId: number; sid: string }) {
  return db.deleteFrom('auth_sessions').where('user_id', '=', userId).where('sid', '<>', sid)
}

function toProfileActivity(user: User): NewActivity & { to: number[] } {
  return {
    to: [user.id],
    type: 'profile_completed',
    message: 'You completed your profile',
    entity_type: 'user',
    entity_id: user.id,
    actor_id: user.id,
  }
}

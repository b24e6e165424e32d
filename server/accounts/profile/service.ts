import type { CompleteProfileInput, ProfileResponse } from '@kiraya/sdk/contract'
import type { User } from '../../../db/entities'
import { limitWrongOtps } from '../auth/sign-in-limits'
import { loadProfile } from '../auth/queries'
import type { Actor, Deps, Tx } from '../../deps'
import { isNameShown } from '../../documents/names'
import { recordActivities, type NewActivity } from '../../domain/activities'
import { refuse } from '../../errors'
import type { RunChange } from '../../http/changes'
import { getClientNetwork } from '../../http/limits/client-ip'
import { results } from '../../messages/results'
import { toWarning } from '../../messages/warnings'
import { lockOwnUser } from './access'
import { changePan } from './pan'
import {
  changePassword,
  isConfirmedByOtp,
  preparePasswordChange,
  type PasswordChange,
} from './password-change'

/** Each of them is required: one that is not copied does not compile. */
type ProfileFields = Omit<CompleteProfileInput, 'password' | 'current_password' | 'otp' | 'pan'>
type ProfileField = keyof ProfileFields

type Requested = { actor: Actor; change: RunChange }

/**
 * Sets the profile's fields; a new password ends the user's other sessions.
 * @throws UNAUTHORIZED The current password or the OTP is wrong.
 */
export async function completeProfile(
  deps: Deps,
  { actor, change }: Requested,
  input: CompleteProfileInput,
): Promise<ProfileResponse> {
  const password = await preparePasswordChange(deps, actor, input)
  const complete = async () => {
    const response = await change(storeProfile, input, password)
    if (response) return response
    deps.log.audit('password_refused', { user: actor.id, by: 'otp', network: getClientNetwork() })
    throw refuse('wrong_otp')
  }
  return password?.otp ? limitWrongOtps(deps, actor.phone, complete) : complete()
}

/** Returns nothing for a wrong OTP: the attempt must stay counted, and an error would roll it back. */
async function storeProfile(
  tx: Tx,
  input: CompleteProfileInput,
  password: PasswordChange | undefined,
): Promise<ProfileResponse | undefined> {
  const { em, actor, log } = tx
  if (password && !(await isConfirmedByOtp(tx, password))) return undefined
  const user = await lockOwnUser(em, actor)
  const { first_name, last_name, email } = input
  const changedFields: (ProfileField | 'pan')[] = changeProfile(user, { first_name, last_name, email })
  if (changePan(tx.config, user, input.pan)) changedFields.push('pan')
  if (password) await changePassword(em, actor, user, password)
  await em.flush()

  await recordActivities(em, tx.now(), toProfileActivity(user))
  log.audit('profile_changed', { user: user.id, fields: changedFields })
  if (password) log.audit('password_changed', { user: user.id })
  const warned = isNameShown(`${first_name} ${last_name}`) ? {} : { warnings: [toWarning('name_not_shown')] }
  return { message: results.profile_completed, user: await loadProfile(em, user.id), ...warned }
}

/**
 * Returns the names of the fields that changed.
 * @throws BAD_REQUEST The identity is verified and the name differs from the stored one.
 */
function changeProfile(user: User, fields: ProfileFields): ProfileField[] {
  const names = Object.keys(fields) as ProfileField[]
  const changedFields = names.filter(name => fields[name] !== user[name])
  const isNameChanged = changedFields.some(name => name !== 'email')
  if (user.kyc_verified && isNameChanged) throw refuse('name_is_verified')
  Object.assign(user, fields)
  return changedFields
}

function toProfileActivity(user: User): NewActivity & { to: number[] } {
  return {
    to: [user.id],
    type: 'profile_completed',
    message: 'You completed your profile',
    entity_type: 'user',
    entity_id: user.id,
    actor_id: user.id,
    landlord_id: user.id,
  }
}

import { sql } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import type { CurrentUser } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import type { Deps } from '../../deps'
import type { Reader, UserId } from '../../http/reads/reader'
import { selectInvitedProfile } from '../invitations/queries'
import { selectProfile, toProfile, toSignInStatus } from '../auth/queries'

/** Returns who is signed in, and until the profile is complete what an invitation says of them. */
export async function getCurrentUser({ now }: Deps, reader: Reader): Promise<CurrentUser> {
  const found = await reader.row(selectCurrentUser, { now: now() }, 'user_not_found')
  const { invitation, ...user } = found
  const isInvited = invitation && !user.has_completed_profile
  return { user: toProfile(user), status: toSignInStatus(user), ...(isInvited && { invitation }) }
}

function selectCurrentUser(db: Db, userId: UserId, { now }: { now: Date }) {
  const invitation = selectInvitedProfile(db, sql.ref<string>('u.phone'), now)
  return selectProfile(db, userId).select(jsonObjectFrom(invitation).as('invitation'))
}

import { sql, type Expression } from 'kysely'
import { Invitation, type InvitationQuery } from '@kiraya/sdk/contract'
import type { Db } from '../../../db/database'
import { hasCompletedProfile } from '../auth/queries'
import { toColumns } from '../../domain/fields'

/** An invitation is accepted by completing the profile, so no column has to say it. */
const selectStatus = (now: Date) => sql<Invitation['status']>`case
  when ${hasCompletedProfile('u')} then 'accepted'
  when i.expires_at <= ${now}::timestamptz then 'expired'
  else 'open'
end`

export function selectInvitations(db: Db, now: Date, { status, phone_number }: InvitationQuery = {}) {
  let invitations = db
    .selectFrom('invitations as i')
    .leftJoin('users as u', 'u.phone', 'i.phone_number')
    .select(toColumns('invitations as i', Invitation, { status: selectStatus(now) }))
  if (status !== undefined) invitations = invitations.where(selectStatus(now), '=', status)
  if (phone_number !== undefined) invitations = invitations.where('i.phone_number', '=', phone_number)
  return invitations
}

/** Selects what an operator said of the user with a phone number, while the invitation is open. */
export function selectInvitedProfile(db: Db, phone: Expression<string>, now: Date) {
  return db
    .selectFrom('invitations as i')
    .where('i.phone_number', '=', phone)
    .where('i.expires_at', '>', sql<string>`${now}::timestamptz`)
    .select(['i.first_name', 'i.last_name', 'i.email'])
}

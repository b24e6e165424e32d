import { sql } from 'kysely'
import type { Invitation as InvitationView, InvitationQuery, NewInvitation } from '@kiraya/sdk/contract'
import { getKysely, type Db } from '../../../db/database'
import { Invitation } from '../../../db/entities'
import { hasCompletedProfile } from '../auth/queries'
import { sendOrRefund } from '../auth/sign-in-limits'
import type { Deps } from '../../deps'
import { DAY_MS } from '../../domain/durations'
import { hashPhone } from '../../domain/phone-hash'
import { isNumericId } from '../../domain/record-id'
import { refuse } from '../../errors'
import { consumeRateLimits, toDailyLimit } from '../../http/limits/rate-limits'
import { loadPage } from '../../http/reads/reader'
import { results } from '../../messages/results'
import { selectInvitations } from './queries'

/**
 * Invites a landlord by a message. It creates no account: the person signs in, and finds the names in the form of
 * the profile. To invite again changes an open invitation, and sends a message only if none was sent.
 * @throws BAD_REQUEST The person has completed a profile, or the account is inactive; or no message reaches them.
 * @throws TOO_MANY_REQUESTS The person got too many messages in a day.
 * @throws SERVICE_UNAVAILABLE The message could not be sent; the invitation stays for the next attempt.
 */
export async function inviteLandlord(deps: Deps, input: NewInvitation): Promise<InvitationView> {
  const db = getKysely(deps.db)
  const now = deps.now()
  if (await hasAccount(db, input.phone_number)) throw refuse('account_exists')

  const { id } = await upsertInvitation(db, input, now, deps.config.INVITATION_DAYS)
  // Noted before it is sent, so that parallel requests send one.
  const claimed = await deps.db.fork().nativeUpdate(Invitation, { id, sent_at: null }, { sent_at: now })
  if (claimed > 0) await sendOrRelease(deps, id, input.phone_number)
  deps.log.audit('landlord_invited', { id })
  return selectInvitations(db, now).where('i.id', '=', id).executeTakeFirstOrThrow()
}

/** An account without a profile has only been named, or was left before its owner told who they are. */
async function hasAccount(db: Db, phone: string) {
  const account = await db
    .selectFrom('users as u')
    .where('u.phone', '=', phone)
    .where(e => e.or([hasCompletedProfile('u'), e('u.is_active', '=', false)]))
    .select('u.id')
    .executeTakeFirst()
  return account !== undefined
}

/** One that has expired becomes a new invitation, with a message of its own. */
function upsertInvitation(
  db: Db,
  { phone_number, first_name, last_name, email }: NewInvitation,
  now: Date,
  days: number,
) {
  const expires_at = new Date(now.getTime() + days * DAY_MS)
  const fields = { first_name, last_name, email, expires_at, updated_at: now }
  const hasExpired = sql`invitations.expires_at <= ${now}::timestamptz`
  const sent_at = sql<Date | null>`case when ${hasExpired} then null else invitations.sent_at end`
  return db
    .insertInto('invitations')
    .values({ phone_number, created_at: now, ...fields })
    .onConflict(conflict => conflict.column('phone_number').doUpdateSet({ ...fields, sent_at }))
    .returning('id')
    .executeTakeFirstOrThrow()
}

async function sendOrRelease(deps: Deps, id: number, phone: string) {
  const { config, publicUrl } = deps
  const key = `invitations:${hashPhone(config, phone)}`
  const limit = toDailyLimit(config, key, config.INVITATION_LIMIT_PER_PHONE)
  const url = config.FRONTEND_ORIGIN[0] ?? publicUrl()
  try {
    const limits = await consumeRateLimits(deps.db, deps.now(), [limit], 'too_many_invitations')
    await sendOrRefund(deps, limits, () => deps.sendMessage(phone, { kind: 'invitation', url }))
  } catch (error) {
    await deps.db.fork().nativeUpdate(Invitation, id, { sent_at: null })
    throw error
  }
}

export function listInvitations(deps: Deps, query: InvitationQuery) {
  const db = getKysely(deps.db)
  return loadPage(db, selectInvitations(db, deps.now(), query), query)
}

export async function cancelInvitation({ db, log }: Deps, id: string) {
  const cancelled = isNumericId(id) ? await db.fork().nativeDelete(Invitation, Number(id)) : 0
  if (cancelled === 0) throw refuse('invitation_not_found')
  log.audit('invitation_cancelled', { id: Number(id) })
  return { message: results.invitation_cancelled }
}

import type { CompleteProfileInput } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import { SQL_TRUE, type Db, type EntityManager } from '../../../db/database'
import { AuthSession, type User } from '../../../db/entities'
import { consumeOtp } from '../auth/otp'
import { limitFailures } from '../auth/sign-in-limits'
import type { Actor, Deps, Tx } from '../../deps'
import { refuse } from '../../errors'
import { getClientNetwork } from '../../http/limits/client-ip'

/** Hashes of the new password and of the one that it replaces, and the OTP that has yet to be compared. */
export type PasswordChange = { hash: string; replaces: string | null; otp: string | undefined }

/**
 * Compares the current password and hashes the new one; returns undefined if the input has no new one.
 * @throws BAD_REQUEST A password is set, and the input has neither it nor an OTP.
 * @throws UNAUTHORIZED The current password is wrong.
 */
export async function preparePasswordChange(
  deps: Deps,
  actor: Actor,
  input: CompleteProfileInput,
): Promise<PasswordChange | undefined> {
  if (!input.password) return undefined
  const [user] = await executeCompiled(deps.db, selectPassword, actor)
  if (!user) throw refuse('user_not_found')

  const { password: replaces } = user
  const { current_password, otp } = input
  if (replaces && !current_password && !otp) throw refuse('password_proof_missing')
  if (replaces && current_password) await requirePassword(deps, actor, current_password, replaces)

  const isOtpNeeded = replaces && !current_password
  const hash = await deps.passwords.hash(input.password)
  return { hash, replaces, otp: isOtpNeeded ? otp! : undefined }
}

function selectPassword(db: Db, { id }: { id: number }) {
  return db.selectFrom('users').where('id', '=', id).where('is_active', '=', SQL_TRUE).select('password')
}

/** Guesses with a stolen token count as failed logins. */
function requirePassword(deps: Deps, { id, phone }: Actor, password: string, hash: string) {
  const attempt = { kind: 'login', phone, reason: 'too_many_wrong_passwords' } as const
  return limitFailures(deps, attempt, async () => {
    if (await deps.passwords.verify(password, hash)) return
    deps.log.audit('password_refused', { user: id, by: 'password', network: getClientNetwork() })
    throw refuse('wrong_password')
  })
}

/** Consumes the OTP if the change needs one; it is compared before the user is locked, as at a sign-in. */
export async function isConfirmedByOtp(tx: Tx, { otp }: PasswordChange) {
  return otp === undefined || consumeOtp(tx, tx.em, { phone: tx.actor.phone, otp })
}

/**
 * Sets the password of the locked user and ends the other sessions.
 * @throws BAD_REQUEST The password is no longer the one that the change was prepared for.
 */
export async function changePassword(em: EntityManager, actor: Actor, user: User, change: PasswordChange) {
  if (user.password !== change.replaces) throw refuse('password_changed_meanwhile')
  user.password = change.hash
  await em.nativeDelete(AuthSession, { user_id: user.id, sid: { $ne: actor.sid } })
}

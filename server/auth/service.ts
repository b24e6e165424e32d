import { randomUUID } from 'node:crypto'
import type {
  LoginInput,
  LogoutInput,
  SendOtpResponse,
  SignInResponse,
  VerifyOtpInput,
} from '@kiraya/sdk/contract'
import { AuthSession, User } from '../../db/entities'
import type { Db } from '../../db/orm'
import { records, transact, type Transaction } from '../../db/records'
import type { Deps } from '../deps'
import { unauthorized } from '../faults'
import type { Actor, SessionReader, UserIdExpression } from '../http/authentication'
import { FIFTEEN_MINUTES_MS, refundRateLimits, consumeRateLimits } from '../http/rate-limits'
import type { Policy, Variant } from '../http/variants'
import { storeOtp, generateOtp, consumeOtp } from './otp'
import { toSignInStatus, selectUserById, selectUsers } from './queries'
import { DAY_MS } from '../domain/durations'
import { toNetworkPrefix, toSubscriberPrefix } from '../http/client-ip'

const TRACKED_MS = 3_600_000

/** Sends a one-time password. Whatever the account's state, an outsider sees the same answer for an unknown and an inactive one. */
export async function sendOtp(
  deps: Deps,
  policy: Policy,
  phone: string,
  address: string,
): Promise<SendOtpResponse> {
  const { config, orm } = deps
  const db = records(orm)
  const now = deps.now()
  const limits = [
    {
      key: `otp:${phone}:${toNetworkPrefix(address)}`,
      max: config.OTP_LIMIT_PER_NETWORK * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
    { key: `otp:${phone}`, max: config.OTP_LIMIT_PER_PHONE * config.rateLimitMultiplier, windowMs: DAY_MS },
    {
      key: `otp:${toSubscriberPrefix(address)}`,
      max: config.OTP_LIMIT_PER_ADDRESS * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
  ]
  await consumeRateLimits(
    db,
    now,
    limits,
    'Too many one-time passwords were asked for; wait before asking again',
  )
  const user = await db.findOne(User, { phone })
  if (!user || user.is_active) {
    const otp = config.sandbox.messages ? config.SANDBOX_OTP : generateOtp()
    // Sent first: where that fails nothing is counted, and an older one stays as good as it was.
    await deps.sendOtp(phone, otp, policy.otpLifetimeMs).catch(async error => {
      await refundRateLimits(db, limits)
      throw error
    })
    await storeOtp(db, config.JWT_SECRET, phone, otp, now, policy.otpLifetimeMs)
  }
  deps.log.audit('otp_requested', { user: user?.id, network: toNetworkPrefix(address) })
  const message = 'A one-time password is on its way'
  if (!policy.disclosesAccount) return { message }
  if (!config.DISCLOSE_ACCOUNTS) return { message, user: null }
  if (!user?.is_active) return { message, is_existing_user: false, user: null }
  const { user_id, first_name = null, last_name = null, email = null, phone: phone_number } = user
  return {
    message,
    is_existing_user: user.last_login_at !== null,
    user: { user_id, first_name, last_name, email, phone_number },
  }
}

/** Trades the OTP for a token; an unknown phone number becomes a landlord's account. */
export async function verifyOtp(
  deps: Deps,
  variant: Variant,
  { phone_number, otp }: VerifyOtpInput,
  address: string,
): Promise<SignInResponse> {
  const now = deps.now()
  const by = { by: 'otp', network: toNetworkPrefix(address) } as const
  // A wrong try must stay counted, so nothing is thrown before the transaction has ended.
  const signedIn = await transact(deps.orm, async tx => {
    if (!(await consumeOtp(tx, deps.config.acceptedSecrets.JWT_SECRET, phone_number, otp, now))) return
    const findOrMake = async () => {
      await tx.run(joining, { phone: phone_number })
      return tx.findOne(User, { phone: phone_number }, { lock: 'update' })
    }
    const user = (await findOrMake()) ?? (await findOrMake()) // erased in between: the number is nobody's now
    return user?.is_active ? openSession(deps, tx, user, variant) : undefined
  })
  if (!signedIn) {
    const known = await records(deps.orm).findOne(User, { phone: phone_number })
    deps.log.audit('sign_in_failed', { user: known?.id, ...by })
    throw unauthorized('The one-time password is wrong or has expired')
  }
  deps.log.audit('signed_in', { user: signedIn.user.id, ...by })
  return signedIn
}

/** Every refusal says the same and takes as long. */
export async function loginWithPassword(
  deps: Deps,
  variant: Variant,
  { phone_number, password }: LoginInput,
  address: string,
): Promise<SignInResponse> {
  const { config } = deps
  const db = records(deps.orm)
  const now = deps.now()
  const limits = [
    {
      key: `login:${phone_number}:${toNetworkPrefix(address)}`,
      max: config.LOGIN_LIMIT_PER_NETWORK * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
    {
      key: `login:${phone_number}`,
      max: config.LOGIN_LIMIT_PER_PHONE * config.rateLimitMultiplier,
      windowMs: DAY_MS,
    },
  ]
  await consumeRateLimits(db, now, limits, 'Too many failed logins; wait before trying again') // counted first, so that parallel guesses cannot pass together
  const known = await db.findOne(User, { phone: phone_number, is_active: true })
  const right = await deps.passwords.verify(password, known?.password)
  const signedIn =
    right &&
    known &&
    (await transact(deps.orm, async tx => {
      const user = await tx.findOne(
        User,
        { id: known.id, is_active: true, password: known.password },
        { lock: 'update' },
      )
      return user ? openSession(deps, tx, user, variant) : undefined
    }))
  const by = { by: 'password', network: toNetworkPrefix(address), user: known?.id } as const
  deps.log.audit(signedIn ? 'signed_in' : 'sign_in_failed', by)
  if (!signedIn) throw unauthorized('The phone number or the password is wrong')
  await refundRateLimits(db, limits)
  return signedIn
}

/** The user's row is locked by now, so that parallel sign-ins leave one active session. */
async function openSession(
  deps: Deps,
  tx: Transaction,
  user: User,
  variant: Variant,
): Promise<SignInResponse> {
  const now = deps.now()
  const sid = randomUUID()
  const { token, hash, expiresAt } = await deps.tokens.issue(user, sid, variant)
  user.last_login_at = now
  await tx.delete(AuthSession, { user_id: user.id, token_expires_at: { $lte: now } })
  await tx.update(AuthSession, { user_id: user.id, is_active: true }, { is_active: false, updated_at: now })
  await tx.insert(AuthSession, {
    sid,
    user_id: user.id,
    auth_token: hash,
    expires_by: new Date(now.getTime() + TRACKED_MS),
    token_expires_at: expiresAt,
    created_at: now,
  })
  await tx.flush()
  const view = (await tx.run(selectUserById, { id: user.id }))[0]!
  return { access_token: token, user: view, status: toSignInStatus(view) }
}

const joining = (db: Db, { phone }: { phone: string }) =>
  db
    .insertInto('users')
    .values({ phone })
    .onConflict(conflict => conflict.column('phone').doNothing())

/** The session is deleted, and with it the token ends. */
export async function logout(deps: Deps, actor: Actor, { all }: LogoutInput) {
  await records(deps.orm).delete(AuthSession, all ? { user_id: actor.id } : { sid: actor.sid })
  deps.log.audit('signed_out', { user: actor.id, everywhere: all ?? false })
  return { message: all ? 'Signed out everywhere' : 'Signed out' }
}

const myself = (db: Db, me: UserIdExpression) => selectUsers(db).where('u.id', '=', me)

export async function getCurrentUser(asker: SessionReader) {
  const user = await asker.row('User', myself, {})
  return { user, status: toSignInStatus(user) }
}

import type {
  LoginInput,
  LogoutInput,
  SendOtpResponse,
  SignInResponse,
  VerifyOtpInput,
} from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { AuthSession, type User } from '../../../db/entities'
import type { Deps, Tx } from '../../deps'
import { refuse } from '../../errors'
import { getClientNetwork } from '../../http/limits/client-ip'
import type { Policy, Variant } from '../../domain/variants'
import { results } from '../../messages/results'
import { consumeOtp, generateOtp, storeOtp } from './otp'
import { findOrCreateUser, lockUser, maskUser } from './queries'
import { openSession } from './sessions'
import { countAttempt, limitFailures, sendOrRefund } from './sign-in-limits'

/** Sends an OTP. Its response is the same for an unknown and an inactive phone number. */
export async function sendOtp(deps: Deps, policy: Policy, phone: string): Promise<SendOtpResponse> {
  const now = deps.now()
  const limits = await countAttempt(deps, { kind: 'otp', phone, reason: 'too_many_otps' })

  const user = await findUser(deps, phone)
  const lifetimeMs = policy.otpLifetimeMs
  const isActive = user?.is_active ?? true
  const otp = isActive && deps.config.sandbox.messages ? deps.config.SANDBOX_OTP : generateOtp()
  if (isActive) await sendOrRefund(deps, limits, () => sendOtpMessage(deps, { phone, otp, lifetimeMs }))
  // Else the time would tell that the user is inactive.
  else await Bun.sleep(lastSendingMs)
  // Stored once it was sent: if sending fails, the previous OTP stays valid.
  await storeOtp(deps, { phone, otp, now, lifetimeMs })
  deps.log.audit('otp_requested', { user: user?.id, network: getClientNetwork() })
  return toSendOtpResponse(deps, policy, user)
}

type OtpMessage = { phone: string; otp: string; lifetimeMs: number }

let lastSendingMs = 0

async function sendOtpMessage(deps: Deps, { phone, otp, lifetimeMs }: OtpMessage) {
  const startedAt = performance.now()
  await deps.sendMessage(phone, { kind: 'otp', otp, lifetimeMs })
  lastSendingMs = performance.now() - startedAt
}

type FoundUser = Awaited<ReturnType<typeof findUser>>

function toSendOtpResponse({ config }: Deps, policy: Policy, user: FoundUser): SendOtpResponse {
  const message = results.otp_sent
  if (!policy.disclosesAccount) return { message }
  if (config.DISCLOSE_ACCOUNTS === 'none') return { message, user: null }
  if (!user?.is_active) return { message, is_existing_user: false, user: null }

  const { user_id, phone, last_login_at } = user
  const isMasked = config.DISCLOSE_ACCOUNTS === 'masked'
  // Who has never signed in was named by a landlord, which is the landlord's affair.
  if (isMasked && !last_login_at) return { message, is_existing_user: false, user: null }
  const { first_name, last_name, email } = isMasked ? maskUser(user) : user
  return {
    message,
    is_existing_user: last_login_at !== null,
    user: { user_id, first_name, last_name, email, phone_number: phone },
  }
}

async function findUser({ db }: Deps, phone: string) {
  const [user] = await executeCompiled(db, selectUserByPhone, { phone })
  return user
}

function selectUserByPhone(db: Db, { phone }: { phone: string }) {
  return db
    .selectFrom('users')
    .where('phone', '=', phone)
    .select([
      'id',
      'user_id',
      'phone',
      'first_name',
      'last_name',
      'email',
      'password',
      'last_login_at',
      'is_active',
    ])
}

/**
 * Exchanges an OTP for an access token; an unknown phone number becomes a landlord.
 * @throws UNAUTHORIZED The OTP is wrong, has expired or was used.
 */
export async function verifyOtp(
  deps: Deps,
  variant: Variant,
  { phone_number: phone, otp }: VerifyOtpInput,
): Promise<SignInResponse> {
  const auditFields = { by: 'otp', network: getClientNetwork() } as const
  const signedIn = await deps.db.transactional(async em => {
    // A wrong attempt must stay counted, and an error would roll it back.
    const isRightOtp = await consumeOtp(deps, em, { phone, otp })
    if (!isRightOtp) return undefined
    const { id } = await findOrCreateUser(em, { phone, role: 'LANDLORD', now: deps.now() })
    const user = await lockUser(em, id)
    return user?.is_active ? openSession(deps, em, user, variant) : undefined
  })

  if (!signedIn) {
    const user = await findUser(deps, phone)
    deps.log.audit('sign_in_failed', { user: user?.id, ...auditFields })
    throw refuse('wrong_otp')
  }
  deps.log.audit('signed_in', { user: signedIn.user.id, ...auditFields })
  return signedIn
}

/**
 * Exchanges a password for an access token.
 * @throws UNAUTHORIZED One message and one timing for every reason.
 */
export async function loginWithPassword(
  deps: Deps,
  variant: Variant,
  { phone_number: phone, password }: LoginInput,
): Promise<SignInResponse> {
  const attempt = { kind: 'login', phone, reason: 'too_many_failed_logins' } as const
  return limitFailures(deps, attempt, async () => {
    const found = await findUser(deps, phone)
    const user = found?.is_active ? found : undefined
    const isRightPassword = await deps.passwords.verify(password, user?.password)
    const signedIn = user && isRightPassword ? await signIn(deps, user, variant) : undefined

    const auditFields = { by: 'password', network: getClientNetwork(), user: user?.id } as const
    deps.log.audit(signedIn ? 'signed_in' : 'sign_in_failed', auditFields)
    if (!signedIn) throw refuse('wrong_login')
    return signedIn
  })
}

/** Opens a session unless the user was erased or changed the password during the sign-in. */
function signIn(deps: Deps, { id, password }: Pick<User, 'id' | 'password'>, variant: Variant) {
  return deps.db.transactional(async em => {
    const user = await lockUser(em, id)
    const isSame = user?.is_active && user.password === password
    return isSame ? openSession(deps, em, user, variant) : undefined
  })
}

/** Deletes the actor's session, or all of them: their tokens are no longer valid. */
export async function logout({ em, actor, log }: Tx, { all = false }: LogoutInput) {
  await lockUser(em, actor.id)
  await em.nativeDelete(AuthSession, all ? { user_id: actor.id } : { sid: actor.sid })
  log.audit('signed_out', { user: actor.id, everywhere: all })
  return { message: all ? results.signed_out_everywhere : results.signed_out }
}

import type { EntityManager } from '../../db/database'
import type { Actor, Deps } from '../deps'
import { Fault, refuse } from '../faults'
import { getClientNetwork } from '../http/limits/client-ip'
import {
  consumeRateLimits,
  refundRateLimits,
  type LimitReason,
  type RateLimitRule,
} from '../http/limits/rate-limits'
import { findKnownNetwork } from './known-networks'
import { consumeOtp } from './otp'
import { toLoginRateLimits, toWrongOtpRateLimits } from './rate-limit-rules'

type ClientLimits = { rules: RateLimitRule[]; reason: LimitReason }

/**
 * Counts one attempt to sign in, or to confirm who one is. Sites take turns, so a site that is refused again and
 * again does not hold all connections to the database.
 * @throws TOO_MANY_REQUESTS A limit is exceeded, or too many requests wait.
 */
export function consumeClientLimits({ db, now, limiter }: Deps, { rules, reason }: ClientLimits) {
  return limiter.run(`network ${getClientNetwork()}`, () => consumeRateLimits(db, now(), rules, reason))
}

/**
 * Runs work that compares a secret; it counts against the limits if the secret is wrong.
 * Counted before the secret is compared, so parallel guesses never exceed the limits.
 * @throws TOO_MANY_REQUESTS A limit is exceeded, or too many requests wait.
 */
export async function limitFailures<T>(
  deps: Deps,
  clientLimits: ClientLimits,
  work: () => Promise<T>,
): Promise<T> {
  const limits = await consumeClientLimits(deps, clientLimits)
  try {
    const result = await work()
    await refundRateLimits(deps.db, limits)
    return result
  } catch (error) {
    const isWrong = error instanceof Fault && error.code === 'UNAUTHORIZED'
    if (!isWrong) await refundRateLimits(deps.db, limits)
    throw error
  }
}

/** Runs work that needs the OTP of a phone number. */
export function limitWrongOtps<T>(deps: Deps, phone: string, work: () => Promise<T>) {
  const rules = toWrongOtpRateLimits(deps.config, () => findKnownNetwork(deps, phone))
  return limitFailures(deps, { rules, reason: 'too_many_wrong_otps' }, work)
}

/** Consumes the OTP of a phone number, and returns whether it was the right one. */
export function consumeUserOtp(
  deps: Pick<Deps, 'config' | 'now'>,
  em: EntityManager,
  { phone, otp }: { phone: string; otp: string },
) {
  const keys = deps.config.acceptedSecrets.JWT_SECRET
  return consumeOtp(em, { keys, phone, otp, now: deps.now() })
}

type Comparison = { password: string; hash: string }

/**
 * Compares a user's password with its hash. Guesses with a stolen token count as failed logins.
 * @throws UNAUTHORIZED The password is wrong.
 */
export function requirePassword(deps: Deps, actor: Actor, { password, hash }: Comparison) {
  const { phone } = actor
  const rules = toLoginRateLimits(deps.config, phone, () => findKnownNetwork(deps, phone))
  return limitFailures(deps, { rules, reason: 'too_many_wrong_passwords' }, async () => {
    const isRight = await deps.passwords.verify(password, hash)
    if (isRight) return
    deps.log.audit('password_refused', { user: actor.id, by: 'password', network: getClientNetwork() })
    throw refuse('wrong_password')
  })
}

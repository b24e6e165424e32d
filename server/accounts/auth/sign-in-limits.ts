import type { Config } from '../../config'
import type { Deps } from '../../deps'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/durations'
import { hashPhone } from '../../domain/phone-hash'
import { ApiError } from '../../errors'
import { getClientNetwork } from '../../http/limits/client-ip'
import {
  consumeRateLimits,
  refundRateLimits,
  type LimitReason,
  type RateLimitRule,
} from '../../http/limits/rate-limits'
import { RecipientError } from '../../providers/messaging/port'

const FIFTEEN_MINUTES_MS = 15 * MINUTE_MS

/** Each kind is counted under keys of its own: OTPs that are sent, wrong OTPs and failed logins. */
type Kind = 'otp' | 'wrong-otp' | 'login'
type Attempt = { kind: Kind; phone: string; reason: LimitReason }

/** The keys have a hash of the phone number, so that they survive the user's erasure. */
export function toSignInLimits(config: Config, { kind, phone }: Omit<Attempt, 'reason'>): RateLimitRule[] {
  const network = getClientNetwork()
  const ofPhone = `${kind}:${hashPhone(config, phone)}`
  const limits = [
    { key: `${ofPhone}:${network}`, max: config.SIGN_IN_LIMIT, windowMs: FIFTEEN_MINUTES_MS },
    { key: `${ofPhone}:${network}:day`, max: config.SIGN_IN_LIMIT_PER_DAY, windowMs: DAY_MS },
    { key: ofPhone, max: config.SIGN_IN_LIMIT_PER_PHONE, windowMs: DAY_MS },
    { key: `${kind}:${network}`, max: config.SIGN_IN_LIMIT_PER_NETWORK, windowMs: FIFTEEN_MINUTES_MS },
    ...(kind === 'otp' ? [toServiceLimit(config)] : []),
  ]
  return limits.map(limit => ({ ...limit, max: limit.max * config.rateLimitMultiplier }))
}

/** Bounds what messages may cost. */
const toServiceLimit = (config: Config): RateLimitRule => ({
  key: 'otp:total',
  max: config.OTP_LIMIT_TOTAL,
  windowMs: HOUR_MS,
  serviceLimit: 'otp_total',
})

/**
 * Counts one attempt to sign in, or to confirm who one is. Those of a network wait for each other, so that one
 * which is refused again and again does not hold all connections to the database.
 * @throws TOO_MANY_REQUESTS A limit is exceeded, or too many requests wait.
 */
export function countAttempt({ config, db, now, limiter }: Deps, attempt: Attempt) {
  const rules = toSignInLimits(config, attempt)
  return limiter.run(`network ${getClientNetwork()}`, () =>
    consumeRateLimits(db, now(), rules, attempt.reason),
  )
}

/**
 * Runs work that compares a secret; it counts against the limits if the secret is wrong.
 * Counted before the secret is compared, so parallel guesses never exceed the limits.
 * @throws TOO_MANY_REQUESTS A limit is exceeded, or too many requests wait.
 */
export async function limitFailures<T>(deps: Deps, attempt: Attempt, work: () => Promise<T>): Promise<T> {
  const limits = await countAttempt(deps, attempt)
  try {
    const result = await work()
    await refundRateLimits(deps.db, limits)
    return result
  } catch (error) {
    const isWrong = error instanceof ApiError && error.code === 'UNAUTHORIZED'
    if (!isWrong) await refundRateLimits(deps.db, limits)
    throw error
  }
}

/** Runs work that needs the OTP of a phone number. */
export function limitWrongOtps<T>(deps: Deps, phone: string, work: () => Promise<T>) {
  return limitFailures(deps, { kind: 'wrong-otp', phone, reason: 'too_many_wrong_otps' }, work)
}

/** Sends a message that was counted. If it cannot be sent, it counts only if that may be due to its number. */
export async function sendOrRefund({ db }: Deps, limits: RateLimitRule[], send: () => Promise<unknown>) {
  try {
    await send()
  } catch (error) {
    if (!(error instanceof RecipientError)) await refundRateLimits(db, limits)
    throw error
  }
}

import type { Config } from '../config'
import { DAY_MS, HOUR_MS } from '../domain/durations'
import { getClientNetwork } from '../http/limits/client-ip'
import { FIFTEEN_MINUTES_MS, type RateLimitRule } from '../http/limits/rate-limits'
import { hashPhone } from '../domain/phone-hash'

/** Finds the hash of the caller's network if the phone's user has signed in from it. */
type FindKnownNetwork = () => Promise<string | undefined>

/**
 * Limits a phone's day. Once all networks together have used it up, each known one has as much of its own, so
 * that strangers never keep the owner out; then, and elsewhere, the reserve applies.
 */
function toDailyLimit(
  { key, max }: Pick<RateLimitRule, 'key' | 'max'>,
  findNetwork: FindKnownNetwork,
  reserve?: RateLimitRule,
): RateLimitRule {
  const limit = { max, windowMs: DAY_MS }
  const findReserve = async () => {
    const network = await findNetwork()
    return network ? { ...limit, key: `${key}:known:${network}`, findReserve: async () => reserve } : reserve
  }
  return { ...limit, key, findReserve }
}

/**
 * Limits what many clients share. Once they have used it up, all callers in known networks together have as much
 * of their own, so that strangers do not close the service to its users.
 */
function toSharedLimit(rule: RateLimitRule, findNetwork: FindKnownNetwork): RateLimitRule {
  const findReserve = async () => {
    const network = await findNetwork()
    return network ? { ...rule, key: `${rule.key}:known` } : undefined
  }
  return { ...rule, findReserve }
}

export function toOtpRateLimits(
  config: Config,
  phone: string,
  findNetwork: FindKnownNetwork,
): RateLimitRule[] {
  const phoneHash = hashPhone(config, phone)
  // Otherwise a stranger could keep the owner of the number out for a day.
  const reserve: RateLimitRule = {
    key: `otp:${phoneHash}:reserve`,
    max: config.rateLimitMultiplier,
    windowMs: FIFTEEN_MINUTES_MS,
  }
  const total: RateLimitRule = {
    key: 'otp:total',
    max: config.OTP_LIMIT_TOTAL * config.rateLimitMultiplier,
    windowMs: HOUR_MS,
    serviceLimit: 'otp_total',
  }
  return [
    {
      key: `otp:${phoneHash}:${getClientNetwork()}`,
      max: config.OTP_LIMIT_PER_NETWORK * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
    toDailyLimit(
      { key: `otp:${phoneHash}`, max: config.OTP_LIMIT_PER_PHONE * config.rateLimitMultiplier },
      findNetwork,
      reserve,
    ),
    {
      key: `otp:site:${getClientNetwork()}`,
      max: config.OTP_LIMIT_PER_SITE * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
    toSharedLimit(total, findNetwork),
  ]
}

/** With the sandbox channel the OTP of all phones is the same, so all guesses are at one secret. */
export function toWrongOtpRateLimits(config: Config, findNetwork: FindKnownNetwork): RateLimitRule[] {
  const ofSite: RateLimitRule = {
    key: `wrong-otp:${getClientNetwork()}`,
    max: config.WRONG_OTP_LIMIT_PER_SITE * config.rateLimitMultiplier,
    windowMs: FIFTEEN_MINUTES_MS,
  }
  const total: RateLimitRule = {
    key: 'wrong-otp:total',
    max: config.WRONG_OTP_LIMIT_TOTAL * config.rateLimitMultiplier,
    windowMs: HOUR_MS,
    serviceLimit: 'wrong_otp_total',
  }
  return config.sandbox.messages ? [ofSite, toSharedLimit(total, findNetwork)] : [ofSite]
}

export function toLoginRateLimits(
  config: Config,
  phone: string,
  findNetwork: FindKnownNetwork,
): RateLimitRule[] {
  return [
    {
      key: `login:${phone}:${getClientNetwork()}`,
      max: config.LOGIN_LIMIT_PER_NETWORK * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
    toDailyLimit(
      { key: `login:${phone}`, max: config.LOGIN_LIMIT_PER_PHONE * config.rateLimitMultiplier },
      findNetwork,
    ),
    {
      key: `login:${getClientNetwork()}`,
      max: config.LOGIN_LIMIT_ACROSS_PHONES * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
  ]
}

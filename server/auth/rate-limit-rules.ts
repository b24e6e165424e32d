import type { Config } from '../config'
import { DAY_MS, HOUR_MS } from '../domain/durations'
import { toNetworkPrefix, toSitePrefix, toSubscriberPrefix } from '../http/client-ip'
import { FIFTEEN_MINUTES_MS, type RateLimitRule } from '../http/rate-limits'

export function toOtpRateLimits(config: Config, phone: string, address: string): RateLimitRule[] {
  return [
    {
      key: `otp:${phone}:${toNetworkPrefix(address)}`,
      max: config.OTP_LIMIT_PER_NETWORK * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
    {
      key: `otp:${phone}`,
      max: config.OTP_LIMIT_PER_PHONE * config.rateLimitMultiplier,
      windowMs: DAY_MS,
      // Otherwise a stranger could keep the owner of the number out for a day.
      reserve: { key: `otp:${phone}:reserve`, max: config.rateLimitMultiplier, windowMs: FIFTEEN_MINUTES_MS },
    },
    {
      key: `otp:${toSubscriberPrefix(address)}`,
      max: config.OTP_LIMIT_PER_ADDRESS * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
    {
      key: `otp:site:${toSitePrefix(address)}`,
      max: config.OTP_LIMIT_PER_SITE * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
    {
      key: 'otp:total',
      max: config.OTP_LIMIT_TOTAL * config.rateLimitMultiplier,
      windowMs: HOUR_MS,
      serviceLimit: 'otp_total',
    },
  ]
}

/** With the sandbox channel the OTP of all phones is the same, so all guesses are at one secret. */
export function toWrongOtpRateLimits(config: Config, address: string): RateLimitRule[] {
  const ofSite: RateLimitRule = {
    key: `wrong-otp:${toSitePrefix(address)}`,
    max: config.WRONG_OTP_LIMIT_PER_SITE * config.rateLimitMultiplier,
    windowMs: FIFTEEN_MINUTES_MS,
  }
  const total: RateLimitRule = {
    key: 'wrong-otp:total',
    max: config.WRONG_OTP_LIMIT_TOTAL * config.rateLimitMultiplier,
    windowMs: HOUR_MS,
    serviceLimit: 'wrong_otp_total',
  }
  return config.sandbox.messages ? [ofSite, total] : [ofSite]
}

export function toLoginRateLimits(config: Config, phone: string, address: string): RateLimitRule[] {
  return [
    {
      key: `login:${phone}:${toNetworkPrefix(address)}`,
      max: config.LOGIN_LIMIT_PER_NETWORK * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
    {
      key: `login:${phone}`,
      max: config.LOGIN_LIMIT_PER_PHONE * config.rateLimitMultiplier,
      windowMs: DAY_MS,
    },
    {
      key: `login:${toSitePrefix(address)}`,
      max: config.LOGIN_LIMIT_ACROSS_PHONES * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
  ]
}

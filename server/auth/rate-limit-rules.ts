import type { Config } from '../config'
import { DAY_MS } from '../domain/durations'
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
    },
    {
      key: `otp:${toSubscriberPrefix(address)}`,
      max: config.OTP_LIMIT_PER_ADDRESS * config.rateLimitMultiplier,
      windowMs: FIFTEEN_MINUTES_MS,
    },
  ]
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

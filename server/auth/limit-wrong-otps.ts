import type { Deps } from '../deps'
import { consumeRateLimits, refundRateLimits } from '../http/rate-limits'
import { toWrongOtpRateLimits } from './rate-limit-rules'

/**
 * Runs work that needs an OTP; unless it succeeds it counts as a wrong OTP.
 * Counted before the OTP is compared, so parallel guesses never exceed the limit.
 * @throws TOO_MANY_REQUESTS Too many OTPs were wrong.
 */
export async function limitWrongOtps<T>(deps: Deps, address: string, work: () => Promise<T>): Promise<T> {
  const limits = await consumeRateLimits(
    deps.db,
    deps.now(),
    toWrongOtpRateLimits(deps.config, address),
    'Too many one-time passwords were wrong; wait before trying again',
  )
  const result = await work()
  await refundRateLimits(deps.db, limits)
  return result
}

import type { Deps } from '../deps'
import { Fault } from '../faults'
import { consumeRateLimits, refundRateLimits, type RateLimitRule } from '../http/rate-limits'
import { toWrongOtpRateLimits } from './rate-limit-rules'

/**
 * Runs work that compares a secret; it counts against the limits unless it succeeds or the server is at fault.
 * Counted before the secret is compared, so parallel guesses never exceed the limits.
 * @throws TOO_MANY_REQUESTS A limit is exceeded.
 */
export async function limitFailures<T>(
  deps: Deps,
  rules: RateLimitRule[],
  message: string,
  work: () => Promise<T>,
): Promise<T> {
  const limits = await consumeRateLimits(deps.db, deps.now(), rules, message)
  try {
    const result = await work()
    await refundRateLimits(deps.db, limits)
    return result
  } catch (error) {
    const isRefused = error instanceof Fault && error.status < 500
    if (!isRefused) await refundRateLimits(deps.db, limits)
    throw error
  }
}

/** Runs work that needs an OTP; if it fails, that counts as a wrong OTP. */
export function limitWrongOtps<T>(deps: Deps, address: string, work: () => Promise<T>) {
  const rules = toWrongOtpRateLimits(deps.config, address)
  return limitFailures(deps, rules, 'Too many one-time passwords were wrong; wait before trying again', work)
}

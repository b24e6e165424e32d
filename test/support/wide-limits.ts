import { createConstants, type Constants } from '../../server/settings/constants'

const UNREACHED = 1_000_000

/** Limits with which a test meets none but those that it sets itself. */
export const wideLimits: Partial<Constants> = Object.fromEntries(
  Object.keys(createConstants(false))
    .filter(name => /_LIMIT(_|$)/.test(name))
    .map(name => [name, UNREACHED]),
)

/** The limit among the settings. */
export const OTP_LIMIT_TOTAL = String(UNREACHED)

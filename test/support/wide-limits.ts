import { settings } from '../../server/config'

/** Settings with which a test meets no limit but those that it sets itself. */
export const wideLimits: Record<string, string> = Object.fromEntries(
  Object.keys(settings)
    .filter(name => /_LIMIT(_|$)/.test(name))
    .map(name => [name, '1000000']),
)

import type { User } from '../../../db/entities'
import type { Config } from '../../config'
import { decryptText, encryptText } from '../../domain/encryption'
import { toLastFour, toPanPlace } from '../../domain/pan'

/** Sets the PAN unless it is undefined; null removes it. Returns whether it changed; the caller flushes. */
export function changePan(config: Config, user: User, pan: string | null | undefined) {
  if (pan === undefined) return false
  const place = toPanPlace(user.user_id)
  const upperCased = pan?.toUpperCase() ?? null
  const known = user.pan ? decryptText(config.acceptedSecrets.CREDENTIALS_KEY, user.pan, place) : null
  if (upperCased === known) return false
  user.pan = upperCased && encryptText(config.CREDENTIALS_KEY, upperCased, place)
  user.pan_last_four = upperCased && toLastFour(upperCased)
  return true
}

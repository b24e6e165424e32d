import { findPlace, type Place } from '../../../db/pin-codes'
import { refuseFields } from '../../errors'

export type GivenPlace = { [Field in keyof Place]?: string | null | undefined }

const PLACE_FIELDS = ['city', 'district', 'state'] as const

/**
 * Looks up the place of a PIN code. The given place counts only for an unknown PIN code; `current` completes
 * it when the PIN code has not changed.
 * @throws VALIDATION_ERROR The PIN code is unknown and part of the place is missing.
 */
export function getPlace(pinCode: number, given: GivenPlace, current?: Place): Place {
  const known = findPlace(pinCode)
  if (known) return { city: known.city, district: known.district, state: known.state }

  const place: GivenPlace = {}
  const missing: string[] = []
  for (const field of PLACE_FIELDS) {
    place[field] = given[field] === undefined ? current?.[field] : given[field]
    if (!place[field]) missing.push(field)
  }
  if (missing.length > 0) throw refuseFields('pin_code_unknown', missing, { pin_code: pinCode })
  return place as Place
}

import { findPlace, type Place } from '../../db/pin-codes'
import { validationError } from '../faults'

type GivenPlace = { [Field in keyof Place]?: string | null }

const PLACE_FIELDS = ['city', 'district', 'state'] as const

/**
 * Looks up the place of a PIN code. The given place counts only for an unknown PIN code; `current` completes
 * it when the PIN code has not changed.
 * @throws VALIDATION_ERROR The PIN code is unknown and a part of the place is missing.
 */
export function getPlace(pinCode: number, given: GivenPlace, current?: Place): Place {
  const known = findPlace(pinCode)
  if (known) return { city: known.city, district: known.district, state: known.state }

  const place: GivenPlace = {}
  const violations: Record<string, string> = {}
  for (const field of PLACE_FIELDS) {
    place[field] = given[field] === undefined ? current?.[field] : given[field]
    if (!place[field]) violations[field] = `is required: the PIN code ${pinCode} is not known`
  }
  if (Object.keys(violations).length > 0) throw validationError(violations)
  return place as Place
}

import type { Property } from '../../../db/entities'
import { findPlace, type Place } from '../../../db/pin-codes'
import { refuseFields } from '../../errors'

type GivenPlace = { [Field in keyof Place]?: string | null | undefined }

const PLACE_FIELDS = ['city', 'district', 'state'] as const

/**
 * Looks up the place of a new property. The given place counts only for an unknown PIN code.
 * @throws VALIDATION_ERROR The PIN code is unknown and part of the place is missing.
 */
export const getPlace = (pinCode: number, given: GivenPlace) =>
  requirePlace(pinCode, findPlace(pinCode) ?? given)

/**
 * The place of a property after a change. What is not given stays, or is looked up if the PIN code changes; null
 * looks it up too. The state of a known PIN code cannot be given.
 * @throws VALIDATION_ERROR The PIN code is unknown and part of the place is missing.
 */
export function getChangedPlace(property: Property, pinCode = property.pin_code, given: GivenPlace) {
  const known = findPlace(pinCode)
  const former = pinCode === property.pin_code ? property : known
  const place: GivenPlace = {}
  for (const field of PLACE_FIELDS) {
    const value = known && field === 'state' ? undefined : given[field]
    place[field] = value === undefined ? former?.[field] : (value ?? known?.[field])
  }
  return requirePlace(pinCode, place)
}

function requirePlace(pinCode: number, { city, district, state }: GivenPlace): Place {
  if (city && district && state) return { city, district, state }
  const missing = PLACE_FIELDS.filter(field => !{ city, district, state }[field])
  throw refuseFields('pin_code_unknown', missing, { pin_code: pinCode })
}

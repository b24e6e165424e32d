import type { NewTenant, NewUnit, PropertyType, RoomType } from '@kiraya/sdk'
import type buildings from './buildings.json'
import type { Random } from './random'
import regions from './regions.json'

type Region = (typeof regions)[number]
export type Building = (typeof buildings)[number]

/** The survey number tells a landlord's properties apart, since names are often changed. */
export function chooseProperty(random: Random, region: Region, building: Building, index: number) {
  const { city: _, ...address } = random.pick('place', region.places)
  const { property_type, societies, amenities, floors } = building
  return {
    ...address,
    property_type: property_type as PropertyType,
    alias_name: region.houses[index % region.houses.length]!,
    society_building: random.pick('society', societies) || null,
    survey_number: `${101 + index}/${random.integer('survey', 1, 9)}`,
    common_amenities: amenities,
    property_units: floors.flatMap((names, floor) =>
      names.map(name => chooseUnit(random.at(name), building, name, floor)),
    ),
  }
}

const chooseUnit = (random: Random, { room_types, area }: Building, unit_name: string, floor: number) =>
  ({
    unit_name,
    room_type: random.pick('rooms', room_types) as RoomType,
    ...random.pick('furnishing', [
      { furnishing_type: 'fully_furnished', furniture_included: 'Beds, wardrobes, sofa, refrigerator' },
      { furnishing_type: 'semi_furnished', furniture_included: 'Wardrobes, modular kitchen, geyser' },
      { furnishing_type: 'unfurnished' },
    ] as const),
    area_sqft: 10 * random.integer('area', area.min / 10, area.max / 10),
    floor_number: floor,
    is_available: random.integer('renovation', 1, 12) > 1,
    unit_notes: random.pick('notes', ['Painted this year', 'Water comes from 6 to 9', 'Faces east', null]),
    unit_amenities: random.pick('amenities', [['Balcony', 'Geyser'], ['Geyser']]),
  }) satisfies NewUnit

/** A quarter of the leases are for a couple. */
export const chooseTenants = (random: Random): NewTenant[] =>
  Array.from({ length: random.pick('tenants', [1, 1, 1, 2]) }, (_, index) => {
    const one = random.at(`tenant ${index}`)
    return { phone_number: one.phone('phone', 8), ...chooseName(one, one.pick('region', regions)) }
  })

export const chooseName = (random: Random, { first_names, last_names }: Region) => ({
  first_name: random.pick('first name', first_names),
  last_name: random.pick('last name', last_names),
})

/** Signed leases run since the first of a past month; the others begin next month. */
export function chooseTerms(random: Random, rent: Building['rent'], isSigned: boolean, today: Date) {
  const rent_amount = 500 * random.integer('rent', rent.min / 500, rent.max / 500)
  const months = isSigned ? -random.integer('months', 1, 8) : 1
  const start = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1))
  return {
    agreement_start_date: start.toISOString().slice(0, 10),
    tenure_in_months: 11,
    rent_amount,
    deposit_amount: rent_amount * random.integer('deposit', 2, 6),
    rent_due_day: random.pick('due day', [1, 5, 7, 10]),
    notice_period_days: random.pick('notice', [30, 60]),
    late_fee: 500,
    auto_renew: random.pick('renewal', [true, false, false]),
    pets_allowed: random.pick('pets', [true, false]),
    non_veg_allowed: random.pick('meat', [true, true, false]),
    bachelor_allowed: random.pick('bachelors', [true, false]),
    payment_terms: 'By UPI or bank transfer to the account of the landlord',
  }
}

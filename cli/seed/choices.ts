import type { FurnishingType, NewTenant, NewUnit, PropertyType, RoomType } from '@kiraya/sdk'
import buildingData from './buildings.json'
import type { Random } from './random'
import regionData from './regions.json'

// What the records of a seed have. Each choice depends on the seed and on its own name alone.

export type Region = (typeof regionData)[number]
/** Landlords come from these in turn. */
export const regions: Region[] = regionData

type Range = [min: number, max: number]
export type Building = {
  property_type: PropertyType
  societies: string[]
  amenities: string[]
  /** The names of the units of each floor, from the ground up. */
  floors: string[][]
  room_types: RoomType[]
  /** Square feet. */
  area: Range
  /** Rupees a month. */
  rent: Range
}
/** Each landlord has one of each. */
export const buildings = buildingData as Building[]
export const unitCount = buildings.flatMap(({ floors }) => floors.flat()).length

/** How far an agreement gets. A `DECLINED` one is PENDING, with the landlord's signature and a refusal. */
export type Outcome = 'DRAFT' | 'PENDING' | 'DECLINED' | 'ACTIVE' | 'TERMINATED' | 'COMPLETED'

const furniture: Record<FurnishingType, string | null> = {
  fully_furnished: 'Beds with mattresses, wardrobes, sofa, dining table, refrigerator, washing machine',
  semi_furnished: 'Wardrobes, modular kitchen, fans and lights, geyser',
  unfurnished: null,
}
const notes = ['Painted this year', 'Water comes from 6 to 9', 'Vegetarians preferred', 'Faces east', null]

/** The survey number tells a landlord's properties apart, since names are often changed. */
export function chooseProperty(random: Random, region: Region, building: Building, index: number) {
  const { city: _, ...address } = random.pick('place', region.places)
  const { property_type, societies, amenities, floors } = building
  const units = floors.flatMap((names, floor) => names.map(name => ({ name, floor })))
  return {
    ...address,
    property_type,
    alias_name: region.houses[index % region.houses.length]!,
    society_building: random.pick('society', societies) || null,
    survey_number: `${101 + index}/${random.integer('survey', 1, 9)}`,
    common_amenities: amenities,
    property_units: units.map(({ name, floor }) => chooseUnit(random.at(name), building, name, floor)),
  }
}

function chooseUnit(random: Random, { room_types, area }: Building, name: string, floor: number): NewUnit {
  const furnishing_type = random.pick('furnishing', Object.keys(furniture) as FurnishingType[])
  return {
    unit_name: name,
    room_type: random.pick('rooms', room_types),
    furnishing_type,
    furniture_included: furniture[furnishing_type],
    area_sqft: 10 * random.integer('area', area[0] / 10, area[1] / 10),
    floor_number: floor,
    is_available: random.integer('renovation', 1, 12) > 1,
    unit_notes: random.pick('notes', notes),
    unit_amenities: random.pick('amenities', [['Balcony', 'Geyser'], ['Geyser']]),
  }
}

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

export function chooseTerms(random: Random, [minRent, maxRent]: Range, outcome: Outcome, today: Date) {
  const rent_amount = 500 * random.integer('rent', minRent / 500, maxRent / 500)
  return {
    agreement_start_date: chooseStart(random, outcome, today),
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

/** Signed leases run since the first of a past month; the others begin next month. */
function chooseStart(random: Random, outcome: Outcome, today: Date) {
  const isSigned = outcome === 'ACTIVE' || outcome === 'TERMINATED' || outcome === 'COMPLETED'
  const months = isSigned ? -random.integer('months', 1, 8) : 1
  const start = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, 1))
  return start.toISOString().slice(0, 10)
}

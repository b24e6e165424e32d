import type { FurnishingType, NewUnit, PropertyType, RoomType } from '@kiraya/sdk'
import type { Random } from './random'

type Kind = {
  society: string[]
  amenities: string[]
  /** The least and the most units of a property. */
  units: [min: number, max: number]
  toName: (index: number) => string
  floorOf: (index: number) => number
  roomTypes: RoomType[]
  area: [min: number, max: number]
  /** Rupees a month. */
  rent: [min: number, max: number]
}

const UNITS_PER_FLOOR = 4
const toFloor = (index: number) => Math.floor(index / UNITS_PER_FLOOR) + 1

/** What properties of each type are like. */
export const kinds: Record<PropertyType, Kind> = {
  apartment: {
    society: ['Prestige Residency', 'Brigade Heights', 'Sai Enclave', 'Green Meadows'],
    amenities: ['Lift', 'Power backup', 'Covered parking', 'CCTV', 'Gym', 'Rainwater harvesting'],
    units: [8, 14],
    toName: index => `A-${toFloor(index)}0${(index % UNITS_PER_FLOOR) + 1}`,
    floorOf: toFloor,
    roomTypes: ['1bhk', '2bhk', '3bhk'],
    area: [550, 1650],
    rent: [16_000, 58_000],
  },
  gated_community_villa: {
    society: ['Palm Meadows', 'Adarsh Villas', 'Silver Oaks'],
    amenities: ['Clubhouse', 'Swimming pool', 'Security', 'Children’s play area', 'Garden'],
    units: [1, 3],
    toName: index => `Villa ${index + 1}`,
    floorOf: () => 0,
    roomTypes: ['3bhk', '4bhk', '5bhk'],
    area: [2200, 4800],
    rent: [75_000, 180_000],
  },
  independent_house: {
    society: ['', 'Housing Board Colony', 'Teachers’ Colony'],
    amenities: ['Borewell', 'Terrace', 'Car porch'],
    units: [2, 3],
    toName: index => ['Ground floor', 'First floor', 'Second floor'][index]!,
    floorOf: index => index,
    roomTypes: ['2bhk', '3bhk'],
    area: [800, 1800],
    rent: [18_000, 45_000],
  },
  commercial: {
    society: ['City Centre', 'Trade Tower', 'Market Plaza'],
    amenities: ['Power backup', 'Visitor parking', 'Fire safety', 'Service lift'],
    units: [4, 6],
    toName: index => (index < 3 ? `Shop ${index + 1}` : `Office ${index + 98}`),
    floorOf: index => (index < 3 ? 0 : 1),
    roomTypes: ['other'],
    area: [180, 1400],
    rent: [22_000, 95_000],
  },
  pg: {
    society: ['Student Nest', 'Comfort Stay', 'Working Women’s Home'],
    amenities: ['Meals', 'Wi-Fi', 'Laundry', 'Housekeeping', 'Hot water'],
    units: [6, 10],
    toName: index =>
      `Room ${toFloor(index)}0${Math.floor((index % UNITS_PER_FLOOR) / 2) + 1}, bed ${'AB'[index % 2]}`,
    floorOf: toFloor,
    roomTypes: ['1rk', 'other'],
    area: [90, 180],
    rent: [6_500, 14_000],
  },
}

const furniture: Record<FurnishingType, string | null> = {
  fully_furnished: 'Beds with mattresses, wardrobes, sofa, dining table, refrigerator, washing machine',
  semi_furnished: 'Wardrobes, modular kitchen, fans and lights, geyser',
  unfurnished: null,
}
const notes = ['Painted this year', 'Water comes from 6 to 9', 'Vegetarians preferred', 'Faces east']

export function planUnits(random: Random, type: PropertyType): NewUnit[] {
  const kind = kinds[type]
  const count = random.integer('units', ...kind.units)
  return Array.from({ length: count }, (_, index) => planUnit(random.at(`unit ${index}`), type, index))
}

function planUnit(random: Random, type: PropertyType, index: number): NewUnit {
  const kind = kinds[type]
  const furnishing_type = random.pick('furnishing', Object.keys(furniture) as FurnishingType[])
  return {
    unit_name: kind.toName(index),
    room_type: random.pick('rooms', kind.roomTypes),
    furnishing_type,
    furniture_included: furniture[furnishing_type],
    area_sqft: 10 * random.integer('area', kind.area[0] / 10, kind.area[1] / 10),
    floor_number: kind.floorOf(index),
    is_available: !random.chance('renovation', 0.08),
    unit_notes: random.chance('note', 0.4) ? random.pick('notes', notes) : null,
    unit_amenities: random.chance('balcony', 0.6) ? ['Balcony', 'Geyser'] : ['Geyser'],
  }
}

import { Type, type Static } from '@sinclair/typebox'
import {
  computed,
  decimal,
  defaulted,
  described,
  field,
  maybe,
  optional,
  page,
  pageQuery,
  paragraphs,
  patch,
  record,
  reference,
  SearchText,
  stringEnum,
  text,
  Texts,
  view,
} from './common.ts'

export const RoomType = field(
  stringEnum('1rk', '1bhk', '2bhk', '3bhk', '4bhk', '5bhk', 'other'),
  'The number of rooms: bedrooms (`b`), a hall (`h`) and a kitchen (`k`).',
)
export type RoomType = Static<typeof RoomType>
export const FurnishingType = field(
  stringEnum('fully_furnished', 'semi_furnished', 'unfurnished'),
  'How much furniture a unit has.',
)
export type FurnishingType = Static<typeof FurnishingType>

const fields = {
  unit_name: field(text(255), 'Such as `A-101`'),
  room_type: optional(RoomType, 'The number of rooms'),
  furnishing_type: optional(FurnishingType, 'How much furniture it has'),
  furniture_included: optional(paragraphs(2000), 'The furniture in words'),
  area_sqft: optional(decimal({ exclusiveMinimum: 0, maximum: 9_999_999 }), 'Square feet'),
  floor_number: optional(Type.Integer({ minimum: -20, maximum: 300 }), '0 is the ground floor'),
  is_available: defaulted(Type.Boolean(), true, 'Whether it is for rent'),
  unit_notes: optional(paragraphs(2000), 'For the landlord and the manager'),
  unit_amenities: optional(Texts, 'Such as `balcony`'),
  managed_by_id: optional(reference('user'), "The manager's number; without one the landlord manages it"),
}

export const NewUnit = described('A unit to create.', fields)
export type NewUnit = Static<typeof NewUnit>

export const UnitChange = described('The fields of a unit to change.', patch(fields))
export type UnitChange = Static<typeof UnitChange>

export const Unit = record('property_unit_id', 'A flat, room or shop.', {
  property_id: field(Type.Integer(), "The property's number"),
  landlord_id: field(Type.Integer(), "The owner's number"),
  ...view(fields),
  managed_by_id: field(Type.Integer(), "The manager's number, or the landlord's without a manager"),
  is_available: computed(Type.Boolean(), 'Whether it can be let: not while it has an ACTIVE agreement'),
})
export type Unit = Static<typeof Unit>

export const UnitPage = page(Unit)
export const UnitQuery = described('Which units of a property to list.', {
  ...pageQuery(['id', 'unit_name', 'created_at', 'updated_at', 'area_sqft', 'floor_number'], 'id'),
  q: SearchText,
  is_available: maybe(Type.Boolean(), 'Only those that can, or cannot, be let'),
})
export type UnitQuery = Static<typeof UnitQuery>

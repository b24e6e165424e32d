import { Type, type Static } from '@sinclair/typebox'
import {
  OptionalNullable,
  Nullable,
  StringEnum,
  PageQuery,
  PageMetadata,
  SearchText,
  StringOf,
  Text,
  Texts,
  Timestamp,
} from './common.ts'
import { NewUnit, Unit } from './units.ts'

export const PropertyType = StringEnum(
  'apartment',
  'gated_community_villa',
  'independent_house',
  'commercial',
  'pg',
)
export const PinCode = Type.Integer({
  minimum: 100_000,
  maximum: 999_999,
  description: 'a PIN code: a number of six digits that does not start with 0',
})

const requiredFields = { pin_code: PinCode, property_type: PropertyType }
const optionalFields = {
  society_building: OptionalNullable(Text(255)),
  survey_number: OptionalNullable(Text(255)),
  road_name: OptionalNullable(Text(255)),
  locality: OptionalNullable(Text(255)),
  landmark: OptionalNullable(Text(255)),
  district: OptionalNullable(Text(255)),
  city: OptionalNullable(Text(255)),
  state: OptionalNullable(Text(255)),
  country: OptionalNullable(Text(255)),
  alias_name: OptionalNullable(Text(255)),
  common_amenities: OptionalNullable(Texts()),
}

/** City, district and state come from the PIN code; these fields count only if the PIN code is unknown. */
export const NewProperty = Type.Object({
  ...requiredFields,
  ...optionalFields,
  property_units: OptionalNullable(
    Type.Array(NewUnit, { maxItems: 100, description: 'an array of at most 100 units' }),
  ),
})
export type NewProperty = Static<typeof NewProperty>
export const PropertyChange = Type.Object({
  pin_code: Type.Optional(PinCode),
  property_type: Type.Optional(PropertyType),
  ...optionalFields,
})
export type PropertyChange = Static<typeof PropertyChange>

const buildingFields = {
  society_building: Nullable(Type.String()),
  survey_number: Nullable(Type.String()),
  road_name: Nullable(Type.String()),
  locality: Nullable(Type.String()),
  landmark: Nullable(Type.String()),
  pin_code: Type.Integer(),
  district: Type.String(),
  city: Type.String(),
  state: Type.String(),
  country: Type.String(),
}

/** `landlord_id` is the creator's; for other landlords it is null, and `alias_name` is the default one. */
const propertyFields = {
  id: Type.Integer(),
  property_id: Type.String(),
  ...buildingFields,
  alias_name: Type.String(),
  property_type: PropertyType,
  common_amenities: Nullable(Type.Array(Type.String())),
  property_approved: Type.Boolean(),
  property_approved_at: Nullable(Timestamp),
  property_approved_by: Nullable(Type.Integer()),
  landlord_id: Nullable(Type.Integer()),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const Property = Type.Object(propertyFields)
export type Property = Static<typeof Property>

/** `property_units` holds the units that the caller may see. */
export const PropertyWithUnits = Type.Object({ ...propertyFields, property_units: Type.Array(Unit) })
export type PropertyWithUnits = Static<typeof PropertyWithUnits>

export const PropertyQuery = Type.Object({
  ...PageQuery(['id', 'alias_name', 'city', 'pin_code', 'created_at', 'updated_at']),
  q: SearchText,
  property_type: Type.Optional(PropertyType),
  pin_code: Type.Optional(PinCode),
})
export type PropertyQuery = Static<typeof PropertyQuery>
export const PropertyPage = Type.Object({ data: Type.Array(Property), metadata: PageMetadata })

export const PropertySearch = Type.Object({
  name: StringOf({
    format: 'text',
    maxLength: 255,
    description: 'the name of a society or building, text of 1 to 255 characters',
  }),
  pin_code: PinCode,
  locality: Type.Optional(Text(255)),
})
export type PropertySearch = Static<typeof PropertySearch>

/** A building that matches a search. `score` runs from 0 to 1. It reveals no owner. */
export const PropertyCandidate = Type.Object({
  property_id: Type.String(),
  ...buildingFields,
  property_type: PropertyType,
  score: Type.Number(),
})
export type PropertyCandidate = Static<typeof PropertyCandidate>
export const PropertyCandidates = Type.Object({ data: Type.Array(PropertyCandidate), metadata: PageMetadata })

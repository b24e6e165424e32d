import { Type, type Static } from '@sinclair/typebox'
import {
  OptionalNullable,
  Decimal,
  Nullable,
  StringEnum,
  PageQuery,
  PageMetadata,
  PositiveId,
  SearchText,
  Text,
  Texts,
  Timestamp,
} from './common.ts'

export const RoomType = StringEnum('1rk', '1bhk', '2bhk', '3bhk', '4bhk', '5bhk', 'other')
export const FurnishingType = StringEnum('fully_furnished', 'semi_furnished', 'unfurnished')

const optionalFields = {
  managed_by_id: OptionalNullable(PositiveId),
  room_type: OptionalNullable(RoomType),
  furnishing_type: OptionalNullable(FurnishingType),
  furniture_included: OptionalNullable(Text(5000, 'paragraphs')),
  area_sqft: OptionalNullable(Decimal({ exclusiveMinimum: 0, maximum: 9_999_999 })),
  floor_number: OptionalNullable(Type.Integer({ minimum: -20, maximum: 300 })),
  is_available: OptionalNullable(Type.Boolean()),
  unit_notes: OptionalNullable(Text(5000, 'paragraphs')),
  unit_amenities: OptionalNullable(Texts()),
}
const unit_name = Text(255)

export const NewUnit = Type.Object({ unit_name, ...optionalFields })
export type NewUnit = Static<typeof NewUnit>
export const UnitChange = Type.Object({ unit_name: Type.Optional(unit_name), ...optionalFields })
export type UnitChange = Static<typeof UnitChange>

/**
 * `property_id` is the property's numeric id. `managed_by_id` is the manager's id, or the landlord's without
 * one.
 */
export const Unit = Type.Object({
  id: Type.Integer(),
  property_unit_id: Type.String(),
  property_id: Type.Integer(),
  landlord_id: Type.Integer(),
  managed_by_id: Type.Integer(),
  unit_name: Type.String(),
  room_type: Nullable(RoomType),
  furnishing_type: Nullable(FurnishingType),
  furniture_included: Nullable(Type.String()),
  area_sqft: Nullable(Type.Number()),
  floor_number: Nullable(Type.Integer()),
  is_available: Type.Boolean(),
  unit_notes: Nullable(Type.String()),
  unit_amenities: Nullable(Type.Array(Type.String())),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Unit = Static<typeof Unit>

export const UnitQuery = Type.Object({
  ...PageQuery(['id', 'unit_name', 'created_at', 'updated_at', 'area_sqft', 'floor_number']),
  q: SearchText,
  is_available: Type.Optional(Type.Boolean()),
})
export type UnitQuery = Static<typeof UnitQuery>
export const UnitPage = Type.Object({ data: Type.Array(Unit), metadata: PageMetadata })

import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { FurnishingType, RoomType } from '@kiraya/sdk/contract'
import { numericId, softDeletion, TextArray, timestamps, uuid } from './columns'
import { Property } from './property'
import { User } from './user'

/** `is_available` is the landlord's setting; a unit with an ACTIVE agreement is unavailable in any case. */
export const PropertyUnit = defineEntity({
  name: 'PropertyUnit',
  tableName: 'property_units',
  filters: softDeletion,
  indexes: [
    { name: 'property_units_property', properties: ['property_id', 'id'], where: 'is_active' },
    { name: 'property_units_landlord', properties: ['landlord_id', 'property_id'] },
    { name: 'property_units_manager', properties: ['managed_by_id', 'property_id'] },
  ],
  properties: {
    id: numericId(),
    property_unit_id: uuid(),
    property_id: () => p.manyToOne(Property).mapToPk().fieldName('property_id'),
    landlord_id: () => p.manyToOne(User).mapToPk().fieldName('landlord_id'),
    managed_by_id: () => p.manyToOne(User).mapToPk().fieldName('managed_by_id'),
    unit_name: p.string().length(255),
    room_type: p.enum(RoomType.enum).nullable(),
    furnishing_type: p.enum(FurnishingType.enum).nullable(),
    furniture_included: p.text().nullable(),
    area_sqft: p.decimal('number').precision(12).scale(2).nullable(),
    floor_number: p.integer().nullable(),
    is_available: p.boolean().default(true),
    unit_notes: p.text().nullable(),
    unit_amenities: p.type(TextArray).nullable(),
    ...timestamps,
    is_active: p.boolean().default(true),
  },
})
export type PropertyUnit = InferEntity<typeof PropertyUnit>

import { defineEntity, p, type InferEntity } from '@mikro-orm/core'
import { PropertyType } from '@kiraya/sdk/contract'
import { numericId, softDeletion, TextArray, timestamps, uuid } from './columns'
import { User } from './user'

/** `is_listed` is false once the creator has removed their listing; others still have units in the building. */
export const Property = defineEntity({
  name: 'Property',
  tableName: 'properties',
  filters: softDeletion,
  indexes: [
    { name: 'properties_landlord', properties: ['landlord_id', 'id'] },
    { name: 'properties_pin_code', properties: ['pin_code'], where: 'is_active' },
  ],
  checks: [
    { name: 'properties_pin_code_six_digits', expression: 'pin_code >= 100000 and pin_code <= 999999' },
  ],
  properties: {
    id: numericId(),
    property_id: uuid(),
    society_building: p.string().length(255).nullable(),
    survey_number: p.string().length(255).nullable(),
    road_name: p.string().length(255).nullable(),
    locality: p.string().length(255).nullable(),
    landmark: p.string().length(255).nullable(),
    pin_code: p.integer(),
    district: p.string().length(255),
    city: p.string().length(255),
    state: p.string().length(255),
    country: p.string().length(255).default('India'),
    alias_name: p.string().length(255),
    property_type: p.enum(PropertyType.enum),
    common_amenities: p.type(TextArray).nullable(),
    property_approved: p.boolean().default(true),
    property_approved_at: p.datetime(3).nullable(),
    property_approved_by: () => p.manyToOne(User).mapToPk().nullable().fieldName('property_approved_by'),
    landlord_id: () => p.manyToOne(User).mapToPk().fieldName('landlord_id'),
    is_listed: p.boolean().default(true),
    ...timestamps,
    is_active: p.boolean().default(true),
  },
})
export type Property = InferEntity<typeof Property>

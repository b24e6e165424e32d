import { expect } from 'bun:test'
import { TIMESTAMP, UUID } from '../../http/forms'

/** A value other than the default in every field that a property may leave out. */
export const allFields = {
  property_type: 'pg',
  society_building: 'White House',
  survey_number: '12/3',
  road_name: 'ITPL Main Road',
  locality: 'Whitefield',
  landmark: 'Opposite the lake',
  alias_name: 'Home',
  country: 'Bharat',
  common_amenities: ['lift', 'null', 'big  pool', 'a "b" \\ {c}, d', 'जिम'],
}

/** A property exactly as it is answered, without its units. */
export const propertyShape = (more: Record<string, unknown> = {}) => ({
  id: expect.any(Number),
  property_id: UUID,
  society_building: null,
  survey_number: null,
  road_name: null,
  locality: null,
  landmark: null,
  pin_code: 560048,
  district: 'Bengaluru Urban',
  city: 'Bengaluru',
  state: 'Karnataka',
  country: 'India',
  alias_name: 'Bengaluru',
  property_type: 'apartment',
  common_amenities: null,
  property_approved: true,
  property_approved_at: TIMESTAMP,
  property_approved_by: null,
  landlord_id: expect.any(Number),
  is_active: true,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  ...more,
})

/** A unit exactly as it is answered. */
export const unitShape = (more: Record<string, unknown> = {}) => ({
  id: expect.any(Number),
  property_unit_id: UUID,
  property_id: expect.any(Number),
  landlord_id: expect.any(Number),
  managed_by_id: expect.any(Number),
  unit_name: 'A-101',
  room_type: null,
  furnishing_type: null,
  furniture_included: null,
  area_sqft: null,
  floor_number: null,
  is_available: true,
  unit_notes: null,
  unit_amenities: null,
  is_active: true,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  ...more,
})

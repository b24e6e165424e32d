import type { TestServer } from '../../../support/server'
import { createManager, createUnit, signInUser } from '../../../support/users'

export type AgreementStatus = 'DRAFT' | 'PENDING' | 'ACTIVE' | 'TERMINATED' | 'COMPLETED'

/** A value other than the default in every field that a unit may leave out. */
export const fullUnit = {
  unit_name: 'A-102',
  room_type: '2bhk',
  furnishing_type: 'semi_furnished',
  furniture_included: 'Beds, wardrobes',
  area_sqft: 1050.75,
  floor_number: -1,
  is_available: false,
  unit_notes: 'Corner',
  unit_amenities: ['balcony', 'null', '{}'],
}

/** A landlord with one unit; `units` is the path of the property's units, `path` the unit's. */
export async function createOwnedUnit(server: TestServer, changes: Record<string, unknown> = {}) {
  const landlord = await signInUser(server)
  const { property, unit, path } = await createUnit(landlord, changes)
  return { landlord, property, unit, path, units: `/properties/${property.id}/units` }
}

/** A landlord with a managed unit beside one that the landlord manages. */
export async function createManagedUnit(server: TestServer) {
  const manager = await createManager(server)
  const owned = await createOwnedUnit(server, { managed_by_id: manager.id })
  await owned.landlord.post(owned.units, { unit_name: 'unmanaged' })
  return { ...owned, manager }
}

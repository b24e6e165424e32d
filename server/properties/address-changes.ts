import { getKysely, SQL_TRUE, type EntityManager } from '../../db/database'
import type { Property } from '../../db/entities'
import { selectOthersUnits, type Building } from '../agreements/service'
import type { NewActivity } from '../domain/activities'
import { refuse } from '../faults'

/** What a lease says of a building in which several landlords have units. */
const ADDRESS_FIELDS = [
  'society_building',
  'survey_number',
  'road_name',
  'locality',
  'landmark',
  'pin_code',
  'city',
  'district',
  'state',
  'country',
  'property_type',
] as const satisfies (keyof Property)[]

/** Returns a text that differs when the address does. */
export function toAddressText(property: Property) {
  return JSON.stringify(ADDRESS_FIELDS.map(field => property[field] ?? null))
}

/** @throws BAD_REQUEST Another landlord has a PENDING agreement in the building. */
export async function requireNoPendingAgreements(em: EntityManager, building: Building) {
  const pending = await selectOthersUnits(getKysely(em), building)
    .innerJoin('agreements as a', 'a.property_unit_id', 'u.id')
    .where('a.status', '=', 'PENDING')
    .where('a.is_active', '=', SQL_TRUE)
    .select('a.id')
    .limit(1)
    .executeTakeFirst()
  if (pending) throw refuse('address_in_use')
}

/** Loads the activity that tells the other landlords of a building of its new address, and not who its creator is. */
export async function loadAddressActivity(
  em: EntityManager,
  building: Building,
): Promise<NewActivity & { to: number[] }> {
  const units = selectOthersUnits(getKysely(em), building)
  const others = await units.select('u.landlord_id').execute()
  return {
    to: others.map(({ landlord_id }) => landlord_id),
    type: 'property_updated',
    message: 'The address of a building with units of yours was changed',
    entity_type: 'property',
    entity_id: building.propertyId,
    actor_id: null,
    landlord_id: building.creatorId,
  }
}

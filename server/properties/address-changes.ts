import { getKysely, SQL_TRUE, type Db, type EntityManager } from '../../db/database'
import type { Property } from '../../db/entities'
import type { NewActivity } from '../domain/activities'
import { refuse } from '../faults'
import type { Actor } from '../http/authentication'

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
export async function requireNoPendingAgreements(em: EntityManager, actor: Actor, property: Property) {
  const pending = await selectOthersUnits(getKysely(em), actor, property)
    .innerJoin('agreements as a', 'a.property_unit_id', 'u.id')
    .where('a.status', '=', 'PENDING')
    .where('a.is_active', '=', SQL_TRUE)
    .select('a.id')
    .limit(1)
    .executeTakeFirst()
  if (pending) throw refuse('address_in_use')
}

/** Loads the activity that tells the other landlords of a building of its new address. */
export async function loadAddressActivity(
  em: EntityManager,
  actor: Actor,
  property: Property,
): Promise<NewActivity & { to: number[] }> {
  const units = selectOthersUnits(getKysely(em), actor, property)
  const landlords = await units.distinct().select('u.landlord_id').execute()
  return {
    to: landlords.map(({ landlord_id }) => landlord_id),
    type: 'property_updated',
    message: 'The address of a building with units of yours was changed',
    entity_type: 'property',
    entity_id: property.id,
    actor_id: actor.id,
    landlord_id: actor.id,
  }
}

function selectOthersUnits(db: Db, actor: Actor, property: Property) {
  return db
    .selectFrom('property_units as u')
    .where('u.property_id', '=', property.id)
    .where('u.landlord_id', '<>', actor.id)
    .where('u.is_active', '=', SQL_TRUE)
}

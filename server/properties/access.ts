import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { Property, PropertyUnit } from '../../db/entities'
import { requireActiveUser } from '../auth/queries'
import { refuse } from '../faults'
import { type Actor } from '../http/authentication'
import { selectProperty } from './queries'
import { parseRecordId, type RecordId } from '../domain/record-id'

/**
 * Returns the numeric id of a property that the actor may see.
 * @throws NOT_FOUND The property does not exist, is deleted, or is not the actor's to see.
 */
export async function requireVisibleProperty(em: EntityManager, actor: Actor, id: RecordId) {
  const [property] = await executeCompiled(em, selectVisibleProperty, { userId: actor.id, id })
  if (!property) throw refuse('property_not_found')
  return property.id
}

function selectVisibleProperty(db: Db, { userId, id }: { userId: number; id: RecordId }) {
  return selectProperty(db, sql.val(userId), id).select('p.id')
}

/**
 * Locks a property that the actor listed, and the actor.
 * @throws FORBIDDEN The actor may see the property but has not listed it.
 */
export async function lockOwnProperty(em: EntityManager, actor: Actor, id: string) {
  const propertyId = await requireVisibleProperty(em, actor, parseRecordId(id, 'property_not_found'))
  const property = await em.findOne(Property, { id: propertyId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!property) throw refuse('property_not_found')
  if (!isCreator(property, actor)) throw refuse('not_property_creator')

  await requireActiveUser(em, actor)
  return property
}

function isCreator({ landlord_id, is_listed }: Property, actor: Actor) {
  return is_listed && landlord_id === actor.id
}

/**
 * Locks a property for the units that the actor adds: by its UUID any property in use, by its number one that
 * the actor listed or has units in.
 */
export async function lockPropertyForUnits(em: EntityManager, actor: Actor, id: string) {
  const key = parseRecordId(id, 'property_not_found')
  const where = 'id' in key ? { id: key.id } : { property_id: key.uuid }
  const property = await em.findOne(Property, where, { lockMode: LockMode.PESSIMISTIC_READ })
  if (!property) throw refuse('property_not_found')
  if (isCreator(property, actor)) return property
  if ('uuid' in key) return requireInUse(em, property)

  await requireVisibleProperty(em, actor, key)
  const ownUnits = await em.count(PropertyUnit, { property_id: property.id, landlord_id: actor.id })
  if (ownUnits === 0) throw refuse('property_uuid_required')
  return property
}

/** A building without a listing exists as long as it has units. */
async function requireInUse(em: EntityManager, property: Property) {
  const isInUse = property.is_listed || (await em.count(PropertyUnit, { property_id: property.id })) > 0
  if (!isInUse) throw refuse('property_not_found')
  return property
}

import { LockMode } from '@mikro-orm/core'
import { Property, PropertyUnit } from '../../../db/entities'
import type { Tx } from '../../deps'
import { refuse } from '../../errors'
import { requireVisibleProperty, type PropertyPath } from '../visibility'

/**
 * Locks a property that the actor listed.
 * @throws FORBIDDEN The actor may see the property but has not listed it.
 */
export async function lockOwnProperty(tx: Tx, path: PropertyPath) {
  const { em, actor } = tx
  const id = await requireVisibleProperty(tx, path)
  const property = await em.findOne(Property, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!property) throw refuse('property_not_found')
  if (!property.is_listed || property.landlord_id !== actor.id) throw refuse('not_property_creator')
  return property
}

/** Locks the units of a property that the actor owns. */
export function lockOwnUnits({ em, actor }: Tx, { id }: Property) {
  return em.find(
    PropertyUnit,
    { property_id: id, landlord_id: actor.id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  )
}

/** Whether others have units in a property; the lock on it keeps units from being added at the same time. */
export async function hasOtherLandlords({ em, actor }: Tx, { id }: Property) {
  const units = await em.count(PropertyUnit, { property_id: id, landlord_id: { $ne: actor.id } })
  return units > 0
}

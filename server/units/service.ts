import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { NewUnit, Unit, UnitChange } from '@kiraya/sdk/contract'
import { PropertyUnit } from '../../db/entities'
import { query, type Em } from '../../db/orm'
import { tell } from '../activity'
import { holdUsers, requirePresent } from '../auth/queries'
import { applyChange } from '../changes'
import type { Deps } from '../deps'
import { forbidden, invalid, notFound } from '../faults'
import { idOf, type Actor } from '../http/actor'
import { keep } from '../http/once'
import { propertyForUnits, retireUnits, visible } from '../properties/service'
import { unitsOf } from './queries'

export const createUnit = (deps: Deps, actor: Actor, propertyId: string, body: NewUnit) => deps.orm.em.fork().transactional(async tx => {
  const property = await propertyForUnits(tx, actor, propertyId)
  await requirePresent(tx, actor)
  return keep(tx, await shown(tx, actor, await addUnit(tx, deps.now(), actor, property.id, body)))
})

/** Adds a unit of the actor's, who is held, to a property, within the transaction of whoever calls. */
export async function addUnit(tx: Em, now: Date, actor: Actor, propertyId: number, body: NewUnit) {
  const managedBy = body.managed_by_id ?? actor.id
  if (managedBy !== actor.id) await requireManager(tx, managedBy)
  const unit = tx.create(PropertyUnit, {
    property_id: propertyId,
    landlord_id: actor.id,
    managed_by_id: managedBy,
    unit_name: body.unit_name,
    room_type: body.room_type,
    furnishing_type: body.furnishing_type,
    furniture_included: body.furniture_included,
    area_sqft: body.area_sqft,
    floor_number: body.floor_number,
    is_available: body.is_available ?? true,
    unit_notes: body.unit_notes,
    unit_amenities: body.unit_amenities,
  })
  await tx.flush()
  await tell(tx, now, [unit.landlord_id, unit.managed_by_id], { type: 'unit_created', message: `The unit ${unit.unit_name} was listed`, entity_type: 'property_unit', entity_id: unit.id, actor_id: actor.id })
  return unit
}

export const updateUnit = (deps: Deps, actor: Actor, propertyId: string, unitId: string, change: UnitChange) => deps.orm.em.fork().transactional(async tx => {
  const unit = await visibleUnit(tx, actor, propertyId, unitId)
  const managedBy = change.managed_by_id === null ? unit.landlord_id : change.managed_by_id ?? unit.managed_by_id
  if (managedBy !== unit.managed_by_id) {
    if (actor.id !== unit.landlord_id) throw forbidden('Only the landlord names the manager of a unit')
    await requireManager(tx, managedBy)
    unit.managed_by_id = managedBy
  }
  applyChange(unit, change, ['unit_name', 'room_type', 'furnishing_type', 'furniture_included', 'area_sqft', 'floor_number', 'unit_notes', 'unit_amenities'])
  if (change.is_available !== undefined) unit.is_available = change.is_available ?? true
  await tx.flush()
  await tell(tx, deps.now(), [unit.landlord_id, unit.managed_by_id], { type: 'unit_updated', message: `The unit ${unit.unit_name} was changed`, entity_type: 'property_unit', entity_id: unit.id, actor_id: actor.id })
  return shown(tx, actor, unit)
})

export const deleteUnit = (deps: Deps, actor: Actor, propertyId: string, unitId: string) => deps.orm.em.fork().transactional(async tx => {
  const unit = await visibleUnit(tx, actor, propertyId, unitId)
  if (unit.landlord_id !== actor.id) throw forbidden('Only its landlord deletes a unit')
  await retireUnits(tx, [unit], 'The unit')
  await tx.flush()
  await tell(tx, deps.now(), [unit.landlord_id, unit.managed_by_id], { type: 'unit_deleted', message: `The unit ${unit.unit_name} was removed`, entity_type: 'property_unit', entity_id: unit.id, actor_id: actor.id })
  return { message: 'The unit was deleted' }
})

/** The unit, locked, where the actor owns or manages it. */
async function visibleUnit(tx: Em, actor: Actor, propertyId: string, unitId: string) {
  const property_id = await visible(tx, actor, idOf(propertyId, 'Property')), id = idOf(unitId, 'Property unit')
  const unit = await tx.findOne(PropertyUnit, { property_id, $or: [{ landlord_id: actor.id }, { managed_by_id: actor.id }], ...'id' in id ? { id: id.id } : { property_unit_id: id.uuid } }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!unit) throw notFound('Property unit')
  return unit
}

async function requireManager(tx: Em, id: number) {
  if (!(await holdUsers(tx, [id])).has(id)) throw invalid({ managed_by_id: `must be the id of an active user, which ${id} is not` })
}

const shown = (tx: Em, actor: Actor, { id }: { id: number }): Promise<Unit> => unitsOf(query(tx), sql.val(actor.id)).where('u.id', '=', id).executeTakeFirstOrThrow()

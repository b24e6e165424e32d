import { sql } from 'kysely'
import type { NewUnit, Unit, UnitChange } from '@kiraya/sdk/contract'
import { PropertyUnit } from '../../db/entities'
import type { Db } from '../../db/orm'
import { transact, type Transaction } from '../../db/records'
import { recordActivities } from '../domain/activities'
import { lockActiveUsers, requireActiveUser } from '../auth/queries'
import { copyFields } from '../domain/patch'
import type { Deps } from '../deps'
import { forbidden, validationError, notFound } from '../faults'
import { type Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { lockPropertyForUnits, softDeleteUnits, requireVisibleProperty } from '../properties/service'
import { selectUnits } from './queries'
import { parseRecordId } from '../domain/record-id'

export const createUnit = (deps: Deps, actor: Actor, propertyId: string, body: NewUnit) =>
  transact(deps.orm, async tx => {
    const property = await lockPropertyForUnits(tx, actor, propertyId)
    await requireActiveUser(tx.em, actor)
    const [added] = await insertUnits(tx, actor, property.id, [body])
    await recordActivities(tx.em, deps.now(), added!.news)
    return saveIdempotentResponse(tx.em, await shown(tx, actor, added!.unit))
  })

/** Adds units of the actor's, who is held, to a property, within the transaction of whoever calls, who also tells of them. */
export async function insertUnits(tx: Transaction, actor: Actor, propertyId: number, bodies: NewUnit[]) {
  const managers = bodies.map(({ managed_by_id }) => managed_by_id ?? actor.id)
  await requireManagers(
    tx,
    managers.filter(id => id !== actor.id),
  )
  const units = await tx.insertMany(
    PropertyUnit,
    bodies.map((body, index) => ({
      property_id: propertyId,
      landlord_id: actor.id,
      managed_by_id: managers[index]!,
      unit_name: body.unit_name,
      room_type: body.room_type,
      furnishing_type: body.furnishing_type,
      furniture_included: body.furniture_included,
      area_sqft: body.area_sqft,
      floor_number: body.floor_number,
      is_available: body.is_available ?? true,
      unit_notes: body.unit_notes,
      unit_amenities: body.unit_amenities,
    })),
  )
  return units.map(unit => ({ unit, news: happened(unit, actor, 'unit_created', 'listed') }))
}

const happened = (
  { id, unit_name, landlord_id, managed_by_id }: PropertyUnit,
  actor: Actor,
  type: string,
  what: string,
) =>
  ({
    to: [landlord_id, managed_by_id],
    type,
    message: `The unit ${unit_name} was ${what}`,
    entity_type: 'property_unit',
    entity_id: id,
    actor_id: actor.id,
  }) as const

export const updateUnit = (
  deps: Deps,
  actor: Actor,
  propertyId: string,
  unitId: string,
  change: UnitChange,
) =>
  transact(deps.orm, async tx => {
    const unit = await visibleUnit(tx, actor, propertyId, unitId)
    const managedBy =
      change.managed_by_id === null ? unit.landlord_id : (change.managed_by_id ?? unit.managed_by_id)
    if (managedBy !== unit.managed_by_id) {
      if (actor.id !== unit.landlord_id) throw forbidden('Only the landlord names the manager of a unit')
      await requireManagers(tx, [managedBy])
      unit.managed_by_id = managedBy
    }
    copyFields(unit, change, [
      'unit_name',
      'room_type',
      'furnishing_type',
      'furniture_included',
      'area_sqft',
      'floor_number',
      'unit_notes',
      'unit_amenities',
    ])
    if (change.is_available !== undefined) unit.is_available = change.is_available ?? true
    await tx.flush()
    await recordActivities(tx.em, deps.now(), happened(unit, actor, 'unit_updated', 'changed'))
    return shown(tx, actor, unit)
  })

export const deleteUnit = (deps: Deps, actor: Actor, propertyId: string, unitId: string) =>
  transact(deps.orm, async tx => {
    const unit = await visibleUnit(tx, actor, propertyId, unitId)
    if (unit.landlord_id !== actor.id) throw forbidden('Only its landlord deletes a unit')
    await softDeleteUnits(tx, [unit], 'The unit')
    await tx.flush()
    await recordActivities(tx.em, deps.now(), happened(unit, actor, 'unit_deleted', 'removed'))
    return { message: 'The unit was deleted' }
  })

/** The unit, locked, where the actor owns or manages it. */
async function visibleUnit(tx: Transaction, actor: Actor, propertyId: string, unitId: string) {
  // Whoever owns or manages a unit sees its property, so that a number needs no look of its own.
  const property = parseRecordId(propertyId, 'Property')
  const property_id = 'id' in property ? property.id : await requireVisibleProperty(tx, actor, property)
  const id = parseRecordId(unitId, 'Property unit')
  const unit = await tx.findOne(
    PropertyUnit,
    {
      property_id,
      $or: [{ landlord_id: actor.id }, { managed_by_id: actor.id }],
      ...('id' in id ? { id: id.id } : { property_unit_id: id.uuid }),
    },
    { lock: 'update' },
  )
  if (!unit) {
    await requireVisibleProperty(tx, actor, property)
    throw notFound('Property unit')
  }
  return unit
}

async function requireManagers(tx: Transaction, ids: number[]) {
  const known = ids.length ? await lockActiveUsers(tx.em, ids) : undefined
  const unknown = ids.find(id => !known?.has(id))
  if (unknown !== undefined)
    throw validationError({ managed_by_id: `must be the id of an active user, which ${unknown} is not` })
}

const shown = async (tx: Transaction, { id: me }: Actor, { id }: { id: number }): Promise<Unit> =>
  (await tx.run(unitOf, { me, id }))[0]!
const unitOf = (db: Db, { me, id }: { me: number; id: number }) =>
  selectUnits(db, sql.val(me)).where('u.id', '=', id)

import type { NewUnit, Unit as UnitView, UnitChange } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../db/database'
import { PropertyUnit } from '../../db/entities'
import { requireActiveUser } from '../auth/queries'
import type { Deps } from '../deps'
import { isFeedName, recordActivities, type NewActivity } from '../domain/activities'
import { applyPatch, clearable, required, withDefault, type PatchRules } from '../domain/patch'
import { refuse } from '../faults'
import type { Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { results } from '../messages/results'
import { lockPropertyForUnits } from '../properties/access'
import { lockUnit, requireManagers, requireNoTenancy, requireUnitOwner } from './access'
import { softDeleteUnits } from './deletion'
import { loadUnitView } from './queries'

/** Adds a unit to a property; the actor becomes its landlord. */
export function createUnit(deps: Deps, actor: Actor, propertyId: string, input: NewUnit): Promise<UnitView> {
  return deps.db.transactional(async em => {
    const property = await lockPropertyForUnits(em, actor, propertyId)
    await requireActiveUser(em, actor)

    const [unit] = (await insertUnits(deps, em, actor, property.id, [input])) as [PropertyUnit]
    await recordActivities(em, deps.now(), toUnitActivity(unit, actor, 'created'))

    return saveIdempotentResponse(em, await loadUnitView(em, actor, unit.id))
  })
}

/** Changes the given fields of a unit; null clears an optional one. */
export function updateUnit(
  deps: Deps,
  actor: Actor,
  propertyId: string,
  unitId: string,
  change: UnitChange,
): Promise<UnitView> {
  return deps.db.transactional(async em => {
    const unit = await lockUnit(em, actor, propertyId, unitId)
    await changeManager(deps, em, actor, unit, change.managed_by_id)
    applyPatch(unit, change, unitPatchRules)
    await em.flush()

    await recordActivities(em, deps.now(), toUnitActivity(unit, actor, 'updated'))
    return loadUnitView(em, actor, unit.id)
  })
}

/** Deletes a unit together with its drafts. */
export function deleteUnit(deps: Deps, actor: Actor, propertyId: string, unitId: string) {
  return deps.db.transactional(async em => {
    const unit = await lockUnit(em, actor, propertyId, unitId)
    requireUnitOwner(unit, actor, 'delete')
    await softDeleteUnits(em, [unit], 'unit')
    await em.flush()

    await recordActivities(em, deps.now(), toUnitActivity(unit, actor, 'deleted'))
    return { message: results.unit_deleted }
  })
}

/**
 * Gives a unit back to its landlord: its manager may have been appointed without being asked.
 * @throws FORBIDDEN The actor is the landlord.
 */
export function resignFromUnit(deps: Deps, actor: Actor, propertyId: string, unitId: string) {
  return deps.db.transactional(async em => {
    const unit = await lockUnit(em, actor, propertyId, unitId)
    if (unit.landlord_id === actor.id) throw refuse('not_unit_manager')

    const activity = toUnitActivity(unit, actor, 'resigned')
    unit.managed_by_id = unit.landlord_id
    await em.flush()
    await recordActivities(em, deps.now(), activity)
    return saveIdempotentResponse(em, { message: results.unit_resigned })
  })
}

/** Inserts units in the caller's transaction; the caller locks the actor and records activities. */
export async function insertUnits(
  deps: Deps,
  em: EntityManager,
  actor: Actor,
  propertyId: number,
  inputs: NewUnit[],
) {
  const managerIds = inputs.map(input => input.managed_by_id ?? actor.id)
  const otherManagerIds = managerIds.filter(id => id !== actor.id)
  await requireManagers(deps, em, actor.id, otherManagerIds)

  const units = inputs.map((input, index) =>
    em.create(PropertyUnit, {
      ...toUnitFields(input),
      property_id: propertyId,
      landlord_id: actor.id,
      managed_by_id: managerIds[index]!,
    }),
  )
  await em.flush()
  return units
}

/** A field missing here does not compile: `NewUnit` has to be covered. */
function toUnitFields(input: NewUnit): Required<Omit<NewUnit, 'managed_by_id'>> & { is_available: boolean } {
  return {
    unit_name: input.unit_name,
    room_type: input.room_type ?? null,
    furnishing_type: input.furnishing_type ?? null,
    furniture_included: input.furniture_included ?? null,
    area_sqft: input.area_sqft ?? null,
    floor_number: input.floor_number ?? null,
    is_available: input.is_available ?? true,
    unit_notes: input.unit_notes ?? null,
    unit_amenities: input.unit_amenities ?? null,
  }
}

/** The same for changes; the manager has a rule of its own. */
const unitPatchRules: PatchRules<Omit<UnitChange, 'managed_by_id'>> = {
  unit_name: required,
  room_type: clearable,
  furnishing_type: clearable,
  furniture_included: clearable,
  area_sqft: clearable,
  floor_number: clearable,
  is_available: withDefault(true),
  unit_notes: clearable,
  unit_amenities: clearable,
}

/** Only the landlord appoints a manager; null makes the landlord the manager again. */
async function changeManager(
  deps: Deps,
  em: EntityManager,
  actor: Actor,
  unit: PropertyUnit,
  managerId: UnitChange['managed_by_id'],
) {
  if (managerId === undefined) return
  const newManagerId = managerId ?? unit.landlord_id
  if (newManagerId === unit.managed_by_id) return

  requireUnitOwner(unit, actor, 'appoint')
  if (newManagerId !== unit.landlord_id) {
    await requireManagers(deps, em, unit.landlord_id, [newManagerId])
    await requireNoTenancy(em, unit, newManagerId)
  }
  unit.managed_by_id = newManagerId
}

const activityVerbs = {
  created: 'listed',
  updated: 'changed',
  deleted: 'removed',
  resigned: 'given back by its manager',
} as const

export function toUnitActivity(
  unit: PropertyUnit,
  actor: Actor,
  kind: keyof typeof activityVerbs,
): NewActivity & { to: number[] } {
  const subject = isFeedName(unit.unit_name) ? `The unit ${unit.unit_name}` : 'A unit'
  return {
    to: [unit.landlord_id, unit.managed_by_id],
    type: `unit_${kind}`,
    message: `${subject} was ${activityVerbs[kind]}`,
    entity_type: 'property_unit',
    entity_id: unit.id,
    actor_id: actor.id,
    landlord_id: unit.landlord_id,
  }
}

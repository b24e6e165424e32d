import { NewUnit, type UnitChange } from '@kiraya/sdk/contract'
import { PropertyUnit } from '../../../db/entities'
import { shareActor } from '../../accounts/auth/queries'
import type { Tx } from '../../deps'
import { isFeedName, recordActivities, type NewActivity } from '../../domain/activities'
import { applyChange, withDefaults } from '../../domain/fields'
import { refuse } from '../../errors'
import { loadView } from '../../http/changes'
import { results } from '../../messages/results'
import { shareProperty, type PropertyPath } from '../visibility'
import { lockUnit, requireManagers, requireNoTenancy, requireUnitOwner } from './access'
import { softDeleteUnits } from './deletion'
import { selectUnit, type UnitPath } from './queries'

/** Adds a unit to a property; the actor becomes its landlord. */
export async function createUnit(tx: Tx, path: PropertyPath, input: NewUnit) {
  const { id } = await shareProperty(tx, path.id)
  await shareActor(tx.em, tx.actor)
  const unit = addUnit(tx, id, input)
  await requireManagers(tx, unit.landlord_id, [unit.managed_by_id])
  await tx.em.flush()

  await recordActivities(tx.em, tx.now(), toUnitActivity(tx, 'created', unit))
  return loadView(tx, selectUnit, { ...path, unitId: { id: unit.id } })
}

/** Changes the given fields of a unit; null clears an optional one. */
export async function updateUnit(tx: Tx, path: UnitPath, { managed_by_id, ...change }: UnitChange) {
  const unit = await lockUnit(tx, path)
  if (managed_by_id !== undefined) await appointManager(tx, unit, managed_by_id ?? unit.landlord_id)
  applyChange(unit, NewUnit, change)
  await tx.em.flush()

  await recordActivities(tx.em, tx.now(), toUnitActivity(tx, 'updated', unit))
  return loadView(tx, selectUnit, path)
}

/** Deletes a unit together with its drafts. */
export async function deleteUnit(tx: Tx, path: UnitPath) {
  const unit = await lockUnit(tx, path)
  requireUnitOwner(tx, unit, 'delete')
  await softDeleteUnits(tx, [unit], 'unit')
  await tx.em.flush()

  await recordActivities(tx.em, tx.now(), toUnitActivity(tx, 'deleted', unit))
  return { message: results.unit_deleted }
}

/** Gives a unit back to its landlord: a manager is appointed without being asked. */
export async function resignFromUnit(tx: Tx, path: UnitPath) {
  const unit = await lockUnit(tx, path)
  if (unit.landlord_id === tx.actor.id) throw refuse('not_unit_manager')
  const activity = toUnitActivity(tx, 'resigned', unit)
  unit.managed_by_id = unit.landlord_id
  await tx.em.flush()

  await recordActivities(tx.em, tx.now(), activity)
  return { message: results.unit_resigned }
}

/** Creates a unit without checking its manager; the caller flushes. */
export function addUnit({ em, actor }: Tx, propertyId: number, input: NewUnit) {
  const fields = withDefaults(NewUnit, input)
  return em.create(PropertyUnit, {
    ...fields,
    property_id: propertyId,
    landlord_id: actor.id,
    managed_by_id: fields.managed_by_id ?? actor.id,
  })
}

async function appointManager(tx: Tx, unit: PropertyUnit, managerId: number) {
  if (managerId === unit.managed_by_id) return
  requireUnitOwner(tx, unit, 'appoint')
  await requireManagers(tx, unit.landlord_id, [managerId])
  await requireNoTenancy(tx, unit, managerId)
  unit.managed_by_id = managerId
}

const ACTIVITY_VERBS = {
  created: 'listed',
  updated: 'changed',
  deleted: 'removed',
  resigned: 'given back by its manager',
} as const

export function toUnitActivity(
  { actor }: Tx,
  kind: keyof typeof ACTIVITY_VERBS,
  unit: PropertyUnit,
): NewActivity & { to: number[] } {
  const subject = isFeedName(unit.unit_name) ? `The unit ${unit.unit_name}` : 'A unit'
  return {
    to: [unit.landlord_id, unit.managed_by_id],
    type: `unit_${kind}`,
    message: `${subject} was ${ACTIVITY_VERBS[kind]}`,
    entity_type: 'property_unit',
    entity_id: unit.id,
    actor_id: actor.id,
    landlord_id: unit.landlord_id,
  }
}

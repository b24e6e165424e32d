import { NewProperty, type PropertyChange } from '@kiraya/sdk/contract'
import { Property } from '../../../db/entities'
import type { Place } from '../../../db/pin-codes'
import { shareActor } from '../../accounts/auth/queries'
import type { Tx } from '../../deps'
import { recordActivities, type NewActivity } from '../../domain/activities'
import { applyChange, withDefaults } from '../../domain/fields'
import { refuse } from '../../errors'
import { loadView } from '../../http/changes'
import { results } from '../../messages/results'
import { requireManagers } from '../units/access'
import { softDeleteUnits } from '../units/deletion'
import { addUnit, toUnitActivity } from '../units/service'
import type { PropertyPath } from '../visibility'
import { hasOtherLandlords, lockOwnProperty, lockOwnUnits } from './access'
import { getChangedPlace, getPlace } from './place'
import { selectPropertyWithUnits } from './queries'

/** Lists a property with its first units, all of them or nothing. */
export async function createProperty(tx: Tx, { property_units, ...input }: NewProperty) {
  const { em, actor } = tx
  const now = tx.now()
  await shareActor(em, actor)
  const property = addProperty(tx, input)
  await em.flush()
  const units = (property_units ?? []).map(unit => addUnit(tx, property.id, unit))
  const managerIds = units.map(unit => unit.managed_by_id)
  await requireManagers(tx, actor.id, managerIds)
  await em.flush()

  const unitActivities = units.map(unit => toUnitActivity(tx, 'created', unit))
  await recordActivities(em, now, ...unitActivities, toPropertyActivity(tx, 'created', property))
  return loadView(tx, selectPropertyWithUnits, { id: { id: property.id } })
}

/** Creates a property; the caller flushes. */
export function addProperty({ em, actor, now }: Tx, input: NewProperty) {
  const place = getPlace(input.pin_code, input)
  const { property_units: _, ...fields } = withDefaults(NewProperty, input)
  return em.create(Property, {
    ...fields,
    ...place,
    alias_name: input.alias_name ?? getDefaultAlias(input, place),
    property_approved_at: now(),
    created_at: now(),
    landlord_id: actor.id,
  })
}

/**
 * Changes the given fields of a property; null clears an optional one.
 * @throws BAD_REQUEST The address changes, and other landlords have units in the building.
 */
export async function updateProperty(tx: Tx, path: PropertyPath, change: PropertyChange) {
  const property = await lockOwnProperty(tx, path)
  await shareActor(tx.em, tx.actor)
  const formerAddress = toAddressText(property)
  const { alias_name, city, district, state, ...fields } = change
  Object.assign(property, getChangedPlace(property, change.pin_code, { city, district, state }))
  applyChange(property, NewProperty, fields)
  if (alias_name !== undefined) property.alias_name = alias_name ?? getDefaultAlias(property, property)
  const isMoved = toAddressText(property) !== formerAddress
  if (isMoved && (await hasOtherLandlords(tx, property))) throw refuse('address_in_use')
  await tx.em.flush()

  await recordActivities(tx.em, tx.now(), toPropertyActivity(tx, 'updated', property))
  return loadView(tx, selectPropertyWithUnits, { id: { id: property.id } })
}

/**
 * Deletes the creator's listing with their units and the units' drafts. The building stays for other landlords who
 * have units in it.
 */
export async function deleteProperty(tx: Tx, path: PropertyPath) {
  const property = await lockOwnProperty(tx, path)
  const units = await lockOwnUnits(tx, property)
  await softDeleteUnits(tx, units, 'property')
  await shareActor(tx.em, tx.actor)
  property.is_listed = false
  property.is_active = await hasOtherLandlords(tx, property)
  await tx.em.flush()

  await recordActivities(tx.em, tx.now(), toPropertyActivity(tx, 'deleted', property))
  return { message: results.property_deleted }
}

type AliasSource = { society_building?: string | null | undefined; locality?: string | null | undefined }

function getDefaultAlias({ society_building, locality }: AliasSource, { city }: Place) {
  return society_building ?? locality ?? city
}

/** What a lease says of a building. */
const toAddressText = (property: Property) =>
  JSON.stringify([
    property.society_building,
    property.survey_number,
    property.road_name,
    property.locality,
    property.landmark,
    property.pin_code,
    property.city,
    property.district,
    property.state,
    property.country,
    property.property_type,
  ])

const ACTIVITY_VERBS = { created: 'listed', updated: 'changed', deleted: 'removed' } as const

export function toPropertyActivity(
  { actor }: Tx,
  kind: keyof typeof ACTIVITY_VERBS,
  { id, alias_name }: Property,
): NewActivity & { to: number[] } {
  return {
    to: [actor.id],
    type: `property_${kind}`,
    message: `You ${ACTIVITY_VERBS[kind]} ${alias_name}`,
    entity_type: 'property',
    entity_id: id,
    actor_id: actor.id,
    landlord_id: actor.id,
  }
}

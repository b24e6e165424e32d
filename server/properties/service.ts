import { LockMode } from '@mikro-orm/core'
import type { NewProperty, PropertyChange, PropertyWithUnits } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../db/database'
import { Property, PropertyUnit } from '../../db/entities'
import type { Place } from '../../db/pin-codes'
import { consumeDailyLimit } from '../agreements/daily-limits'
import { noteNewAddress } from '../agreements/service'
import { requireActiveUser } from '../auth/queries'
import type { Deps } from '../deps'
import { recordActivities, type NewActivity } from '../domain/activities'
import { applyPatch, clearable, required, withDefault, type PatchRules } from '../domain/patch'
import { hashPhone } from '../domain/phone-hash'
import type { Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { results } from '../messages/results'
import { softDeleteUnits } from '../units/deletion'
import { insertUnits, toUnitActivity } from '../units/service'
import { lockOwnProperty } from './access'
import { loadAddressActivity, requireNoPendingAgreements, toAddressText } from './address-changes'
import { getPlace } from './place'
import { loadPropertyView } from './queries'

const DEFAULT_COUNTRY = 'India'

/**
 * Lists a property with its first units, all of them or nothing.
 * @throws TOO_MANY_REQUESTS The landlord listed too many in a day.
 */
export function createProperty(deps: Deps, actor: Actor, input: NewProperty): Promise<PropertyWithUnits> {
  return deps.db.transactional(async em => {
    const now = deps.now()
    const place = getPlace(input.pin_code, input)
    await requireActiveUser(em, actor)
    await consumeDailyLimit(em, deps, { id: hashPhone(deps.config, actor.phone) }, 'properties')

    const property = em.create(Property, {
      ...toPropertyFields(input, place),
      property_approved_at: now,
      landlord_id: actor.id,
    })
    await em.flush()
    const units = await insertUnits(deps, em, actor, property.id, input.property_units ?? [])

    const unitActivities = units.map(unit => toUnitActivity(unit, actor, 'created'))
    await recordActivities(em, now, ...unitActivities, toPropertyActivity(property, actor, 'created'))
    return saveIdempotentResponse(em, await loadPropertyView(em, actor, property.id))
  })
}

/** Changes the given fields of a property; null clears an optional one. */
export function updateProperty(
  deps: Deps,
  actor: Actor,
  id: string,
  change: PropertyChange,
): Promise<PropertyWithUnits> {
  return deps.db.transactional(async em => {
    const now = deps.now()
    const property = await lockOwnProperty(em, actor, id)
    const formerAddress = toAddressText(property)
    changePlace(property, change)
    applyPatch(property, change, propertyPatchRules)
    changeAlias(property, change.alias_name)
    await em.flush()

    const activities = [toPropertyActivity(property, actor, 'updated')]
    if (toAddressText(property) !== formerAddress) {
      const building = { propertyId: property.id, creatorId: actor.id }
      await noteNewAddress(deps, em, building)
      // One that was a draft until its lock is pending now.
      await requireNoPendingAgreements(em, building)
      activities.push(await loadAddressActivity(em, building))
    }
    await recordActivities(em, now, ...activities)
    return loadPropertyView(em, actor, property.id)
  })
}

/**
 * Deletes the creator's listing with their units and the units' drafts. The building stays for other
 * landlords who have units in it.
 */
export function deleteProperty(deps: Deps, actor: Actor, id: string) {
  return deps.db.transactional(async em => {
    const property = await lockOwnProperty(em, actor, id)
    const units = await lockOwnUnits(em, actor, property)
    await softDeleteUnits(em, units, 'property')
    property.is_listed = false
    property.is_active = await hasOtherLandlords(em, actor, property)
    await em.flush()

    await recordActivities(em, deps.now(), toPropertyActivity(property, actor, 'deleted'))
    return { message: results.property_deleted }
  })
}

function lockOwnUnits(em: EntityManager, actor: Actor, property: Property) {
  return em.find(
    PropertyUnit,
    { property_id: property.id, landlord_id: actor.id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  )
}

/** The lock on the property keeps units from being added meanwhile. */
async function hasOtherLandlords(em: EntityManager, actor: Actor, property: Property) {
  const units = await em.count(PropertyUnit, { property_id: property.id, landlord_id: { $ne: actor.id } })
  return units > 0
}

/** A field missing here does not compile: `NewProperty` has to be covered. */
function toPropertyFields(input: NewProperty, place: Place): StoredFields {
  return {
    ...place,
    pin_code: input.pin_code,
    property_type: input.property_type,
    society_building: input.society_building ?? null,
    survey_number: input.survey_number ?? null,
    road_name: input.road_name ?? null,
    locality: input.locality ?? null,
    landmark: input.landmark ?? null,
    country: input.country ?? DEFAULT_COUNTRY,
    alias_name: input.alias_name ?? getDefaultAlias(input, place),
    common_amenities: input.common_amenities ?? null,
  }
}
type StoredFields = Required<Omit<NewProperty, 'property_units' | DerivedField>> & Place & Derived
type Derived = { country: string; alias_name: string }
type DerivedField = keyof Place | keyof Derived

/** The same for changes; the place and the alias have rules of their own. */
const propertyPatchRules: PatchRules<Omit<PropertyChange, keyof Place | 'alias_name'>> = {
  pin_code: required,
  property_type: required,
  society_building: clearable,
  survey_number: clearable,
  road_name: clearable,
  locality: clearable,
  landmark: clearable,
  country: withDefault(DEFAULT_COUNTRY),
  common_amenities: clearable,
}

/** Sets city, district and state; the stored ones count as long as the PIN code stays. */
function changePlace(property: Property, change: PropertyChange) {
  const pinCode = change.pin_code ?? property.pin_code
  const current = pinCode === property.pin_code ? property : undefined
  const place = getPlace(pinCode, change, current)
  property.city = place.city
  property.district = place.district
  property.state = place.state
}

/** Null restores the default alias. */
function changeAlias(property: Property, alias: PropertyChange['alias_name']) {
  if (alias !== undefined) property.alias_name = alias ?? getDefaultAlias(property, property)
}

type AliasSource = { society_building?: string | null; locality?: string | null }

function getDefaultAlias({ society_building, locality }: AliasSource, { city }: Place) {
  return society_building ?? locality ?? city
}

const activityVerbs = { created: 'listed', updated: 'changed', deleted: 'removed' } as const

function toPropertyActivity(
  property: Property,
  actor: Actor,
  kind: keyof typeof activityVerbs,
): NewActivity & { to: number[] } {
  return {
    to: [actor.id],
    type: `property_${kind}`,
    message: `You ${activityVerbs[kind]} ${property.alias_name}`,
    entity_type: 'property',
    entity_id: property.id,
    actor_id: actor.id,
    landlord_id: actor.id,
  }
}

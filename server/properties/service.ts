import { sql } from 'kysely'
import type { NewProperty, PropertyChange, PropertyWithUnits } from '@kiraya/sdk/contract'
import { Agreement, Property, PropertyUnit } from '../../db/entities'
import type { Db } from '../../db/orm'
import { transact, type Transaction } from '../../db/records'
import { findPlace, type Place } from '../../db/pin-codes'
import { recordActivities } from '../domain/activities'
import { requireActiveUser } from '../auth/queries'
import { copyFields } from '../domain/patch'
import type { Deps } from '../deps'
import { badRequest, forbidden, validationError, notFound } from '../faults'
import { type Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { insertUnits } from '../units/service'
import { selectProperty, selectPropertyWithUnits } from './queries'
import { parseRecordId, type RecordId } from '../domain/record-id'

/** A property with its first units, all of them or nothing. */
export const createProperty = (deps: Deps, actor: Actor, body: NewProperty) =>
  transact(deps.orm, async tx => {
    const now = deps.now()
    const place = placeFor(body.pin_code, body)
    await requireActiveUser(tx.em, actor)
    const property = await tx.insert(Property, {
      ...place,
      pin_code: body.pin_code,
      property_type: body.property_type,
      society_building: body.society_building,
      survey_number: body.survey_number,
      road_name: body.road_name,
      locality: body.locality,
      landmark: body.landmark,
      country: body.country ?? 'India',
      alias_name: body.alias_name ?? getDefaultAlias(body, place),
      common_amenities: body.common_amenities,
      property_approved_at: now,
      landlord_id: actor.id,
    })
    const units = await insertUnits(tx, actor, property.id, body.property_units ?? [])
    await recordActivities(tx.em, now, ...units.map(({ news }) => news), {
      to: [actor.id],
      type: 'property_created',
      message: `You listed ${property.alias_name}`,
      entity_type: 'property',
      entity_id: property.id,
      actor_id: actor.id,
    })
    return saveIdempotentResponse(tx.em, await shown(tx, actor, { id: property.id }))
  })

export const updateProperty = (deps: Deps, actor: Actor, id: string, change: PropertyChange) =>
  transact(deps.orm, async tx => {
    const property = await ownProperty(tx, actor, id)
    const pinCode = change.pin_code ?? property.pin_code
    const place = placeFor(pinCode, change, pinCode === property.pin_code ? property : undefined)
    copyFields(property, change, [
      'property_type',
      'society_building',
      'survey_number',
      'road_name',
      'locality',
      'landmark',
      'common_amenities',
    ])
    copyFields(
      property,
      { ...place, pin_code: pinCode, country: change.country === null ? 'India' : change.country },
      ['city', 'district', 'state', 'pin_code', 'country'],
    )
    if (change.alias_name !== undefined)
      property.alias_name = change.alias_name ?? getDefaultAlias(property, place)
    await tx.flush()
    await recordActivities(tx.em, deps.now(), {
      to: [actor.id],
      type: 'property_updated',
      message: `You changed ${property.alias_name}`,
      entity_type: 'property',
      entity_id: property.id,
      actor_id: actor.id,
    })
    return shown(tx, actor, { id: property.id })
  })

/** Takes the creator's own units and their drafts with it. */
export const deleteProperty = (deps: Deps, actor: Actor, id: string) =>
  transact(deps.orm, async tx => {
    const property = await ownProperty(tx, actor, id)
    const units = await tx.find(
      PropertyUnit,
      { property_id: property.id },
      { lock: 'update', orderBy: { id: 'asc' } },
    )
    if (units.some(unit => unit.landlord_id !== actor.id))
      throw badRequest('Other landlords have units in this property')
    await softDeleteUnits(tx, units, 'The property')
    property.is_active = false
    await tx.flush()
    await recordActivities(tx.em, deps.now(), {
      to: [actor.id],
      type: 'property_deleted',
      message: `You removed ${property.alias_name}`,
      entity_type: 'property',
      entity_id: property.id,
      actor_id: actor.id,
    })
    return { message: 'The property was deleted' }
  })

/** Marks units and their drafts as deleted; a lease that is signed or being signed stands against it. */
export async function softDeleteUnits(tx: Transaction, units: PropertyUnit[], what: string) {
  const agreements = await tx.find(
    Agreement,
    {
      property_unit_id: { $in: units.map(unit => unit.id) },
      status: { $in: ['DRAFT', 'PENDING', 'ACTIVE'] },
    },
    { lock: 'update', orderBy: { id: 'asc' } },
  )
  if (agreements.some(({ status }) => status !== 'DRAFT'))
    throw badRequest(`${what} has agreements that are pending or active`)
  for (const record of [...units, ...agreements]) record.is_active = false
}

/** The property where the actor may add units: any active one by its UUID, one that the actor already has by its number. */
export async function lockPropertyForUnits(tx: Transaction, actor: Actor, id: string) {
  const key = parseRecordId(id, 'Property')
  const property = await tx.findOne(Property, 'id' in key ? { id: key.id } : { property_id: key.uuid }, {
    lock: 'share',
  })
  if (!property) throw notFound('Property')
  if ('id' in key && property.landlord_id !== actor.id) {
    await requireVisibleProperty(tx, actor, key)
    if (!(await tx.count(PropertyUnit, { property_id: property.id, landlord_id: actor.id })))
      throw forbidden('Only landlords of this property add units to it by its number')
  }
  return property
}

/** The number of a property that the actor may see. */
export async function requireVisibleProperty(tx: Transaction, actor: Actor, id: RecordId) {
  const [found] = await tx.run(seen, { me: actor.id, id })
  if (!found) throw notFound('Property')
  return found.id
}

const seen = (db: Db, { me, id }: { me: number; id: RecordId }) =>
  selectProperty(db, sql.val(me), id).select('p.id')

/** The property, locked; others that may see it are told that only its creator changes it. */
async function ownProperty(tx: Transaction, actor: Actor, id: string) {
  const property = await tx.findOne(
    Property,
    { id: await requireVisibleProperty(tx, actor, parseRecordId(id, 'Property')) },
    { lock: 'update' },
  )
  if (!property) throw notFound('Property')
  if (property.landlord_id !== actor.id) throw forbidden('Only its creator changes a property')
  await requireActiveUser(tx.em, actor)
  return property
}

const shown = async (tx: Transaction, { id: me }: Actor, id: RecordId): Promise<PropertyWithUnits> =>
  (await tx.run(whole, { me, id }))[0]!
const whole = (db: Db, { me, id }: { me: number; id: RecordId }) =>
  selectPropertyWithUnits(db, sql.val(me), id)

export const getDefaultAlias = (
  { society_building, locality }: { society_building?: string | null; locality?: string | null },
  { city }: Place,
) => society_building ?? locality ?? city

/** Where a PIN code is. The payload speaks only for one that is not known, `before` for one that has not changed. */
function placeFor(
  pinCode: number,
  given: { city?: string | null; district?: string | null; state?: string | null },
  before?: Place,
): Place {
  const known = findPlace(pinCode)
  if (known) return { city: known.city, district: known.district, state: known.state }
  const place = {
    city: given.city === undefined ? before?.city : given.city,
    district: given.district === undefined ? before?.district : given.district,
    state: given.state === undefined ? before?.state : given.state,
  }
  const missing = (['city', 'district', 'state'] as const).filter(name => !place[name])
  if (missing.length)
    throw validationError(
      Object.fromEntries(missing.map(name => [name, `is required: the PIN code ${pinCode} is not known`])),
    )
  return place as Place
}

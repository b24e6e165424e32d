import { findPlace } from '../../../db/pin-codes'
import { recordActivities, toActivities } from './activities'
import { getNow, pool, selectAll, selectOne, type Db, type Row } from './http'
import * as statements from './sql/properties'

export const createProperty = (actorId: number, body: Row) =>
  pool.begin(async tx => {
    await selectOne(tx, statements.shareUser, actorId)
    const now = getNow()
    const { id } = await insertProperty(tx, actorId, body, now)
    const units = await insertUnits(tx, actorId, id, body.property_units, now)
    const unitActivities = units.map(unit =>
      toActivities([actorId], {
        type: 'unit_created',
        message: `The unit ${unit.unit_name} was listed`,
        entity_type: 'property_unit',
        entity_id: unit.id,
        actor_id: actorId,
      }),
    )
    const propertyActivity = toActivities([actorId], {
      type: 'property_created',
      message: `You listed ${body.society_building}`,
      entity_type: 'property',
      entity_id: id,
      actor_id: actorId,
    })
    await recordActivities(tx, ...unitActivities, propertyActivity)
    const { row } = await selectOne(tx, statements.selectPropertyView, actorId, id)
    return { data: row }
  })

function insertProperty(tx: Db, actorId: number, body: Row, now: string) {
  const { city, district, state } = findPlace(body.pin_code)!
  const name = body.society_building
  const place = [body.locality, body.pin_code, district, city, state]
  return selectOne(tx, statements.insertProperty, name, ...place, name, body.property_type, now, actorId)
}

function insertUnits(tx: Db, actorId: number, property_id: number, units: Row[], now: string) {
  const rows = units.map(({ unit_name, room_type }) => ({
    property_id,
    landlord_id: actorId,
    managed_by_id: actorId,
    unit_name,
    room_type,
    is_available: true,
    created_at: now,
    updated_at: now,
  }))
  return selectAll(tx, statements.insertUnits, JSON.stringify(rows))
}

export const changeUnit = (actorId: number, propertyId: number, id: number, { unit_notes }: Row) =>
  pool.begin(async tx => {
    const unit = await selectOne(tx, statements.lockOwnUnit, id, propertyId, actorId)
    await selectAll(tx, statements.updateUnitNotes, id, unit_notes, getNow())
    const activities = toActivities([unit.landlord_id, unit.managed_by_id], {
      type: 'unit_updated',
      message: `The unit ${unit.unit_name} was changed`,
      entity_type: 'property_unit',
      entity_id: id,
      actor_id: actorId,
    })
    await recordActivities(tx, activities)
    const { row } = await selectOne(tx, statements.selectUnitView, actorId, id)
    return { data: row }
  })

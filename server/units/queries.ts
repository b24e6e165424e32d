import { type RecordId } from '../domain/record-id'
import { toContainsPattern } from '../domain/query'
import { sql, type Expression } from 'kysely'
import type { Unit as UnitView, UnitQuery } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { SQL_TRUE, toIsoTimestamp, type Db, type EntityManager } from '../../db/database'
import { toSelection, type ColumnsOf } from '../domain/columns'
import { type Actor, type UserIdExpression } from '../http/authentication'

/** A unit is unavailable while it has an ACTIVE agreement, whatever its landlord says. */
const isAvailable = sql<boolean>`(
  u.is_available and not exists (
    select from agreements a
    where a.property_unit_id = u.id and a.status = 'ACTIVE' and a.is_active
  )
)`

const unitColumns: ColumnsOf<UnitView> = {
  id: 'u.id',
  property_unit_id: 'u.property_unit_id',
  property_id: 'u.property_id',
  landlord_id: 'u.landlord_id',
  managed_by_id: 'u.managed_by_id',
  unit_name: 'u.unit_name',
  room_type: 'u.room_type',
  furnishing_type: 'u.furnishing_type',
  furniture_included: 'u.furniture_included',
  area_sqft: 'u.area_sqft',
  floor_number: 'u.floor_number',
  is_available: isAvailable,
  unit_notes: 'u.unit_notes',
  unit_amenities: 'u.unit_amenities',
  is_active: 'u.is_active',
  created_at: toIsoTimestamp(sql.ref('u.created_at')),
  updated_at: toIsoTimestamp(sql.ref('u.updated_at')),
}

/** Active units that a user owns or manages. */
export function selectVisibleUnits(db: Db, userId: UserIdExpression) {
  return db
    .selectFrom('property_units as u')
    .where('u.is_active', '=', SQL_TRUE)
    .where(e => e.or([e('u.landlord_id', '=', userId), e('u.managed_by_id', '=', userId)]))
}

export function selectUnits(db: Db, userId: UserIdExpression) {
  return selectVisibleUnits(db, userId).select(toSelection(unitColumns))
}

export function selectUnitPage(
  db: Db,
  userId: UserIdExpression,
  propertyId: Expression<unknown>,
  { q, is_available }: UnitQuery,
) {
  let units = selectUnits(db, userId).where('u.property_id', '=', sql<number>`${propertyId}`)
  if (q !== undefined) units = units.where('u.unit_name', 'ilike', toContainsPattern(q))
  if (is_available !== undefined) units = units.where(isAvailable, '=', is_available)
  return units
}

export function selectUnit(
  db: Db,
  userId: UserIdExpression,
  propertyId: Expression<unknown>,
  unitId: RecordId,
) {
  const units = selectUnits(db, userId).where('u.property_id', '=', sql<number>`${propertyId}`)
  return 'id' in unitId
    ? units.where('u.id', '=', unitId.id)
    : units.where('u.property_unit_id', '=', unitId.uuid)
}

/** Reads a unit back in the transaction that changed it. */
export async function loadUnitView(em: EntityManager, actor: Actor, unitId: number): Promise<UnitView> {
  const [view] = await executeCompiled(em, selectUnitView, { userId: actor.id, unitId })
  return view!
}

function selectUnitView(db: Db, given: { userId: number; unitId: number }) {
  return selectUnits(db, sql.val(given.userId)).where('u.id', '=', given.unitId)
}

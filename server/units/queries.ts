import { sql, type Expression } from 'kysely'
import type { UnitQuery } from '@kiraya/sdk/contract'
import { iso, yes, type Db } from '../../db/orm'
import { type UserIdExpression } from '../http/authentication'
import { toContainsPattern } from '../domain/query'
import type { RecordId } from '../domain/record-id'

/** A unit is unavailable while it has an ACTIVE agreement. */
const available = sql<boolean>`(u.is_available and not exists (select from agreements a where a.property_unit_id = u.id and a.status = 'ACTIVE' and a.is_active))`

/** The active units that a user owns or manages. */
export const selectVisibleUnits = (db: Db, me: UserIdExpression) =>
  db
    .selectFrom('property_units as u')
    .where('u.is_active', '=', yes)
    .where(e => e.or([e('u.landlord_id', '=', me), e('u.managed_by_id', '=', me)]))

export const selectUnits = (db: Db, me: UserIdExpression) =>
  selectVisibleUnits(db, me).select([
    'u.id',
    'u.property_unit_id',
    'u.property_id',
    'u.landlord_id',
    'u.managed_by_id',
    'u.unit_name',
    'u.room_type',
    'u.furnishing_type',
    'u.furniture_included',
    'u.area_sqft',
    'u.floor_number',
    available.as('is_available'),
    'u.unit_notes',
    'u.unit_amenities',
    'u.is_active',
    iso('u.created_at'),
    iso('u.updated_at'),
  ])

export const selectUnitPage = (
  db: Db,
  me: UserIdExpression,
  property: Expression<unknown>,
  { q, is_available }: UnitQuery,
) =>
  selectUnits(db, me)
    .where('u.property_id', '=', sql<number>`${property}`)
    .$if(q !== undefined, all => all.where('u.unit_name', 'ilike', toContainsPattern(q!)))
    .$if(is_available !== undefined, all => all.where(available, '=', is_available!))

export const selectUnit = (db: Db, me: UserIdExpression, property: Expression<unknown>, id: RecordId) =>
  selectUnits(db, me)
    .where('u.property_id', '=', sql<number>`${property}`)
    .where(e => ('id' in id ? e('u.id', '=', id.id) : e('u.property_unit_id', '=', id.uuid)))

import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { Property, type PropertyQuery } from '@kiraya/sdk/contract'
import { anyIdIn, SQL_TRUE, type Db } from '../../../db/database'
import { toColumns } from '../../domain/fields'
import { containsText } from '../../domain/query'
import type { UserId } from '../../http/reads/reader'
import { unitColumns } from '../units/queries'
import { selectProperty, selectVisibleUnits, type PropertyPath } from '../visibility'

/** The name of a building to those who do not see its creator's. */
export const defaultAlias = sql<string>`coalesce(p.society_building, p.locality, p.city)`

/** The name of the building (`p`) of a unit (`u`): its creator's for the creator's own units alone. */
export const unitPropertyName = sql<string>`case when p.landlord_id = u.landlord_id then p.alias_name else ${defaultAlias} end`

/** Whether a user listed the property, or manages a unit of the landlord who did. */
const isOnCreatorSide = (userId: UserId) => sql<boolean>`(p.is_listed and (
  p.landlord_id = ${userId}
  or exists (
    select from property_units own
    where own.property_id = p.id and own.landlord_id = p.landlord_id
      and own.managed_by_id = ${userId} and own.is_active
  )
))`

/** The alias and the creator are hidden from others in the building. */
function toVisibleColumns(userId: UserId) {
  const isShown = isOnCreatorSide(userId)
  return toColumns('properties as p', Property, {
    alias_name: sql<string>`case when ${isShown} then p.alias_name else ${defaultAlias} end`,
    landlord_id: sql<number | null>`case when ${isShown} then p.landlord_id end`,
  })
}

/** Properties that a user listed or has an active unit in. */
export function selectProperties(db: Db, userId: UserId) {
  const created = db
    .selectFrom('properties as own')
    .where('own.landlord_id', '=', userId)
    .where('own.is_listed', '=', SQL_TRUE)
    .where('own.is_active', '=', SQL_TRUE)
    .select('own.id')
  const withOwnUnits = db
    .selectFrom('property_units as unit')
    .where('unit.landlord_id', '=', userId)
    .where('unit.is_active', '=', SQL_TRUE)
    .select('unit.property_id as id')

  return db
    .selectFrom('properties as p')
    .where('p.is_active', '=', SQL_TRUE)
    .where('p.id', '=', anyIdIn(created.union(withOwnUnits)))
}

export function selectPropertyPage(db: Db, userId: UserId, { q, property_type, pin_code }: PropertyQuery) {
  let properties = selectProperties(db, userId).select(toVisibleColumns(userId))
  if (q !== undefined) {
    const ownAlias = sql`case when ${isOnCreatorSide(userId)} then p.alias_name end`
    properties = properties.where(
      containsText(q, ownAlias, sql`p.society_building`, sql`p.locality`, sql`p.city`),
    )
  }
  if (property_type !== undefined) properties = properties.where('p.property_type', '=', property_type)
  if (pin_code !== undefined) properties = properties.where('p.pin_code', '=', pin_code)
  return properties
}

export function selectPropertyWithUnits(db: Db, userId: UserId, path: PropertyPath) {
  const units = selectVisibleUnits(db, userId)
    .where('u.property_id', '=', sql.ref<number>('p.id'))
    .orderBy('u.id')
    .select(unitColumns)
  return selectProperty(db, userId, path)
    .select(toVisibleColumns(userId))
    .select(jsonArrayFrom(units).as('property_units'))
}

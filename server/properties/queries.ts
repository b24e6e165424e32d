import type { Expression } from 'kysely'
import type { Db } from '../../db/orm'
import type { Id } from '../http/actor'

type Me = Expression<number>

/** The properties that a user created or has an active unit in. */
export const propertiesOf = (db: Db, me: Me) => db.selectFrom('properties as p').where('p.is_active', '=', true)
  .where('p.id', 'in', db.selectFrom('properties as own').where('own.landlord_id', '=', me).where('own.is_active', '=', true).select('own.id')
    .union(db.selectFrom('property_units as unit').where('unit.landlord_id', '=', me).where('unit.is_active', '=', true).select('unit.property_id as id')))
  .select('p.id')

import { sql } from 'kysely'
import { Unit, type PropertyQuery, type PropertySearch } from '@kiraya/sdk/contract'
import { anyOf, iso, yes, type Db } from '../../db/orm'
import { type UserIdExpression } from '../http/authentication'
import { selectJsonArray } from '../http/raw-json'
import { selectUnits, selectVisibleUnits } from '../units/queries'
import { toContainsPattern } from '../domain/query'
import type { RecordId } from '../domain/record-id'

export const propertyColumns = [
  'p.id',
  'p.property_id',
  'p.society_building',
  'p.survey_number',
  'p.road_name',
  'p.locality',
  'p.landmark',
  'p.pin_code',
  'p.district',
  'p.city',
  'p.state',
  'p.country',
  'p.alias_name',
  'p.property_type',
  'p.common_amenities',
  'p.property_approved',
  iso('p.property_approved_at'),
  'p.property_approved_by',
  'p.landlord_id',
  'p.is_active',
  iso('p.created_at'),
  iso('p.updated_at'),
] as const

/** The properties that a user created or has an active unit in. */
export const selectProperties = (db: Db, me: UserIdExpression) =>
  db
    .selectFrom('properties as p')
    .where('p.is_active', '=', yes)
    .where(
      'p.id',
      '=',
      anyOf(
        db
          .selectFrom('properties as own')
          .where('own.landlord_id', '=', me)
          .where('own.is_active', '=', yes)
          .select('own.id')
          .union(
            db
              .selectFrom('property_units as unit')
              .where('unit.landlord_id', '=', me)
              .where('unit.is_active', '=', yes)
              .select('unit.property_id as id'),
          ),
      ),
    )
    .select('p.id')

export const selectPropertyPage = (
  db: Db,
  me: UserIdExpression,
  { q, property_type, pin_code }: PropertyQuery,
) =>
  selectProperties(db, me)
    .clearSelect()
    .select(propertyColumns)
    .$if(q !== undefined, all =>
      all.where(e =>
        e.or(
          (['alias_name', 'society_building', 'locality', 'city'] as const).map(name =>
            e(`p.${name}`, 'ilike', toContainsPattern(q!)),
          ),
        ),
      ),
    )
    .$if(property_type !== undefined, all => all.where('p.property_type', '=', property_type!))
    .$if(pin_code !== undefined, all => all.where('p.pin_code', '=', pin_code!))

/** One property where the user may see it: as its creator, or as landlord or manager of an active unit in it. */
export const selectProperty = (db: Db, me: UserIdExpression, id: RecordId) =>
  db
    .selectFrom('properties as p')
    .where('p.is_active', '=', yes)
    .where(e => ('id' in id ? e('p.id', '=', id.id) : e('p.property_id', '=', id.uuid)))
    .where(e =>
      e.or([
        e('p.landlord_id', '=', me),
        e.exists(selectVisibleUnits(db, me).where('u.property_id', '=', e.ref('p.id')).select('u.id')),
      ]),
    )

export const selectPropertyWithUnits = (db: Db, me: UserIdExpression, id: RecordId) =>
  selectProperty(db, me, id)
    .select(propertyColumns)
    .select(e =>
      selectJsonArray(
        db,
        Unit,
        selectUnits(db, me).where('u.property_id', '=', e.ref('p.id')).orderBy('u.id'),
      ).as('property_units'),
    )

/** How alike two names must be to count. */
const SIMILAR = 0.3
export const MAX_CANDIDATES = 10

/**
 * Buildings that may be the one looked for: a similar name at the same PIN code, the more so at a similar locality. A PIN code
 * has some hundreds of buildings, whose names are compared one by one, and once: the offset keeps the planner from doing it again
 * wherever the result is named. An index of trigrams, which all buildings of the country share, takes longer.
 */
export const selectSimilarBuildings = (
  db: Db,
  _: UserIdExpression,
  { name, pin_code, locality }: PropertySearch,
) => {
  const alike = sql.ref<number>('alike.name')
  const near = sql<number>`coalesce(similarity(p.locality, ${locality}), 0)`
  const weight =
    locality === undefined
      ? sql<number>`round(${alike}::numeric, 4)`
      : sql<number>`round((0.75 * ${alike} + 0.25 * ${near})::numeric, 4)`
  return db
    .selectFrom('properties as p')
    .crossJoinLateral(
      db
        .selectNoFrom(sql<number>`similarity(p.society_building, ${name})`.as('name'))
        .offset(sql.lit(0))
        .as('alike'),
    )
    .where('p.is_active', '=', yes)
    .where('p.pin_code', '=', pin_code)
    .where('alike.name', '>=', SIMILAR)
    .select([
      'p.property_id',
      'p.society_building',
      'p.survey_number',
      'p.road_name',
      'p.locality',
      'p.landmark',
      'p.pin_code',
      'p.district',
      'p.city',
      'p.state',
      'p.country',
      'p.property_type',
    ])
    .select(weight.as('score'))
    .orderBy('score', 'desc')
    .orderBy('p.id')
    .limit(MAX_CANDIDATES)
}

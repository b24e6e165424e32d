import { sql, type Expression } from 'kysely'
import {
  Unit,
  type Property as PropertyView,
  type PropertyCandidate,
  type PropertyQuery,
  type PropertySearch,
  type PropertyWithUnits,
} from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { anyIdIn, SQL_TRUE, toIsoTimestamp, type Db, type EntityManager } from '../../db/database'
import { toSelection, type ColumnsOf } from '../domain/columns'
import { type Actor, type UserIdExpression } from '../http/authentication'
import { selectJsonArray } from '../http/raw-json'
import { selectUnits, selectVisibleUnits } from '../units/queries'
import { toContainsPattern } from '../domain/query'
import type { RecordId } from '../domain/record-id'

/** What everyone may see of a building. */
const buildingColumns: ColumnsOf<Omit<PropertyCandidate, 'score'>> = {
  property_id: 'p.property_id',
  society_building: 'p.society_building',
  survey_number: 'p.survey_number',
  road_name: 'p.road_name',
  locality: 'p.locality',
  landmark: 'p.landmark',
  pin_code: 'p.pin_code',
  district: 'p.district',
  city: 'p.city',
  state: 'p.state',
  country: 'p.country',
  property_type: 'p.property_type',
}

/** A property as its creator sees it. */
export const propertyColumns: ColumnsOf<PropertyView> = {
  id: 'p.id',
  ...buildingColumns,
  alias_name: 'p.alias_name',
  common_amenities: 'p.common_amenities',
  property_approved: 'p.property_approved',
  property_approved_at: toIsoTimestamp(sql.ref('p.property_approved_at')),
  property_approved_by: 'p.property_approved_by',
  landlord_id: 'p.landlord_id',
  is_active: 'p.is_active',
  created_at: toIsoTimestamp(sql.ref('p.created_at')),
  updated_at: toIsoTimestamp(sql.ref('p.updated_at')),
}

/** The name of a building to those who do not see its creator's. */
export const defaultAlias = sql<string>`coalesce(p.society_building, p.locality, p.city)`

/** The name of the building (`p`) of a unit (`u`): its creator's for the creator's own units alone. */
export const unitPropertyName = sql<string>`case when p.landlord_id = u.landlord_id then p.alias_name else ${defaultAlias} end`

/** Whether a user listed the property, or manages a unit of the landlord who did. */
const isOnCreatorSide = (userId: UserIdExpression) => sql<boolean>`(p.is_listed and (
  p.landlord_id = ${userId}
  or exists (
    select from property_units own
    where own.property_id = p.id and own.landlord_id = p.landlord_id
      and own.managed_by_id = ${userId} and own.is_active
  )
))`

/** The alias and the creator are hidden from others in the building. */
function toVisibleColumns(userId: UserIdExpression): ColumnsOf<PropertyView> {
  const isShown = isOnCreatorSide(userId)
  return {
    ...propertyColumns,
    alias_name: sql<string>`case when ${isShown} then p.alias_name else ${defaultAlias} end`,
    landlord_id: sql<number | null>`case when ${isShown} then p.landlord_id end`,
  }
}

/** Properties that a user listed or has an active unit in. */
export function selectProperties(db: Db, userId: UserIdExpression) {
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
    .select('p.id')
}

const searchedColumns = ['p.society_building', 'p.locality', 'p.city'] as const

export function selectPropertyPage(
  db: Db,
  userId: UserIdExpression,
  { q, property_type, pin_code }: PropertyQuery,
) {
  let properties = selectProperties(db, userId)
    .clearSelect()
    .select(toSelection(toVisibleColumns(userId)))
  if (q !== undefined) {
    const pattern = toContainsPattern(q)
    properties = properties.where(e => {
      const isAlias = e.and([isOnCreatorSide(userId), e('p.alias_name', 'ilike', pattern)])
      return e.or([isAlias, ...searchedColumns.map(column => e(column, 'ilike', pattern))])
    })
  }
  if (property_type !== undefined) properties = properties.where('p.property_type', '=', property_type)
  if (pin_code !== undefined) properties = properties.where('p.pin_code', '=', pin_code)
  return properties
}

/** A property that a user may see: as who listed it, or as landlord or manager of an active unit in it. */
export function selectProperty(db: Db, userId: UserIdExpression, id: RecordId) {
  return db
    .selectFrom('properties as p')
    .where('p.is_active', '=', SQL_TRUE)
    .where(e => ('id' in id ? e('p.id', '=', id.id) : e('p.property_id', '=', id.uuid)))
    .where(e =>
      e.or([
        e.and([e('p.landlord_id', '=', userId), e('p.is_listed', '=', SQL_TRUE)]),
        e.exists(selectVisibleUnits(db, userId).where('u.property_id', '=', e.ref('p.id')).select('u.id')),
      ]),
    )
}

export function selectPropertyWithUnits(db: Db, userId: UserIdExpression, id: RecordId) {
  const units = selectUnits(db, userId).where('u.property_id', '=', sql.ref<number>('p.id')).orderBy('u.id')
  return selectProperty(db, userId, id)
    .select(toSelection(toVisibleColumns(userId)))
    .select(selectJsonArray(db, Unit, units).as('property_units'))
}

/** Reads a property back in the transaction that changed it. */
export async function loadPropertyView(
  em: EntityManager,
  actor: Actor,
  id: number,
): Promise<PropertyWithUnits> {
  const [view] = await executeCompiled(em, selectPropertyView, { userId: actor.id, id })
  return view!
}

function selectPropertyView(db: Db, { userId, id }: { userId: number; id: number }) {
  return selectPropertyWithUnits(db, sql.val(userId), { id })
}

/** Whether a building is still there: someone has listed it, or has a unit in it. */
const isInUse = sql<boolean>`(
  p.is_listed or exists (select from property_units used where used.property_id = p.id and used.is_active)
)`

/** The least trigram similarity of two names that counts. */
const MIN_SIMILARITY = 0.3
/** A comparison takes the longer the longer the names are. */
const MAX_COMPARED = 100
export const MAX_CANDIDATES = 10

/** What of a name is compared. */
const toCompared = (name: Expression<unknown>) => sql`left(${name}, ${sql.lit(MAX_COMPARED)})`

/**
 * Buildings with a similar name at the same PIN code; a similar locality raises the score. A PIN code has
 * some hundreds of buildings, so comparing each name once is faster than an index of all trigrams of the
 * country. The offset keeps the planner from comparing again wherever the result is named.
 */
export function selectSimilarBuildings(
  db: Db,
  _: UserIdExpression,
  { name, pin_code, locality }: PropertySearch,
) {
  const comparison = db
    .selectNoFrom(
      sql<number>`similarity(${toCompared(sql.ref('p.society_building'))}, ${toCompared(sql`${name}`)})`.as(
        'name',
      ),
    )
    .offset(sql.lit(0))
    .as('similar')
  const byName = sql.ref<number>('similar.name')
  const byLocality = sql<number>`coalesce(similarity(${toCompared(sql.ref('p.locality'))}, ${toCompared(sql`${locality}`)}), 0)`
  const score =
    locality === undefined
      ? sql<number>`round(${byName}::numeric, 4)`
      : sql<number>`round((0.75 * ${byName} + 0.25 * ${byLocality})::numeric, 4)`

  return db
    .selectFrom('properties as p')
    .crossJoinLateral(comparison)
    .where('p.is_active', '=', SQL_TRUE)
    .where('p.pin_code', '=', pin_code)
    .where('similar.name', '>=', MIN_SIMILARITY)
    .where(isInUse)
    .select(toSelection(buildingColumns))
    .select(score.as('score'))
    .orderBy('score', 'desc')
    .orderBy('p.id')
    .limit(MAX_CANDIDATES)
}

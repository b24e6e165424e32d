import { sql, type Expression } from 'kysely'
import { PropertyCandidate, type PropertySearch } from '@kiraya/sdk/contract'
import { SQL_TRUE, type Db } from '../../../db/database'
import { toColumns } from '../../domain/fields'
import { toSpelling } from '../../domain/query'
import type { Reader, UserId } from '../../http/reads/reader'

/** Whether a building is still there: someone has listed it, or has a unit in it. */
const isInUse = sql<boolean>`(
  p.is_listed or exists (select from property_units used where used.property_id = p.id and used.is_active)
)`

/** The least trigram similarity of two names that counts. */
const MIN_SIMILARITY = 0.3
/** A comparison takes the longer the longer the names are. */
const MAX_COMPARED = 100
const MAX_CANDIDATES = 10

/** Finds the best candidates, as one page. */
export async function searchBuildings(reader: Reader, query: PropertySearch) {
  const { data, total } = await reader.all(selectSimilarBuildings, query)
  const total_pages = Math.ceil(total / MAX_CANDIDATES)
  return { data, metadata: { page: 1, limit: MAX_CANDIDATES, total, total_pages } }
}

/** What of a name is compared; similarity disregards case and blanks by itself. ASCII has one spelling. */
const toCompared = (name: Expression<unknown>) => sql`left(
  case when octet_length(${name}) = length(${name}) then ${name} else ${toSpelling(name)} end,
  ${sql.lit(MAX_COMPARED)}
)`

/** How similar a column is to a text of the request, whose spelling a select of its own computes once. */
const toSimilarity = (column: 'p.society_building' | 'p.locality', text: string) =>
  sql<number>`similarity(
    ${toCompared(sql.ref(column))},
    (select ${toCompared(sql.ref('sought.text'))} from (select ${text}::text) as sought (text))
  )`

/**
 * Buildings with a similar name at the same PIN code; a similar locality raises the score. A PIN code has
 * some hundreds of buildings, so comparing each name once is faster than an index of all trigrams of the
 * country. The offset keeps the planner from comparing again wherever the result is named.
 */
export function selectSimilarBuildings(db: Db, _: UserId, { name, pin_code, locality }: PropertySearch) {
  const comparison = db
    .selectNoFrom(toSimilarity('p.society_building', name).as('name'))
    .offset(sql.lit(0))
    .as('similar')
  const byName = sql.ref<number>('similar.name')
  const score =
    locality === undefined
      ? sql<number>`round(${byName}::numeric, 4)`
      : sql<number>`round(
          (0.75 * ${byName} + 0.25 * coalesce(${toSimilarity('p.locality', locality)}, 0))::numeric, 4
        )`

  return db
    .selectFrom('properties as p')
    .crossJoinLateral(comparison)
    .where('p.is_active', '=', SQL_TRUE)
    .where('p.pin_code', '=', pin_code)
    .where('similar.name', '>=', MIN_SIMILARITY)
    .where(isInUse)
    .select(toColumns('properties as p', PropertyCandidate, { score }))
    .orderBy('score', 'desc')
    .orderBy('p.id')
    .limit(MAX_CANDIDATES)
}

import { StatementDays } from '@kiraya/sdk/contract/statements'
import type { Schema } from '../input/flags'
import { UsageError } from '../runtime/errors'

type Days = { from?: string; to?: string }
type WithYear<Query> = Query & { year?: string }

/** Adds a year from April to March to a query that the API narrows by days alone. */
export const addYear = <Query extends Days>({ properties, ...query }: Schema<Query>) =>
  ({ ...query, properties: { ...properties, year: StatementDays.properties.year } }) as Schema<
    WithYear<Query>
  >

/** Returns the query with the days of its year. */
export function replaceYear<Query extends Days>({ year, ...query }: WithYear<Query>) {
  if (year === undefined) return query
  if (query.from !== undefined || query.to !== undefined)
    throw new UsageError('--year stands for --from and --to: give one or the other')
  const [, start, end] = /^(\d{4})-(\d\d)$/.exec(year) ?? []
  const next = Number(start) + 1
  if (Number(end) !== next % 100)
    throw new UsageError(`--year must be a year from April to March, such as 2026-27; it is ${year}`)
  return { ...query, from: `${start}-04-01`, to: `${next}-03-31` }
}

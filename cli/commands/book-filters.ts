import { UsageError } from '../runtime/errors'

/** How money goes back. */
export const paymentMethods = ['cash', 'upi', 'bank_transfer', 'cheque'] as const

/** What narrows lists of charges and payments. */
export const bookFilters = {
  agreement_id: { kind: 'agreement', alias: 'agreement', description: 'id or agreement number' },
  property_unit_id: {
    kind: 'unit',
    alias: 'unit',
    description: 'id, or property and name as "White House/A-101"',
  },
  from: { kind: 'text', description: 'YYYY-MM-DD, the first day' },
  to: { kind: 'text', description: 'YYYY-MM-DD, the last day' },
} as const

/** The flag of lists that the API narrows by days alone. */
export const YEAR_FLAG = ['--year <year>', 'April to March, such as 2026-27, instead of days'] as const

type Days = { from?: string; to?: string }

/** Returns the query with the days of its year. */
export function replaceYear<Query extends Days>(query: Query, { year }: { year?: string }): Query {
  if (year === undefined) return query
  if (query.from !== undefined || query.to !== undefined)
    throw new UsageError('--year stands for --from and --to: give one or the other')
  const [, start, end] = /^(\d{4})-(\d\d)$/.exec(year) ?? []
  const next = Number(start) + 1
  if (Number(end) !== next % 100)
    throw new UsageError(`--year must be a year from April to March, such as 2026-27; it is ${year}`)
  return { ...query, from: `${start}-04-01`, to: `${next}-03-31` }
}

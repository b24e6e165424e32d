import { sql } from 'kysely'
import type { Agreement } from '../../db/entities'
import { toMonthEnd } from '../domain/dates'

export type Term = Pick<Agreement, 'auto_renew' | 'billing_cycle' | 'agreement_end_date' | 'termination_date'>

/**
 * Returns the last day for which a lease is charged: that of its termination, but no day beyond a tenure that does not
 * renew itself. A lease that does is charged by whole months.
 */
export function getLastChargedDay(term: Term) {
  const { auto_renew, billing_cycle, agreement_end_date, termination_date } = term
  if (!auto_renew)
    return termination_date && termination_date < agreement_end_date ? termination_date : agreement_end_date
  if (termination_date) return termination_date
  return billing_cycle === 'calendar_month' ? toMonthEnd(agreement_end_date) : agreement_end_date
}

/** The same day of an agreement of a query. */
export function toLastChargedDay(agreement: string) {
  const [renews, cycle, ends, terminated] = [
    'auto_renew',
    'billing_cycle',
    'agreement_end_date',
    'termination_date',
  ].map(column => sql.ref(`${agreement}.${column}`))
  const monthEnd = sql`(date_trunc('month', ${ends}) + interval '1 month' - interval '1 day')::date`
  return sql<string>`case when not ${renews} then least(${terminated}, ${ends})
    else coalesce(${terminated}, case when ${cycle} = 'calendar_month' then ${monthEnd} else ${ends} end) end`
}

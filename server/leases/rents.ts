import { sql } from 'kysely'
import type { RentRounding } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import type { Agreement } from '../../db/entities'
import { findDayAtLimit, projectRents, toRent } from '../domain/rents'

type Revision = { effective_on: string; rent_amount: number }

/** Lists the rents of a lease, from the days on which they apply. */
export function listRents(agreement: Agreement, revisions: Revision[]) {
  return projectRents(toRentTerms(agreement), revisions.map(toRent))
}

/** Returns the day within the tenure on which the rent reaches the highest amount, if there is one. */
export function findRentLimitDay(agreement: Agreement, revisions: Revision[]) {
  return findDayAtLimit(toRentTerms(agreement), revisions.map(toRent))
}

function toRentTerms(agreement: Agreement) {
  const { escalation_percent = null, escalation_every_months = null } = agreement
  const rent_rounding = agreement.rent_rounding as RentRounding
  return { ...agreement, escalation_percent, escalation_every_months, rent_rounding }
}

/** Loads the rents that were accepted, in the order of their days. */
export function loadRevisions(em: EntityManager, ids: number[]) {
  return executeCompiled(em, selectRevisions, { ids })
}

function selectRevisions(db: Db, { ids }: { ids: number[] }) {
  return (
    db
      .selectFrom('rent_revisions')
      .where(sql<boolean>`agreement_id = any(${ids}::int[])`)
      // A parameter would keep the partial index from being used.
      .where('status', '=', sql.lit('accepted'))
      .orderBy('effective_on')
      .select(['agreement_id', 'effective_on', 'rent_amount', 'source'])
  )
}

/**
 * The last day for which an agreement of a query is charged: that of its termination, but no day beyond a tenure that
 * does not renew itself.
 */
export const toLastChargedDay = (agreement: string) => {
  const [renews, terminated, ends] = ['auto_renew', 'termination_date', 'agreement_end_date'].map(column =>
    sql.ref(`${agreement}.${column}`),
  )
  return sql<string>`case when ${renews} then coalesce(${terminated}, ${ends}) else least(${terminated}, ${ends}) end`
}

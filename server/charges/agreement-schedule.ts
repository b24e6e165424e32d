import { sql } from 'kysely'
import type { RentRounding } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import type { Agreement } from '../../db/entities'
import type { Books } from '../ledger/books'
import { findDayAtLimit, projectRents, toRent, type Rent } from './rents'
import { listBookedInstalments, type PostedPeriod } from './schedule'

type Revision = { agreement_id: number; effective_on: string; rent_amount: number }

/** Lists the instalments of the books, in the order in which they fall due. */
export function listInstalments(
  { agreement, ledger }: Books,
  rents: Rent[],
  posted: PostedPeriod[],
  through?: string,
) {
  return listBookedInstalments(toBillingTerms(agreement), rents, posted, ledger.starts_on, through)
}

/** Loads what the schedules of agreements have posted. */
export function loadPostedInstalments(em: EntityManager, ids: number[]) {
  return executeCompiled(em, selectPostedInstalments, { ids })
}

function selectPostedInstalments(db: Db, { ids }: { ids: number[] }) {
  return db
    .selectFrom('charges')
    .where(sql<boolean>`agreement_id = any(${ids}::int[])`)
    .where('source', '=', 'schedule')
    .select(['agreement_id', 'type', 'item', 'period_start', 'period_end'])
}

/** Lists the rents of a lease, from the days on which they apply. */
export function listRents(agreement: Agreement, revisions: Revision[]) {
  return projectRents(toRentTerms(agreement), revisions.map(toRent))
}

/** Returns the day within the tenure on which the rent reaches the highest amount, if there is one. */
export function findRentLimitDay(agreement: Agreement, revisions: Omit<Revision, 'agreement_id'>[]) {
  return findDayAtLimit(toRentTerms(agreement), revisions.map(toRent))
}

function toBillingTerms(agreement: Agreement) {
  const { recurring_charges = null } = agreement
  return { ...agreement, recurring_charges, rent_rounding: toRounding(agreement) }
}

function toRentTerms(agreement: Agreement) {
  const { escalation_percent = null, escalation_every_months = null } = agreement
  return { ...agreement, escalation_percent, escalation_every_months, rent_rounding: toRounding(agreement) }
}

const toRounding = ({ rent_rounding }: Agreement) => rent_rounding as RentRounding

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

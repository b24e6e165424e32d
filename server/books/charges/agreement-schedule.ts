import { sql } from 'kysely'
import type { RentRounding } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { Agreement } from '../../../db/entities'
import type { Books } from '../ledger/books'
import type { Rent } from '../../domain/rents'
import { listBookedInstalments, type PostedPeriod } from './schedule'

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

function toBillingTerms(agreement: Agreement) {
  const { recurring_charges = null } = agreement
  return { ...agreement, recurring_charges, rent_rounding: agreement.rent_rounding as RentRounding }
}

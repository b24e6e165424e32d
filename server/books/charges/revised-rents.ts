import { executeCompiled, findEntities } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { Charge, type RentRevision } from '../../../db/entities'
import { addDays } from '../../domain/dates'
import { listRents, loadRevisions } from '../../leases/rents'
import { toWhen, type Books, type Posting } from '../ledger/books'
import { creditCharge, postCharge } from '../ledger/postings'
import { listInstalments, loadPostedInstalments } from './agreement-schedule'
import { RENT_ITEM, toRevisionItem, type ProjectedInstalment } from './schedule'
import { getLastDay, POSTING_LEAD_DAYS, recordEscalations } from './schedule-posting'

/**
 * Applies an accepted rent. What is not posted yet follows the schedule. A posted rent whose period reaches the new
 * rent's day is corrected by the difference that the schedule has for that period: a credit if it is less, a further
 * charge of the same period if it is more. Later escalations are computed from the new rent.
 */
export async function applyRevision(
  em: EntityManager,
  books: Books,
  revision: RentRevision,
  posting: Posting,
) {
  const { agreement } = books
  const { effective_on, rent_amount } = revision
  const known = await loadRevisions(em, [agreement.id])
  await executeCompiled(em, deleteEscalationsFrom, { agreementId: agreement.id, day: effective_on })
  const kept = known.filter(each => each.effective_on < effective_on || each.source === 'landlord')
  const accepted = { agreement_id: agreement.id, effective_on, rent_amount, source: 'landlord' as const }
  const rents = listRents(agreement, [...kept, accepted])
  const periods = await loadPostedInstalments(em, [agreement.id])
  const before = listInstalments(books, listRents(agreement, known), periods)
  const after = listInstalments(books, rents, periods)

  const given = { agreementId: agreement.id, day: effective_on }
  const posted = await findEntities(em, Charge, selectPostedRents, given)
  recordEscalations(em, books, rents, getLastDay(posted, addDays(posting.today, POSTING_LEAD_DAYS)))
  for (const charge of posted) {
    const difference = getRentOfPeriod(after, charge) - getRentOfPeriod(before, charge)
    await postRentDifference(em, books, charge, difference, posting)
  }
}

/** Returns the rent that a schedule has for the period of a charge, in paise. */
function getRentOfPeriod(instalments: ProjectedInstalment[], { period_start }: Charge) {
  const rent = instalments.find(each => each.type === 'rent' && each.period_start === period_start)
  return rent?.amount ?? 0
}

async function postRentDifference(
  em: EntityManager,
  books: Books,
  charge: Charge,
  difference: number,
  posting: Posting,
) {
  if (difference > 0) return postFurtherRent(em, books, charge, difference, posting)
  if (difference === 0) return
  await creditCharge(em, books, charge, { amount: -difference, reason: 'correction' }, toWhen(posting))
}

/** The charge belongs to the schedule too, with an item of its own, so that the end of the lease pro-rates both. */
async function postFurtherRent(
  em: EntityManager,
  books: Books,
  charge: Charge,
  amount: number,
  posting: Posting,
) {
  const { period_start, period_end } = charge
  const parts = await executeCompiled(em, selectFurtherRents, { chargeId: charge.id })
  const due_date = charge.due_date > posting.today ? charge.due_date : posting.today
  const rent = {
    type: 'rent' as const,
    description: 'Rent, revised',
    due_date,
    amount,
    period_start,
    period_end,
    source: 'schedule' as const,
    item: toRevisionItem(parts.length),
    base_charge_id: charge.id,
  }
  postCharge(em, books, rent, posting)
}

type From = { agreementId: number; day: string }

/** Those after the day are written down again, from the new rent, as the schedule reaches them. */
function deleteEscalationsFrom(db: Db, { agreementId, day }: From) {
  return db
    .deleteFrom('rent_revisions')
    .where('agreement_id', '=', agreementId)
    .where('source', '=', 'escalation')
    .where('effective_on', '>=', day)
}

function selectPostedRents(db: Db, { agreementId, day }: From) {
  return db
    .selectFrom('charges')
    .where('agreement_id', '=', agreementId)
    .where('source', '=', 'schedule')
    .where('type', '=', 'rent')
    .where('item', '=', RENT_ITEM)
    .where('period_end', '>=', day)
    .orderBy('id')
}

function selectFurtherRents(db: Db, { chargeId }: { chargeId: number }) {
  return db
    .selectFrom('charges')
    .where('base_charge_id', '=', chargeId)
    .where('source', '=', 'schedule')
    .select('id')
}

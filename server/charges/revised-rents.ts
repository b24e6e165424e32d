import { executeCompiled, findEntities } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { Charge, type RentRevision } from '../../db/entities'
import { getCreditable, loadAllocations, type Books, type Posting } from '../ledger/books'
import { postCharge, postCredit } from '../ledger/postings'
import { getLateFeeDay } from './late-fees'
import { listInstalments, listRents, loadRevisions } from './schedule-posting'

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
  await executeCompiled(em, deleteLaterEscalations, { agreementId: agreement.id, day: effective_on })
  const kept = known.filter(each => each.effective_on < effective_on || each.source === 'landlord')
  const accepted = { agreement_id: agreement.id, effective_on, rent_amount, source: 'landlord' as const }
  const before = listInstalments(books, listRents(agreement, known))
  const after = listInstalments(books, listRents(agreement, [...kept, accepted]))

  const given = { agreementId: agreement.id, day: effective_on }
  for (const charge of await findEntities(em, Charge, selectPostedRents, given)) {
    const amountOf = (instalments: typeof before) =>
      instalments.find(each => each.type === 'rent' && each.period_start === charge.period_start)?.amount ?? 0
    await correct(em, books, charge, amountOf(after) - amountOf(before), posting)
  }
}

async function correct(
  em: EntityManager,
  books: Books,
  charge: Charge,
  difference: number,
  posting: Posting,
) {
  if (difference > 0) return postFurtherRent(em, books, charge, difference, posting)
  if (difference === 0) return
  if (!books.charges.some(({ id }) => id === charge.id)) books.charges.push(charge)
  await loadAllocations(em, books, { chargeId: charge.id })
  const amount = Math.min(-difference, getCreditable(books, charge))
  if (amount <= 0) return
  postCredit(books, charge, { amount, reason: 'correction', effectiveOn: posting.today }, posting)
}

/** It is of the schedule too, below the items of the instalment, so that the end of the lease pro-rates both. */
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
  }
  const item = -1 - parts.length
  const late_fee_on = getLateFeeDay(books.agreement, rent)
  postCharge(
    em,
    books,
    { ...rent, source: 'schedule', item, base_charge_id: charge.id, late_fee_on },
    posting,
  )
}

type From = { agreementId: number; day: string }

/** They are written down again, from the new rent, when the schedule reaches them. */
function deleteLaterEscalations(db: Db, { agreementId, day }: From) {
  return db
    .deleteFrom('rent_revisions')
    .where('agreement_id', '=', agreementId)
    .where('source', '=', 'escalation')
    .where('effective_on', '>', day)
}

function selectPostedRents(db: Db, { agreementId, day }: From) {
  return db
    .selectFrom('charges')
    .where('agreement_id', '=', agreementId)
    .where('source', '=', 'schedule')
    .where('type', '=', 'rent')
    .where('item', '=', 0)
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

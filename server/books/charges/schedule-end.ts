import { findEntities } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { Charge, type Agreement } from '../../../db/entities'
import { toPaise } from '../../domain/money'
import { listRents, loadRevisions } from '../../leases/rents'
import { loadBooks, toWhen, type Books, type Posting } from '../ledger/books'
import { creditCharge } from '../ledger/postings'
import { listInstalments } from './agreement-schedule'
import { finishPosting } from './late-fees'
import { isRevisionItem, splitByPosted, toInstalmentKey, type ProjectedInstalment } from './schedule'
import { postInstalment, recordEscalations } from './schedule-posting'

/**
 * Ends the schedule of a lease that ends on a day: posts what began before and is not posted, and credits the days
 * after it. Nothing is charged beyond a tenure that does not renew itself.
 */
export async function endSchedule(em: EntityManager, agreement: Agreement, endsOn: string, posting: Posting) {
  const { auto_renew, agreement_end_date } = agreement
  const lastDay = auto_renew || endsOn < agreement_end_date ? endsOn : agreement_end_date
  const [books] = await loadBooks(em, [agreement])
  if (!books) return
  const ended = { ...agreement, agreement_end_date: lastDay }
  const rents = listRents(ended, await loadRevisions(em, [agreement.id]))
  recordEscalations(em, books, rents, lastDay)

  const charges = await findEntities(em, Charge, selectScheduledCharges, { agreementId: agreement.id })
  const used = listInstalments({ ...books, agreement: ended }, rents, charges)
  for (const instalment of splitByPosted(used, charges).open) postInstalment(em, books, instalment, posting)
  await creditUnusedDays(em, books, charges, used, { ...posting, lastDay })

  books.ledger.next_posting_on = null
  await finishPosting(em, [books], posting)
}

type Ending = Posting & { lastDay: string }

/** Credits what charges of the schedule are for beyond the instalments that were used. */
async function creditUnusedDays(
  em: EntityManager,
  books: Books,
  charges: Charge[],
  used: ProjectedInstalment[],
  ending: Ending,
) {
  const usedAmounts = new Map(used.map(each => [toInstalmentKey(each), each.amount]))
  const furtherParts = Map.groupBy(charges, ({ base_charge_id }) => base_charge_id)
  for (const charge of charges) {
    if (isRevisionItem(charge.item)) continue
    let usedAmount = usedAmounts.get(toInstalmentKey(charge)) ?? 0
    // A revised rent is in several charges: what one of them leaves of the used days the next one is for.
    for (const part of [charge, ...(furtherParts.get(charge.id) ?? [])])
      usedAmount = await creditUnused(em, books, part, usedAmount, ending)
  }
}

/** Credits what a charge is for beyond `used`, in paise, and returns what it leaves of that. */
async function creditUnused(
  em: EntityManager,
  books: Books,
  charge: Charge,
  used: number,
  { lastDay, ...posting }: Ending,
) {
  const charged = toPaise(charge.amount) - toPaise(charge.amount_credited)
  const reachesBeyond = Boolean(charge.period_end && charge.period_end > lastDay)
  const credit = { amount: charged - used, reason: 'proration' as const }
  if (reachesBeyond && charged > used) await creditCharge(em, books, charge, credit, toWhen(posting))
  return Math.max(0, used - charged)
}

function selectScheduledCharges(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('charges')
    .where('agreement_id', '=', agreementId)
    .where('source', '=', 'schedule')
    .where('period_start', 'is not', null)
    .orderBy('id')
}

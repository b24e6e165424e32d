import { sql } from 'kysely'
import { executeCompiled, findEntities } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { Charge } from '../../../db/entities'
import { sumPaise, toPaise } from '../../domain/money'
import { isOpen, saveBooks, toSystem, type Books, type Posting } from '../ledger/books'
import { creditCharge, loadCreditable } from '../ledger/postings'
import { applyDueAdvances } from './due-advances'
import { getCharged, postCharge } from './posted'
import {
  canBeLate,
  computeLateFees,
  getLastSafeDay,
  getFirstPostingDay,
  hasLateFee,
  listPostingDays,
  type Balance,
} from './late-fee-rules'

/** The first day of all. */
const BEFORE_ALL = '0001-01-01'

type ReviewOptions = {
  /** Why less is due than was posted: the charge was paid earlier, or it was credited. */
  reason?: 'paid_in_time' | 'correction'
  /** The day on which what is outstanding will be settled. */
  settledOn?: string
}

/**
 * Ends every change of books: what is due is settled with the advances, the books are saved, and the late fees of the
 * charges that this touches, and those whose day has come, are reviewed. A fee that is posted or taken back is such a
 * change again.
 */
export async function finishPosting(posting: Posting, allBooks: Books[]) {
  for (const books of allBooks) applyDueAdvances(books, posting)
  const reviews = allBooks.map(books => ({ books, due: listReviews(books, posting) }))
  await saveBooks(posting, ...allBooks)
  for (const { books, due } of reviews)
    for (const [charge, options] of due) await reviewLateFees(posting, books, charge, options)
  const changed = allBooks.filter(({ journals }) => journals.length > 0)
  if (changed.length > 0) await finishPosting(posting, changed)
}

/** Lists the charges whose late fees may change with the journals of their books. */
function listReviews({ agreement, charges, journals }: Books, { today }: Posting) {
  const reviews = new Map<Charge, ReviewOptions>()
  if (!hasLateFee(agreement)) return reviews
  const options: ReviewOptions = agreement.late_fee_pauses ? { reason: 'correction' } : {}
  for (const charge of charges)
    if (charge.late_fee_on && charge.late_fee_on <= today) reviews.set(charge, options)
  for (const { charge } of journals) if (charge) reviews.set(charge, {})
  for (const { charge, kind } of journals)
    if (kind === 'credit') reviews.set(charge!, { reason: 'correction' })
  return reviews
}

/**
 * Brings the late fees of a charge to what is due by today: credits what is too much of them, or posts what is
 * missing on a posting day that has come. What settles the charge has to be saved.
 */
async function reviewLateFees(
  posting: Posting,
  books: Books,
  charge: Charge,
  { reason = 'paid_in_time', settledOn }: ReviewOptions = {},
) {
  const { agreement } = books
  const { em, today } = posting
  if (!canBeLate(agreement, charge)) return
  const isClosed = agreement.status === 'COMPLETED'
  const isAccruing = isOpen(charge) && !isClosed
  const awaited = charge.late_fee_on ?? today
  // A pause may begin to cover days that have cost.
  if (!agreement.late_fee_pauses && today <= getLastSafeDay(agreement, charge)) {
    charge.late_fee_on = isAccruing ? getFirstPostingDay(agreement, charge) : null
    return
  }
  const fees = await loadLateFees(em, charge)
  const balances = await listBalances(em, charge, settledOn)
  const compute = (day: string) => computeLateFees(agreement, charge, balances, day)
  const days = listPostingDays(agreement, charge, balances)
  const next = days.find(day => day > today) ?? null
  if (!settledOn) charge.late_fee_on = isAccruing ? next : null

  const newest = fees.at(-1)?.fee
  if (newest) await lowerLateFees(posting, books, fees, { total: compute(newest.due_date), reason })
  if (isClosed) return
  const missed = days.filter(day => day >= awaited && day <= today)
  // What no later day posts is posted at once.
  for (const day of missed.length === 0 && !next ? days.slice(-1) : missed)
    await raiseLateFees(posting, books, { charge, fees }, { day, total: compute(day) })
}

/** Posts the late fees that the open charges have if they are settled on a day. */
export async function postAccruedLateFees(posting: Posting, books: Books, settledOn: string) {
  for (const charge of books.charges.filter(isOpen))
    await reviewLateFees(posting, books, charge, { settledOn })
  await finishPosting(posting, [books])
}

/** Returns by how much these fees differ from those that are posted, in paise. */
export async function computeAccruedLateFees(em: EntityManager, books: Books, settledOn: string) {
  const { agreement } = books
  let accrued = 0
  for (const charge of books.charges.filter(isOpen)) {
    if (!canBeLate(agreement, charge)) continue
    const balances = await listBalances(em, charge, settledOn)
    const due = computeLateFees(agreement, charge, balances, settledOn)
    const fees = await loadLateFees(em, charge)
    // No more is credited than stands of the fees.
    accrued += Math.max(due - sumPosted(fees), -sumStanding(fees))
  }
  return accrued
}

/** `waived`: what people credited of a fee, in paise. It counts as posted, so that it does not return. */
type PostedFee = { fee: Charge; waived: number }

const sumPosted = (fees: PostedFee[]) => sumStanding(fees) + sumPaise(fees.map(({ waived }) => waived))
const sumStanding = (fees: PostedFee[]) => sumPaise(fees.map(({ fee }) => getCharged(fee)))

/** Credits what is posted beyond a total, the newest fee first. */
async function lowerLateFees(
  posting: Posting,
  books: Books,
  fees: PostedFee[],
  { total, reason }: { total: number; reason: NonNullable<ReviewOptions['reason']> },
) {
  let tooMuch = sumPosted(fees) - total
  for (const { fee } of fees.toReversed()) {
    const amount = Math.min(tooMuch, getCharged(fee))
    if (amount > 0) tooMuch -= await creditCharge(toSystem(posting), books, fee, { amount, reason })
  }
}

/** Posts what is missing of a total. One fee of a month stands: one that is too small is taken back. */
async function raiseLateFees(
  posting: Posting,
  books: Books,
  { charge, fees }: { charge: Charge; fees: PostedFee[] },
  { day, total }: { day: string; total: number },
) {
  if (total <= sumPosted(fees)) return
  const standing = fees.find(({ fee }) => getCharged(fee) > 0 && toMonth(fee.due_date) === toMonth(day))
  if (standing && !(await takeBackLateFee(posting, books, standing.fee))) return
  const { id, period_start, period_end } = charge
  const fee = {
    type: 'late_fee' as const,
    period_start,
    period_end,
    due_date: day,
    amount: total - sumPosted(fees),
    source: 'late_fee' as const,
    base_charge_id: id,
  }
  fees.push({ fee: postCharge(toSystem(posting), books, fee), waived: 0 })
}

const toMonth = (date: string) => date.slice(0, 7)

/** Credits a fee as a whole, and says whether it could: what the deposit settled is final. */
async function takeBackLateFee(posting: Posting, books: Books, fee: Charge) {
  const amount = getCharged(fee)
  if ((await loadCreditable(posting.em, books, fee)) < amount) return false
  await creditCharge(toSystem(posting), books, fee, { amount, reason: 'correction' })
  // The database allows one fee of a month that stands.
  await saveBooks(posting, books)
  return true
}

/** Loads the late fees of a charge, the oldest first. */
async function loadLateFees(em: EntityManager, { id }: Charge): Promise<PostedFee[]> {
  const fees = await findEntities(em, Charge, selectLateFees, { baseId: id })
  if (fees.length === 0) return []
  const credits = await executeCompiled(em, selectWaived, { baseId: id })
  const waived = new Map(credits.map(({ charge_id, amount }) => [charge_id, toPaise(Number(amount))]))
  return fees.map(fee => ({ fee, waived: waived.get(fee.id) ?? 0 }))
}

function selectLateFees(db: Db, { baseId }: { baseId: number }) {
  return db
    .selectFrom('charges')
    .where('base_charge_id', '=', baseId)
    .where('source', '=', 'late_fee')
    .orderBy('id')
}

/** Sums the credits of fees that are not the system's own: those have no actor. */
const selectWaived = (_: Db, { baseId }: { baseId: number }) => sql<{ charge_id: number; amount: number }>`
  select fee.id as charge_id, sum(line.credit) as amount
  from charges fee join journals journal on journal.charge_id = fee.id and journal.kind = 'credit'
  join journal_lines line on line.journal_id = journal.id and line.account = 'receivable'
  where fee.base_charge_id = ${baseId} and fee.source = 'late_fee' and journal.actor_id is not null
  group by fee.id`

/**
 * Lists what was outstanding of a charge from each day on. Payments count from the day on which they were made;
 * `settledOn` is the day on which the rest will be settled.
 */
async function listBalances(em: EntityManager, charge: Charge, settledOn?: string) {
  const settlements = await executeCompiled(em, selectSettlements, { chargeId: charge.id })
  let outstanding = toPaise(charge.amount)
  const balances: Balance[] = [{ from: BEFORE_ALL, outstanding }]
  for (const { day, amount } of settlements) {
    outstanding -= toPaise(Number(amount))
    balances.push({ from: day, outstanding })
  }
  return settledOn ? [...balances, { from: settledOn, outstanding: 0 }] : balances
}

/**
 * Sums what settled a charge by day. Of credits, only a write-off has its own day: the others were never owed. What
 * the deposit settled counts from the day of the proposal.
 */
const selectSettlements = (_: Db, { chargeId }: { chargeId: number }) => sql<{ day: string; amount: number }>`
  select day::date as day, sum(amount) as amount from (
    select payment.paid_on as day, allocation.amount
    from payment_allocations allocation join payments payment on payment.id = allocation.payment_id
    where allocation.charge_id = ${chargeId}
    union all
    select case when journal.kind = 'settlement' then settlement.proposed_on
      when journal.reason = 'write_off' then journal.effective_on else ${BEFORE_ALL}::date end, line.credit
    from journals journal join journal_lines line on line.journal_id = journal.id
    left join deposit_settlements settlement on settlement.agreement_id = journal.agreement_id
    where journal.charge_id = ${chargeId} and journal.kind in ('credit', 'settlement')
      and not exists (select from journals undone where undone.reverses_id = journal.id)
      and line.account = 'receivable'
  ) settlement
  group by day order by day`

import { sql } from 'kysely'
import { executeCompiled, findEntities } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { Charge } from '../../../db/entities'
import { toPaise } from '../../domain/money'
import { getOutstanding, saveBooks, toWhen, type Books, type Posting } from '../ledger/books'
import { creditCharge, loadCreditable } from '../ledger/postings'
import { applyDueAdvances } from './due-advances'
import { getCharged, postCharge } from './posted'
import {
  canBeLate,
  getLastSafeDay,
  getLateFeeDay,
  hasLateFee,
  projectLateFee,
  type Balance,
  type LateFee,
} from './late-fee-rules'

/** The first day of all. */
const BEFORE_ALL = '0001-01-01'

type ReviewOptions = {
  /** Why less of a posted fee is due than was: its charge was paid earlier, or it was credited. */
  reason?: 'paid_in_time' | 'correction'
  /** The day on which what is outstanding will be settled. */
  settledOn?: string
}

/**
 * Ends every change of books: what is due is settled with the advances, the books are saved, and the late fees of the
 * charges that this touches, and those whose day has come, are reviewed. A fee that is posted or taken back is such a
 * change again.
 */
export async function finishPosting(em: EntityManager, allBooks: Books[], posting: Posting) {
  for (const books of allBooks) applyDueAdvances(books, posting)
  const reviews = allBooks.map(books => ({ books, due: listReviews(books, posting) }))
  await saveBooks(em, posting.now, ...allBooks)
  for (const { books, due } of reviews)
    for (const [charge, options] of due) await reviewLateFee(em, books, charge, posting, options)
  const changed = allBooks.filter(({ journals }) => journals.length > 0)
  if (changed.length > 0) await finishPosting(em, changed, posting)
}

/** Lists the charges whose late fees may change with the journals of their books. */
function listReviews({ agreement, charges, journals }: Books, { today }: Posting) {
  const reviews = new Map<Charge, ReviewOptions>()
  if (!hasLateFee(agreement)) return reviews
  for (const charge of charges) if (charge.late_fee_on && charge.late_fee_on <= today) reviews.set(charge, {})
  for (const { charge } of journals) if (charge) reviews.set(charge, {})
  for (const { charge, kind } of journals)
    if (kind === 'credit') reviews.set(charge!, { reason: 'correction' })
  return reviews
}

/**
 * Posts the late fee of a charge if it is due, takes back what is too much of a posted one, and replaces one that
 * is too small, since a payment was taken back. What settles the charge has to be saved.
 */
async function reviewLateFee(
  em: EntityManager,
  books: Books,
  charge: Charge,
  posting: Posting,
  { reason = 'paid_in_time', settledOn }: ReviewOptions = {},
) {
  const { agreement } = books
  const mayBeLate = canBeLate(agreement, charge)
  const isOpen = getOutstanding(charge) > 0
  charge.late_fee_on = mayBeLate && isOpen ? getLateFeeDay(agreement, charge) : null
  if (!mayBeLate || posting.today <= getLastSafeDay(agreement, charge)) return

  const balances = await listBalances(em, charge, settledOn)
  const due = projectLateFee(agreement, charge, balances)
  const isDue = due && due.posted_on <= posting.today
  const posted = await findLateFee(em, charge)
  // No later day changes the fee: the job need not look again.
  if (!due || isDue || posted?.isForgiven) charge.late_fee_on = null

  if (posted) await lowerLateFee(em, books, posted.fee, due?.amount ?? 0, { ...posting, reason })
  if (!isDue || agreement.status === 'COMPLETED') return
  const isMissing = !posted || (await takeBackSmallerFee(em, books, posted, due.amount, posting))
  if (isMissing) postLateFee(em, books, charge, due, posting)
}

/** Posts the late fees that the open charges have if they are settled today. */
export async function postAccruedLateFees(em: EntityManager, books: Books, posting: Posting) {
  const open = books.charges.filter(({ late_fee_on }) => late_fee_on)
  for (const charge of open) await reviewLateFee(em, books, charge, posting, { settledOn: posting.today })
  await finishPosting(em, [books], posting)
}

function postLateFee(
  em: EntityManager,
  books: Books,
  charge: Charge,
  { amount, posted_on }: LateFee,
  posting: Posting,
) {
  const { id, period_start, period_end } = charge
  const fee = {
    type: 'late_fee' as const,
    period_start,
    period_end,
    due_date: posted_on,
    amount,
    source: 'late_fee' as const,
    base_charge_id: id,
  }
  postCharge(em, books, fee, { ...posting, actorId: null })
}

type TakeBack = Posting & Required<Pick<ReviewOptions, 'reason'>>

/** Credits what stands of a fee beyond `due`, in paise. */
async function lowerLateFee(
  em: EntityManager,
  books: Books,
  fee: Charge,
  due: number,
  { reason, ...posting }: TakeBack,
) {
  const tooMuch = getCharged(fee) - due
  if (tooMuch > 0)
    await creditCharge(em, books, fee, { amount: tooMuch, reason }, toWhen({ ...posting, actorId: null }))
}

/** Takes back a fee as a whole if less than `due` of it stands, and says whether it did. */
async function takeBackSmallerFee(
  em: EntityManager,
  books: Books,
  { fee, isForgiven }: PostedFee,
  due: number,
  posting: Posting,
) {
  const amount = getCharged(fee)
  if (isForgiven || amount >= due) return false
  // What the deposit settled is final.
  if ((await loadCreditable(em, books, fee)) < amount) return false
  await creditCharge(em, books, fee, { amount, reason: 'correction' }, toWhen({ ...posting, actorId: null }))
  // The database allows one fee at a time that stands.
  await saveBooks(em, posting.now, books)
  return true
}

/** `isForgiven`: the landlord's side credited a part of it, so no other is posted in its place. */
type PostedFee = { fee: Charge; isForgiven: boolean }

/** Finds the late fee of a charge, unless it was taken back as a whole. */
async function findLateFee(em: EntityManager, { id }: Charge): Promise<PostedFee | undefined> {
  const [fee] = await findEntities(em, Charge, selectLatestFee, { baseId: id })
  if (!fee) return undefined
  const [credit] = await executeCompiled(em, selectForgiveness, { feeId: fee.id })
  const isTakenBack = !credit && fee.amount_credited === fee.amount
  return isTakenBack ? undefined : { fee, isForgiven: Boolean(credit) }
}

/** Those before it were taken back. */
function selectLatestFee(db: Db, { baseId }: { baseId: number }) {
  return db
    .selectFrom('charges')
    .where('base_charge_id', '=', baseId)
    .where('source', '=', 'late_fee')
    .orderBy('id', 'desc')
    .limit(1)
}

/** Selects a credit of a fee that is not the system's own: those have no actor. */
function selectForgiveness(db: Db, { feeId }: { feeId: number }) {
  return db
    .selectFrom('journals')
    .where('charge_id', '=', feeId)
    .where('kind', '=', 'credit')
    .where('actor_id', 'is not', null)
    .select('id')
    .limit(1)
}

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

/** Sums what settled a charge by day. What is corrected or pro-rated was never owed, so it has the first day of all. */
const selectSettlements = (_: Db, { chargeId }: { chargeId: number }) => sql<{ day: string; amount: number }>`
  select day::date as day, sum(amount) as amount from (
    select payment.paid_on as day, allocation.amount
    from payment_allocations allocation join payments payment on payment.id = allocation.payment_id
    where allocation.charge_id = ${chargeId}
    union all
    select case when journal.reason in ('correction', 'proration') then ${BEFORE_ALL}::date else journal.effective_on end,
      line.credit
    from journals journal join journal_lines line on line.journal_id = journal.id
    where journal.charge_id = ${chargeId} and journal.kind in ('credit', 'settlement')
      and line.account = 'receivable'
  ) settlement
  group by day order by day`

import { sql } from 'kysely'
import { executeCompiled, findEntities } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { Charge, type Agreement } from '../../db/entities'
import { addDays, getMonth } from '../domain/dates'
import { toPaise } from '../domain/money'
import { getCreditable, getOutstanding, loadAllocations, type Books, type Posting } from '../ledger/books'
import { postCharge, postCredit } from '../ledger/postings'
import { computeLateFee } from './late-fee'

const BEFORE_ALL = '0001-01-01'
const NEVER_LATE = new Set(['late_fee', 'deposit', 'opening_balance'])

/** Whether the terms of a lease have a late fee. */
export function hasLateFee({ late_fee_kind, late_fee_percent, late_fee }: Agreement) {
  return Boolean(late_fee_kind === 'percent_pa' ? late_fee_percent : late_fee)
}

/**
 * Returns the first day on which a late fee of a charge may be posted; null if its lease has none. What was due
 * before the lease was signed was not late.
 */
export function getLateFeeDay(
  agreement: Agreement,
  { type, due_date }: Pick<Charge, 'type' | 'due_date'>,
): string | null {
  const wasDueBefore = agreement.signed_date && due_date < agreement.signed_date
  if (!hasLateFee(agreement) || wasDueBefore || NEVER_LATE.has(type)) return null
  const firstLateDay = addDays(due_date, agreement.late_fee_grace_days + 1)
  if (agreement.late_fee_kind === 'flat') return firstLateDay
  const { firstDay, days } = getMonth(firstLateDay)
  return addDays(firstDay, days - 1)
}

function toFeeTerms(agreement: Agreement) {
  const { late_fee = null, late_fee_percent = null, late_fee_cap = null } = agreement
  return { ...agreement, late_fee, late_fee_percent, late_fee_cap }
}

/**
 * Posts the late fee of a charge if it is due, and takes back what is too much of a posted one, since a payment that
 * was entered later was paid earlier. What settles the charge has to be saved.
 */
export async function reviewLateFee(em: EntityManager, books: Books, charge: Charge, posting: Posting) {
  const { agreement } = books
  if (getLateFeeDay(agreement, charge) === null) return
  const balances = await listBalances(em, charge)
  const due = computeLateFee(toFeeTerms(agreement), charge, balances, posting.today)
  const [posted] = await findEntities(em, Charge, selectLateFee, { baseId: charge.id })
  if (!posted && due) postLateFee(em, books, charge, due, posting)
  if (posted) await lowerLateFee(em, books, posted, due?.amount ?? 0, posting)
  charge.late_fee_on = posted || due || getOutstanding(charge) === 0 ? null : getLateFeeDay(agreement, charge)
}

function postLateFee(
  em: EntityManager,
  books: Books,
  charge: Charge,
  { amount, posted_on }: { amount: number; posted_on: string },
  posting: Posting,
) {
  const description = `Late fee: ${charge.description}`.slice(0, 255)
  const period = { period_start: charge.period_start, period_end: charge.period_end }
  const fee = {
    type: 'late_fee' as const,
    description,
    due_date: posted_on,
    amount,
    base_charge_id: charge.id,
  }
  postCharge(em, books, { ...fee, ...period, source: 'late_fee' }, { ...posting, actorId: null })
}

async function lowerLateFee(em: EntityManager, books: Books, posted: Charge, due: number, posting: Posting) {
  if (!books.charges.includes(posted)) books.charges.push(posted)
  await loadAllocations(em, books, { chargeId: posted.id })
  const tooMuch = toPaise(posted.amount) - toPaise(posted.amount_credited) - due
  const excess = Math.min(tooMuch, getCreditable(books, posted))
  if (excess <= 0) return
  const credit = { amount: excess, reason: 'paid_in_time' as const, effectiveOn: posting.today }
  postCredit(books, posted, credit, posting)
}

/** Lists what was outstanding of a charge from each day on: payments count from the day on which they were made. */
async function listBalances(em: EntityManager, charge: Charge) {
  const settlements = await executeCompiled(em, selectSettlements, { chargeId: charge.id })
  let outstanding = toPaise(charge.amount)
  const balances = [{ from: BEFORE_ALL, outstanding }]
  for (const { day, amount } of settlements) {
    outstanding -= toPaise(Number(amount))
    balances.push({ from: day, outstanding })
  }
  return balances
}

const selectSettlements = (_: Db, { chargeId }: { chargeId: number }) => sql<{ day: string; amount: number }>`
  select day::date as day, sum(amount) as amount from (
    select p.paid_on as day, a.amount
    from payment_allocations a join payments p on p.id = a.payment_id
    where a.charge_id = ${chargeId}
    union all
    select j.effective_on, l.credit
    from journals j join journal_lines l on l.journal_id = j.id
    where j.charge_id = ${chargeId} and j.kind in ('credit', 'settlement') and l.account = 'receivable'
  ) settlement
  group by day order by day`

/** A fee that was taken back as a whole does not count. */
function selectLateFee(db: Db, { baseId }: { baseId: number }) {
  return db
    .selectFrom('charges')
    .where('base_charge_id', '=', baseId)
    .where('source', '=', 'late_fee')
    .where(sql<boolean>`amount_credited < amount`)
}

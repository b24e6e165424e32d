import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import type { Agreement } from '../../../db/entities'
import { takeOverDeposit } from '../deposits/take-over'
import { addMonths, getMonth } from '../../domain/dates'
import { toPaise } from '../../domain/money'
import { createBooks, type Books, type Posting } from '../ledger/books'
import type { LedgerRow } from '../ledger/journals'
import { postCharge } from '../ledger/postings'
import { finishPosting } from './late-fees'
import { postSchedules } from './schedule-posting'

/** Books begin at most so many months before they are opened; older dues are an opening balance. */
const MAX_MONTHS_BACK = 60

/** Opens the books of an agreement that becomes ACTIVE, if it has none: its deposit, and what has begun. */
export async function openBooks(em: EntityManager, agreement: Agreement, posting: Posting) {
  const starts_on = getFirstDayOfBooks(agreement, posting)
  const [ledger] = await executeCompiled(em, insertLedger, { agreementId: agreement.id, starts_on })
  if (!ledger) return
  const books = createBooks(agreement, ledger)
  postDeposit(em, books, await takeOverDeposit(em, books, posting), posting)
  await postSchedules(em, [books], posting, { begunBy: posting.today })
  await finishPosting(em, [books], posting)
}

function getFirstDayOfBooks({ agreement_start_date }: Agreement, { today }: Posting) {
  const { firstDay } = getMonth(addMonths(today, -MAX_MONTHS_BACK))
  return agreement_start_date > firstDay ? agreement_start_date : firstDay
}

/** Charges what is agreed beyond the deposit that was taken over, in paise. */
function postDeposit(em: EntityManager, books: Books, takenOver: number, posting: Posting) {
  const { deposit_amount, agreement_start_date } = books.agreement
  const amount = toPaise(deposit_amount ?? 0) - takenOver
  if (amount <= 0) return
  const deposit = { type: 'deposit' as const, description: 'Deposit', due_date: agreement_start_date }
  postCharge(em, books, { ...deposit, amount, source: 'schedule' }, posting)
}

const insertLedger = (_: Db, given: { agreementId: number; starts_on: string }) => sql<LedgerRow>`
  insert into ledgers (agreement_id, starts_on) values (${given.agreementId}, ${given.starts_on}::date)
  on conflict do nothing
  returning agreement_id, starts_on, length, hash, next_posting_on, deposit_held`

import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import type { Agreement, Ledger } from '../../db/entities'
import { addMonths, toDayOfMonth } from '../domain/dates'
import { toPaise } from '../domain/money'
import { refuse } from '../errors'
import type { LeaseHooks } from '../deps'
import { finishPosting, postAccruedLateFees } from './charges/late-fees'
import { postCharge } from './charges/posted'
import { endSchedule, postSchedules } from './charges/posting'
import { creditOpenDeposit } from './deposits/settlement'
import { passOnAdvances } from './charges/moved-advances'
import { takeOver } from './deposits/take-over'
import { voidBooks } from './void'
import { createBooks, getPosting, loadBooks, toWhen, type Books, type Posting } from './ledger/books'

/** Books begin at most so many months before they are opened; older dues are an opening balance. */
const MAX_MONTHS_BACK = 60

/** The books follow the life of their lease. */
export const bookHooks: LeaseHooks = {
  afterActivation: (change, agreement) => openBooks(getPosting(change), agreement),
  afterEnd: (change, agreement) => endBooks(getPosting(change), agreement),
  beforeVoid: (change, agreement) => voidBooks(getPosting(change), agreement),
  beforeCompletion: (change, agreement) => closeBooks(getPosting(change), agreement),
}

/** Opens the books of an agreement that becomes ACTIVE, if it has none: its deposit, and what has begun. */
async function openBooks(posting: Posting, agreement: Agreement) {
  const { em, today } = posting
  const starts_on = getFirstDayOfBooks(agreement, posting)
  const [ledger] = await executeCompiled(em, insertLedger, { agreementId: agreement.id, starts_on })
  if (!ledger) return
  const books = createBooks(agreement, ledger)
  postDeposit(posting, books, await takeOver(posting, books))
  await postSchedules(posting, [books], today)
  await finishPosting(posting, [books])
}

/** An advance goes on to the renewal. One of a lease that a person ends is for that person to refund. */
async function endBooks(posting: Posting, agreement: Agreement) {
  await endSchedule(posting, agreement)
  if (posting.actorId === null) await passOnAdvances(posting, agreement)
}

function getFirstDayOfBooks({ agreement_start_date }: Agreement, { today }: Posting) {
  const firstDay = toDayOfMonth(addMonths(today, -MAX_MONTHS_BACK), 1)
  return agreement_start_date > firstDay ? agreement_start_date : firstDay
}

/** Charges what is agreed beyond the deposit that was taken over, in paise. That of a renewal is not due before today. */
function postDeposit(posting: Posting, books: Books, takenOver: number) {
  const { deposit_amount, agreement_start_date, renews_id } = books.agreement
  const amount = toPaise(deposit_amount ?? 0) - takenOver
  if (amount <= 0) return
  const isLate = renews_id && agreement_start_date < posting.today
  const deposit = { type: 'deposit' as const, due_date: isLate ? posting.today : agreement_start_date }
  postCharge(posting, books, { ...deposit, amount, source: 'schedule' })
}

const insertLedger = (_: Db, given: { agreementId: number; starts_on: string }) => sql<Ledger>`
  insert into ledgers (agreement_id, starts_on) values (${given.agreementId}, ${given.starts_on}::date)
  on conflict do nothing
  returning agreement_id, starts_on, length, hash, next_posting_on, deposit_held`

/**
 * Closes the books of a lease: what is open of its deposit is credited, and the last late fees are posted.
 * @throws BAD_REQUEST The landlord still holds a deposit or an advance, or has payments to decide.
 */
async function closeBooks(posting: Posting, agreement: Agreement) {
  const { em, today } = posting
  await requireNoMoneyHeld(em, agreement)
  const [books] = await loadBooks(em, [agreement])
  if (!books) return
  creditOpenDeposit(books, toWhen(posting))
  await postAccruedLateFees(posting, books, today)
}

async function requireNoMoneyHeld(em: EntityManager, { id }: Agreement) {
  const [held] = await executeCompiled(em, selectMoneyHeld, { id })
  if (!held) return
  if (held.undecided.length > 0) throw refuse('payments_undecided', { payments: held.undecided })
  const [deposit, advance] = [Number(held.deposit), Number(held.advance)]
  if (deposit > 0 || advance > 0) throw refuse('money_held', { deposit, advance })
}

function selectMoneyHeld(db: Db, { id }: { id: number }) {
  return db
    .selectFrom('ledgers as ledger')
    .where('ledger.agreement_id', '=', id)
    .select(e => [
      'ledger.deposit_held as deposit',
      e
        .selectFrom('payments as payment')
        .where('payment.agreement_id', '=', id)
        .select(s => s.fn.coalesce(s.fn.sum<number>('payment.unapplied_amount'), s.lit(0)).as('sum'))
        .as('advance'),
      sql<number[]>`array(
        select id from payments where agreement_id = ${id} and status in ('reported', 'pending') order by id
      )`.as('undecided'),
    ])
}

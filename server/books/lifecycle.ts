import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import type { Agreement, Ledger } from '../../db/entities'
import { toJsonText } from '../../db/json-text'
import { addMonths, toDayOfMonth } from '../domain/dates'
import { toPaise } from '../domain/money'
import { refuse } from '../errors'
import { getDayAfter } from '../leases/opening'
import type { LeaseHooks } from '../deps'
import { finishPosting, postAccruedLateFees } from './charges/late-fees'
import { postCharge } from './charges/posted'
import { endSchedule, postSchedules, resumeSchedule } from './charges/posting'
import { withdrawSettlement } from './deposits/service'
import { creditOpenDeposit } from './deposits/settlement'
import { passOnAdvances } from './charges/moved-advances'
import { takeOver } from './deposits/take-over'
import { voidBooks } from './void'
import { createBooks, getPosting, loadBooks, toWhen, type Books, type Posting } from './ledger/books'
import { findFirstTenants, postOpening } from './opening'

/** Books begin at most so many months before they are opened; older dues are an opening balance. */
const MAX_MONTHS_BACK = 60

/** The books follow the life of their lease. */
export const bookHooks: LeaseHooks = {
  afterActivation: (change, ...agreements) => openBooks(getPosting(change), agreements),
  afterEnd: (change, agreement) => endBooks(getPosting(change), agreement),
  afterReinstatement: async (change, agreement, terminatedAt) => {
    await withdrawSettlement(change.em, agreement)
    await resumeSchedule(getPosting(change), agreement, terminatedAt)
  },
  beforeVoid: (change, agreement) => voidBooks(getPosting(change), agreement),
  beforeCompletion: (change, agreement) => closeBooks(getPosting(change), agreement),
}

/** Opens the books of agreements that become ACTIVE, if they have none: what they take over, their deposit, and what has begun. */
async function openBooks(posting: Posting, agreements: Agreement[]) {
  const { em, today } = posting
  const given = agreements.map(agreement => ({
    agreement_id: agreement.id,
    starts_on: getFirstDayOfBooks(agreement, posting),
  }))
  const ledgers = await executeCompiled(em, insertLedgers, { rows: toJsonText(given) })
  const firstTenants = await findFirstTenants(em, agreements)
  const byId = new Map(agreements.map(agreement => [agreement.id, agreement]))
  const allBooks = ledgers.map(ledger => createBooks(byId.get(ledger.agreement_id)!, ledger))
  for (const books of allBooks) {
    const { id, opening } = books.agreement
    const taken = opening
      ? postOpening(posting, books, firstTenants.get(id)!)
      : await takeOver(posting, books)
    postDeposit(posting, books, taken)
  }
  if (allBooks.length === 0) return
  await postSchedules(posting, allBooks, today)
  await finishPosting(posting, allBooks)
}

/** An advance goes on to the renewal. One of a lease that a person ends is for that person to refund. */
async function endBooks(posting: Posting, agreement: Agreement) {
  await endSchedule(posting, agreement)
  if (posting.actorId === null) await passOnAdvances(posting, agreement)
}

function getFirstDayOfBooks({ agreement_start_date, opening }: Agreement, { today }: Posting) {
  const firstDay = toDayOfMonth(addMonths(today, -MAX_MONTHS_BACK), 1)
  const first = getDayAfter(opening) ?? agreement_start_date
  return first > firstDay ? first : firstDay
}

/** Charges what is agreed beyond the deposit that was taken over, in paise. That of a renewal is not due before today. */
function postDeposit(posting: Posting, books: Books, takenOver: number) {
  const { deposit_amount, agreement_start_date, renews_id, opening } = books.agreement
  const amount = toPaise(deposit_amount ?? 0) - takenOver
  if (amount <= 0) return
  const first = opening ? books.ledger.starts_on : agreement_start_date
  const isLate = renews_id && first < posting.today
  const deposit = { type: 'deposit' as const, due_date: isLate ? posting.today : first }
  postCharge(posting, books, { ...deposit, amount, source: 'schedule' })
}

const insertLedgers = (_: Db, { rows }: { rows: string }) => sql<Ledger>`
  insert into ledgers (agreement_id, starts_on)
  select agreement_id, starts_on from json_to_recordset(${rows}::text::json) as given (
    agreement_id int, starts_on date
  )
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

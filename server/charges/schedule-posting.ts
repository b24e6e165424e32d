import { sql } from 'kysely'
import { executeCompiled, findEntities } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { Charge, RentRevision, type Agreement } from '../../db/entities'
import { addDays, compareDays } from '../domain/dates'
import { toPaise, toRupees } from '../domain/money'
import { loadAllocations, loadBooks, saveBooks, type Books, type Posting } from '../ledger/books'
import { postCharge, postCredit } from '../ledger/postings'
import { takeOverDeposit } from '../deposits/take-over'
import { getLateFeeDay } from './late-fees'
import { findDayAtLimit } from './rents'
import { projectInstalments, projectRents, type Instalment, type Rent } from './schedule'

/** A charge is posted so many days before it falls due. */
export const POSTING_LEAD_DAYS = 7
/** The next instalment after one falls due within this time. */
const LONGEST_GAP_DAYS = 64

/** Opens the books of an agreement that becomes ACTIVE: its deposit, and what has begun. */
export async function openBooks(em: EntityManager, agreement: Agreement, posting: Posting) {
  const starts_on = agreement.agreement_start_date
  await executeCompiled(em, insertLedger, { agreementId: agreement.id, starts_on })
  const [books] = await loadBooks(em, [agreement])
  if (!books) return
  postDeposit(em, books, await takeOverDeposit(em, books, posting), posting)
  await postSchedules(em, [books], posting)
  await saveBooks(em, posting.now, books)
}

/** Charges what is agreed beyond the deposit that was taken over, in paise. */
function postDeposit(em: EntityManager, books: Books, takenOver: number, posting: Posting) {
  const { deposit_amount, agreement_start_date } = books.agreement
  const amount = toPaise(deposit_amount ?? 0) - takenOver
  if (amount <= 0) return
  const deposit = { type: 'deposit' as const, description: 'Deposit', due_date: agreement_start_date }
  postCharge(em, books, { ...deposit, amount, source: 'schedule' }, posting)
}

/** Posts the instalments of leases that fall due within a week, or have; those that are posted stay. */
export async function postSchedules(em: EntityManager, allBooks: Books[], posting: Posting) {
  const through = addDays(posting.today, POSTING_LEAD_DAYS)
  const ids = allBooks.map(({ agreement }) => agreement.id)
  const revisions = groupByAgreement(await loadRevisions(em, ids))
  const keys = await executeCompiled(em, selectScheduledKeys, { ids })
  const posted = new Set(keys.map(toKey))
  for (const books of allBooks) {
    const rents = listRents(books.agreement, revisions.get(books.agreement.id) ?? [])
    recordEscalations(em, books, rents, { through, known: revisions.get(books.agreement.id) ?? [] })
    const instalments = listInstalments(books, rents, addDays(through, LONGEST_GAP_DAYS))
    for (const instalment of instalments) {
      if (instalment.due_date > through) break
      if (posted.has(toKey({ agreement_id: books.agreement.id, ...instalment }))) continue
      postInstalment(em, books, instalment, posting)
    }
    const next = instalments.find(({ due_date }) => due_date > through)
    books.ledger.next_posting_on = next ? addDays(next.due_date, -POSTING_LEAD_DAYS) : null
  }
}

type ScheduledKey = { agreement_id: number; type: string; item: number; period_start: string | null }
const toKey = (key: ScheduledKey) => [key.agreement_id, key.type, key.item, key.period_start].join()

function postInstalment(em: EntityManager, books: Books, instalment: Instalment, posting: Posting) {
  const late_fee_on = getLateFeeDay(books.agreement, instalment)
  postCharge(em, books, { ...instalment, source: 'schedule', late_fee_on }, { ...posting, actorId: null })
}

/** Lists the instalments of the books, in the order in which they fall due. */
export function listInstalments({ agreement, ledger }: Books, rents: Rent[], through?: string) {
  return projectInstalments(toBillingTerms(agreement), rents, through)
    .filter(({ period_end }) => period_end >= ledger.starts_on)
    .toSorted((a, b) => compareDays(a.due_date, b.due_date))
}

export function toBillingTerms(agreement: Agreement) {
  return {
    ...agreement,
    recurring_charges: agreement.recurring_charges ?? null,
    rent_rounding: toRounding(agreement),
  }
}

const toRounding = ({ rent_rounding }: Agreement) => rent_rounding as 0.01 | 1 | 10

type Revision = { agreement_id: number; effective_on: string; rent_amount: number }

/** Lists the rents of a lease, from the days on which they apply. */
export function listRents(agreement: Agreement, revisions: Revision[]): Rent[] {
  return projectRents(toRentTerms(agreement), revisions.map(toRent))
}

/** Returns the day within the tenure on which the rent reaches the highest amount, if there is one. */
export function findRentLimitDay(agreement: Agreement, revisions: Omit<Revision, 'agreement_id'>[]) {
  return findDayAtLimit(toRentTerms(agreement), revisions.map(toRent))
}

function toRent({ effective_on, rent_amount }: Omit<Revision, 'agreement_id'>): Rent {
  return { effective_on, amount: toPaise(Number(rent_amount)) }
}

function toRentTerms(agreement: Agreement) {
  const { escalation_percent = null, escalation_every_months = null } = agreement
  return { ...agreement, escalation_percent, escalation_every_months, rent_rounding: toRounding(agreement) }
}

/** Writes down the escalations that the posted instalments have. */
function recordEscalations(
  em: EntityManager,
  { agreement }: Books,
  rents: Rent[],
  { through, known }: { through: string; known: Revision[] },
) {
  for (const { effective_on, amount } of rents.slice(1)) {
    if (effective_on > through || known.some(revision => revision.effective_on === effective_on)) continue
    em.create(RentRevision, {
      revision_id: crypto.randomUUID(),
      agreement_id: agreement.id,
      rent_amount: toRupees(amount),
      effective_on,
      source: 'escalation',
      status: 'accepted',
    })
  }
}

/**
 * Ends the schedule of a lease that ends on `lastDay`: posts what began before and is not posted, and credits the
 * days after it.
 */
export async function endSchedule(
  em: EntityManager,
  agreement: Agreement,
  lastDay: string,
  posting: Posting,
) {
  const [books] = await loadBooks(em, [agreement])
  if (!books) return
  const revisions = await loadRevisions(em, [agreement.id])
  const used = listInstalments(
    { ...books, agreement: { ...agreement, agreement_end_date: lastDay } },
    listRents(agreement, revisions),
  )
  const given = { agreementId: agreement.id }
  const scheduled = await findEntities(em, Charge, selectScheduledCharges, given)
  for (const instalment of used) {
    if (!scheduled.some(charge => isSame(charge, instalment))) postInstalment(em, books, instalment, posting)
  }
  for (const charge of scheduled.filter(({ item }) => item >= 0)) {
    let usedAmount = used.find(each => isSame(charge, each))?.amount ?? 0
    for (const part of [charge, ...scheduled.filter(each => each.base_charge_id === charge.id)])
      usedAmount = await creditUnused(em, books, part, usedAmount, lastDay, posting)
  }
  books.ledger.next_posting_on = null
  await saveBooks(em, posting.now, books)
}

/** Has the job look at a lease again whose tenure is longer now. */
export async function resumeSchedule(em: EntityManager, { id }: Agreement, { today }: Posting) {
  await executeCompiled(em, updateNextPosting, { agreementId: id, today })
}

function isSame(charge: Charge, { type, item, period_start }: Instalment) {
  return charge.type === type && charge.item === item && charge.period_start === period_start
}

/** Returns what the charge leaves of the days that were used: a revised rent is in several charges. */
async function creditUnused(
  em: EntityManager,
  books: Books,
  charge: Charge,
  used: number,
  lastDay: string,
  posting: Posting,
) {
  const charged = toPaise(charge.amount) - toPaise(charge.amount_credited)
  const left = Math.max(0, used - charged)
  if (!charge.period_end || charge.period_end <= lastDay) return left
  const amount = charged - used
  if (amount <= 0) return left
  if (!books.charges.includes(charge)) books.charges.push(charge)
  await loadAllocations(em, books, { chargeId: charge.id })
  postCredit(books, charge, { amount, reason: 'proration', effectiveOn: posting.today }, posting)
  return left
}

function groupByAgreement(revisions: Revision[]) {
  return Map.groupBy(revisions, ({ agreement_id }) => agreement_id)
}

const insertLedger = (_: Db, given: { agreementId: number; starts_on: string }) => sql`
  insert into ledgers (agreement_id, starts_on) values (${given.agreementId}, ${given.starts_on}::date)
  on conflict do nothing`

function updateNextPosting(db: Db, { agreementId, today }: { agreementId: number; today: string }) {
  return db.updateTable('ledgers').set({ next_posting_on: today }).where('agreement_id', '=', agreementId)
}

/** Loads the rents that were accepted, in the order of their days. */
export function loadRevisions(em: EntityManager, ids: number[]) {
  return executeCompiled(em, selectRevisions, { ids })
}

function selectRevisions(db: Db, { ids }: { ids: number[] }) {
  return (
    db
      .selectFrom('rent_revisions')
      .where(sql<boolean>`agreement_id = any(${ids}::int[])`)
      // A parameter would keep the partial index from being used.
      .where('status', '=', sql.lit('accepted'))
      .orderBy('effective_on')
      .select(['agreement_id', 'effective_on', 'rent_amount', 'source'])
  )
}

function selectScheduledKeys(db: Db, { ids }: { ids: number[] }) {
  return db
    .selectFrom('charges')
    .where(sql<boolean>`agreement_id = any(${ids}::int[])`)
    .where('source', '=', 'schedule')
    .select(['agreement_id', 'type', 'item', 'period_start'])
}

function selectScheduledCharges(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('charges')
    .where('agreement_id', '=', agreementId)
    .where('source', '=', 'schedule')
    .where('period_start', 'is not', null)
    .orderBy('id')
}

import { sql } from 'kysely'
import type { RentRounding } from '@kiraya/sdk/contract'
import { executeCompiled, findEntities } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { Charge, RentRevision, type Agreement } from '../../db/entities'
import { addDays, addMonths, getMonth } from '../domain/dates'
import { toPaise, toRupees } from '../domain/money'
import { loadBooks, saveBooks, toWhen, type Books, type Posting } from '../ledger/books'
import { creditCharge, postCharge } from '../ledger/postings'
import { takeOverDeposit } from '../deposits/take-over'
import { saveCredits } from './late-fee-posting'
import { findDayAtLimit, type ProjectedRent } from './rents'
import {
  isRevisionItem,
  listBookedInstalments,
  projectRents,
  toInstalmentKey,
  toRent,
  type ProjectedInstalment,
  type Rent,
} from './schedule'

/** A charge is posted so many days before it falls due. */
export const POSTING_LEAD_DAYS = 7
/** An instalment that has begun falls due within this time, and so does the next one. */
const LONGEST_GAP_DAYS = 96

/** Books begin at most so many months before they are opened; older dues are an opening balance. */
const MAX_MONTHS_BACK = 60

/** Opens the books of an agreement that becomes ACTIVE: its deposit, and what has begun. */
export async function openBooks(em: EntityManager, agreement: Agreement, posting: Posting) {
  const starts_on = getFirstDayOfBooks(agreement, posting)
  await executeCompiled(em, insertLedger, { agreementId: agreement.id, starts_on })
  const [books] = await loadBooks(em, [agreement])
  if (!books) return
  postDeposit(em, books, await takeOverDeposit(em, books, posting), posting)
  await postSchedules(em, [books], posting, { begunBy: posting.today })
  await saveBooks(em, posting.now, books)
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

/**
 * Posts the instalments of leases that fall due within a week, or have, and those whose periods have begun by a day;
 * those that are posted stay.
 */
export async function postSchedules(
  em: EntityManager,
  allBooks: Books[],
  posting: Posting,
  { begunBy = '' }: { begunBy?: string } = {},
) {
  const through = addDays(posting.today, POSTING_LEAD_DAYS)
  const ids = allBooks.map(({ agreement }) => agreement.id)
  const revisions = groupByAgreement(await loadRevisions(em, ids))
  const scheduled = groupByAgreement(await executeCompiled(em, selectScheduledKeys, { ids }))
  const isDue = ({ due_date, period_start }: ProjectedInstalment) =>
    due_date <= through || period_start <= begunBy
  for (const books of allBooks) {
    const { agreement, ledger } = books
    const posted = new Set(scheduled.get(agreement.id)?.map(toInstalmentKey))
    const rents = listRents(agreement, revisions.get(agreement.id) ?? [])
    const from = ledger.starts_on > through ? ledger.starts_on : through
    const instalments = listInstalments(books, rents, addDays(from, LONGEST_GAP_DAYS))
    const [old, open] = partition(instalments, each => posted.has(toInstalmentKey(each)))
    const [due, later] = partition(open, isDue)
    for (const instalment of due) postInstalment(em, books, instalment, posting)
    recordEscalations(em, books, rents, getLastDay([...old, ...due], through))
    const [next] = later
    ledger.next_posting_on = next ? addDays(next.due_date, -POSTING_LEAD_DAYS) : null
  }
}

function partition<Each>(all: Each[], isFirst: (each: Each) => boolean) {
  return [all.filter(isFirst), all.filter(each => !isFirst(each))] as const
}

/** Returns the day until which escalations are written down: the last one that posted instalments are for, or `day`. */
export function getLastDay(posted: { period_end?: string | null }[], day: string) {
  return posted.reduce((last, { period_end }) => (period_end && period_end > last ? period_end : last), day)
}

function postInstalment(em: EntityManager, books: Books, instalment: ProjectedInstalment, posting: Posting) {
  postCharge(em, books, { ...instalment, source: 'schedule' }, { ...posting, actorId: null })
}

/** Lists the instalments of the books, in the order in which they fall due. */
export function listInstalments({ agreement, ledger }: Books, rents: Rent[], through?: string) {
  return listBookedInstalments(toBillingTerms(agreement), rents, ledger.starts_on, through)
}

function toBillingTerms(agreement: Agreement) {
  return {
    ...agreement,
    recurring_charges: agreement.recurring_charges ?? null,
    rent_rounding: toRounding(agreement),
  }
}

const toRounding = ({ rent_rounding }: Agreement) => rent_rounding as RentRounding

type Revision = { agreement_id: number; effective_on: string; rent_amount: number }

/** Lists the rents of a lease, from the days on which they apply. */
export function listRents(agreement: Agreement, revisions: Revision[]) {
  return projectRents(toRentTerms(agreement), revisions.map(toRent))
}

/** Returns the day within the tenure on which the rent reaches the highest amount, if there is one. */
export function findRentLimitDay(agreement: Agreement, revisions: Omit<Revision, 'agreement_id'>[]) {
  return findDayAtLimit(toRentTerms(agreement), revisions.map(toRent))
}

function toRentTerms(agreement: Agreement) {
  const { escalation_percent = null, escalation_every_months = null } = agreement
  return { ...agreement, escalation_percent, escalation_every_months, rent_rounding: toRounding(agreement) }
}

/** Writes down the escalations until a day that are not yet: those of the posted instalments, since the books began. */
export function recordEscalations(
  em: EntityManager,
  { agreement, ledger }: Books,
  rents: ProjectedRent[],
  lastDay: string,
) {
  for (const { effective_on, amount, source } of rents) {
    if (source !== 'escalated' || effective_on < ledger.starts_on || effective_on > lastDay) continue
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
  const rents = listRents(agreement, await loadRevisions(em, [agreement.id]))
  const used = listInstalments({ ...books, agreement: { ...agreement, agreement_end_date: lastDay } }, rents)
  recordEscalations(em, books, rents, lastDay)
  const scheduled = await findEntities(em, Charge, selectScheduledCharges, { agreementId: agreement.id })
  const postedKeys = new Set(scheduled.map(toInstalmentKey))
  for (const instalment of used) {
    if (!postedKeys.has(toInstalmentKey(instalment))) postInstalment(em, books, instalment, posting)
  }
  const usedAmounts = new Map(used.map(each => [toInstalmentKey(each), each.amount]))
  const furtherParts = Map.groupBy(scheduled, ({ base_charge_id }) => base_charge_id)
  for (const charge of scheduled.filter(({ item }) => !isRevisionItem(item))) {
    let usedAmount = usedAmounts.get(toInstalmentKey(charge)) ?? 0
    for (const part of [charge, ...(furtherParts.get(charge.id) ?? [])])
      usedAmount = await creditUnused(em, books, part, usedAmount, lastDay, posting)
  }
  books.ledger.next_posting_on = null
  await saveCredits(em, books, posting)
}

/** Has the job look at a lease again whose tenure is longer now. */
export async function resumeSchedule(em: EntityManager, { id }: Agreement, { today }: Posting) {
  await executeCompiled(em, updateNextPosting, { agreementId: id, today })
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
  const hasUnused = charged > used && Boolean(charge.period_end && charge.period_end > lastDay)
  const credit = { amount: charged - used, reason: 'proration' as const }
  if (hasUnused) await creditCharge(em, books, charge, credit, toWhen(posting))
  return Math.max(0, used - charged)
}

function groupByAgreement<Row extends { agreement_id: number }>(rows: Row[]) {
  return Map.groupBy(rows, ({ agreement_id }) => agreement_id)
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

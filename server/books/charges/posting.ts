import { sql } from 'kysely'
import { executeCompiled, findEntities } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { Charge, type Agreement, type RentRevision } from '../../../db/entities'
import { addDays, compareDays } from '../../domain/dates'
import { sumPaise, toPaise } from '../../domain/money'
import { loadRevisions, type Revision } from '../../leases/rents'
import { loadBooks, toSystem, toWhen, type Books, type Posting } from '../ledger/books'
import { creditCharge, reverseCredit } from '../ledger/postings'
import { finishPosting } from './late-fees'
import { canBeLate } from './late-fee-rules'
import { getCharged, postCharge } from './posted'
import { listLeaseInstalments, listUnposted, toInstalmentKey, type Instalment } from '../../leases/schedule'

/** An instalment is in no more charges than these. */
const MAX_PARTS = 100

/** A charge is posted so many days before it falls due. */
const POSTING_LEAD_DAYS = 7

/**
 * Posts the instalments of leases that fall due within a week, or have, and those whose periods have begun by a day;
 * those that are posted stay. None is due before `dueFrom`.
 */
export async function postSchedules(posting: Posting, allBooks: Books[], begunBy = '', dueFrom = '') {
  const { em, today } = posting
  const ids = allBooks.map(({ agreement }) => agreement.id)
  const revisions = groupByAgreement(await loadRevisions(em, ids))
  const posted = groupByAgreement(await executeCompiled(em, selectPostedKeys, { ids }))
  const through = addDays(today, POSTING_LEAD_DAYS)
  for (const books of allBooks) {
    const { agreement, ledger } = books
    const { id } = agreement
    const open = listUnposted(agreement, revisions.get(id) ?? [], ledger.starts_on, posted.get(id) ?? []).map(
      each => (each.due_date < dueFrom ? { ...each, due_date: dueFrom } : each),
    )
    const isDue = ({ due_date, period_start }: Instalment) => due_date <= through || period_start <= begunBy
    ledger.next_posting_on = postDue(posting, books, open, isDue)
  }
}

/** Sums what the schedule of a lease will still charge, in paise. */
export async function sumUnposted({ em }: Posting, { agreement, ledger }: Books) {
  const ids = [agreement.id]
  const revisions = await loadRevisions(em, ids)
  const posted = await executeCompiled(em, selectPostedKeys, { ids })
  const open = listUnposted(agreement, revisions, ledger.starts_on, posted)
  return sumPaise([...open].map(({ amount }) => amount))
}

/** Posts the instalments that are due, and returns the day on which the next one has to be posted. */
function postDue(
  posting: Posting,
  books: Books,
  open: Iterable<Instalment>,
  isDue: (instalment: Instalment) => boolean,
) {
  for (const instalment of open) {
    if (!isDue(instalment)) return addDays(instalment.due_date, -POSTING_LEAD_DAYS)
    postInstalment(posting, books, instalment)
  }
  const { auto_renew, agreement_end_date } = books.agreement
  return auto_renew ? addDays(agreement_end_date, 1) : null
}

/** Posts an instalment in the name of the system. */
function postInstalment(posting: Posting, books: Books, instalment: Instalment) {
  postCharge(toSystem(posting), books, { ...instalment, source: 'schedule' })
}

/** Ends the schedule of a lease that has ended: posts what was used and is not posted, and credits the other days. */
export async function endSchedule(posting: Posting, agreement: Agreement) {
  const { em } = posting
  const [books] = await loadBooks(em, [agreement])
  if (!books) return
  const revisions = await loadRevisions(em, [agreement.id])
  const before = [...listOfBooks(books, { ...agreement, termination_date: null }, revisions)]
  const after = [...listOfBooks(books, agreement, revisions)]
  const charges = await changeSchedule(posting, books, { before, after, reason: 'proration' })

  const posted = new Set(charges.map(toInstalmentKey))
  const dueBefore = new Map(before.map(each => [toInstalmentKey(each), each.due_date]))
  for (const instalment of after) {
    const key = toInstalmentKey(instalment)
    if (posted.has(key)) continue
    const due_date = getDueDateOfEnd(instalment, dueBefore.get(key), posting)
    postInstalment(posting, books, { ...instalment, due_date })
  }
  books.ledger.next_posting_on = null
  await finishPosting(posting, [books])
}

/**
 * Takes up the schedule of a lease whose termination is undone: what that credited is owed again, and what it charged for
 * fewer days or earlier is charged as agreed. What fell due since is due today. All late fees are counted again.
 */
export async function resumeSchedule(posting: Posting, agreement: Agreement, terminatedAt: Date) {
  const { em, today } = posting
  const [books] = await loadBooks(em, [agreement])
  if (!books) return
  const charges = await findEntities(em, Charge, selectInstalments, { agreementId: agreement.id })
  books.charges.push(...charges.filter(each => !books.charges.includes(each)))
  const agreed = [...listOfBooks(books, agreement, await loadRevisions(em, [agreement.id]))]
  const prorations = await executeCompiled(em, selectProrations, { agreementId: agreement.id, terminatedAt })
  for (const { charge_id, ...credit } of prorations) {
    const of = { ...credit, reason: 'proration' as const, amount: toPaise(Number(credit.amount)) }
    const charge = charges.find(({ id }) => id === charge_id)!
    reverseCredit(books, charge, of, toWhen(posting))
  }
  for (const parts of Map.groupBy(charges, ({ id, base_charge_id }) => base_charge_id ?? id).values()) {
    const [first] = parts as [Charge]
    const instalment = agreed.find(each => toInstalmentKey(each) === toInstalmentKey(first))
    if (!instalment) continue
    if (first.due_date < instalment.due_date) first.due_date = instalment.due_date
    const added = instalment.amount - sumPaise(parts.map(({ amount }) => toPaise(amount)))
    if (added > 0) postFurtherCharge(posting, books, parts, added)
  }
  for (const each of charges) if (canBeLate(agreement, each)) each.late_fee_on = today
  await postSchedules(posting, [books], '', today)
  await finishPosting(posting, [books])
}

type Resumption = { agreementId: number; terminatedAt: Date }
type Proration = { id: number; charge_id: number; amount: number }

const selectProrations = (_: Db, { agreementId, terminatedAt }: Resumption) => sql<Proration>`
  select journal.id, charge_id, credit as amount
  from journals journal join journal_lines line on line.journal_id = journal.id and line.account = 'receivable'
  where agreement_id = ${agreementId} and reason = 'proration' and posted_at >= ${terminatedAt}::timestamptz
    and not exists (select from journals undone where undone.reverses_id = journal.id)
  order by journal.id`

/** What falls due earlier because a person ended the lease is due today, but not after the day on which it was due. */
function getDueDateOfEnd({ due_date }: Instalment, before = due_date, { today, actorId }: Posting) {
  const [, between] = [due_date, today, before].toSorted(compareDays)
  return actorId === null ? due_date : between!
}

/** Corrects what is posted by an accepted rent. What is not posted yet follows the schedule. */
export async function applyRevision(posting: Posting, books: Books, revision: RentRevision) {
  const revisions = await loadRevisions(posting.em, [books.agreement.id])
  const before = listOfBooks(books, books.agreement, revisions)
  const after = listOfBooks(books, books.agreement, [...revisions, revision])
  await changeSchedule(posting, books, { before, after, reason: 'correction' })
}

function listOfBooks({ ledger }: Books, agreement: Agreement, revisions: Revision[]) {
  return listLeaseInstalments(agreement, revisions, ledger.starts_on)
}

type ScheduleChange = {
  before: Iterable<Instalment>
  after: Iterable<Instalment>
  reason: 'correction' | 'proration'
}

/**
 * Brings the posted charges from one schedule to another, and returns them: what the new one has more of is a further
 * charge, and what is charged beyond it is credited. So a revision upwards undoes no waiver, and nothing is credited
 * that was credited by hand.
 */
async function changeSchedule(posting: Posting, books: Books, { before, after, reason }: ScheduleChange) {
  const charges = await findEntities(posting.em, Charge, selectInstalments, {
    agreementId: books.agreement.id,
  })
  const [amountsBefore, amountsAfter] = [toAmounts(before), toAmounts(after)]
  // A revised rent is in several charges, of which the first one is the instalment.
  for (const parts of Map.groupBy(charges, ({ id, base_charge_id }) => base_charge_id ?? id).values()) {
    const key = toInstalmentKey(parts[0]!)
    const amount = amountsAfter.get(key) ?? 0
    const added = amount - (amountsBefore.get(key) ?? 0)
    if (added > 0) postFurtherCharge(posting, books, parts, added)
    else await creditBeyond(posting, books, parts, { amount, reason })
  }
  return charges
}

const toAmounts = (instalments: Iterable<Instalment>) =>
  new Map([...instalments].map(each => [toInstalmentKey(each), each.amount]))

/** The charge belongs to the schedule too, with an item of its own, so that the end of the lease pro-rates both. */
function postFurtherCharge(posting: Posting, books: Books, parts: Charge[], amount: number) {
  const { id, type, item, description, due_date, period_start, period_end } = parts[0]!
  postCharge(posting, books, {
    type,
    description,
    due_date: due_date > posting.today ? due_date : posting.today,
    amount,
    period_start,
    period_end,
    source: 'schedule',
    item: -(item * MAX_PARTS + parts.length),
    base_charge_id: id,
  })
}

/** Credits what the parts of an instalment are for beyond its amount: what one of them leaves the next one is for. */
async function creditBeyond(
  posting: Posting,
  books: Books,
  parts: Charge[],
  { amount, reason }: { amount: number; reason: ScheduleChange['reason'] },
) {
  let left = amount
  for (const part of parts) {
    const charged = getCharged(part)
    const credit = { amount: charged - left, reason }
    if (charged > left) await creditCharge(posting, books, part, credit)
    left = Math.max(0, left - charged)
  }
}

function groupByAgreement<Row extends { agreement_id: number }>(rows: Row[]) {
  return Map.groupBy(rows, ({ agreement_id }) => agreement_id)
}

function selectPostedKeys(db: Db, { ids }: { ids: number[] }) {
  return db
    .selectFrom('charges')
    .where(sql<boolean>`agreement_id = any(${ids}::int[])`)
    .where('source', '=', 'schedule')
    .select(['agreement_id', 'type', 'item', 'period_start'])
}

function selectInstalments(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('charges')
    .where('agreement_id', '=', agreementId)
    .where('source', '=', 'schedule')
    .where('period_start', 'is not', null)
    .orderBy('id')
}

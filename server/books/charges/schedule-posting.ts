import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { RentRevision, type Agreement } from '../../../db/entities'
import { addDays } from '../../domain/dates'
import { toRupees } from '../../domain/money'
import { forEachGivingWay } from '../../domain/give-way'
import { listRents, loadRevisions } from '../../leases/rents'
import type { Books, Posting } from '../ledger/books'
import { postCharge } from '../ledger/postings'
import { listInstalments, loadPostedInstalments } from './agreement-schedule'
import type { ProjectedRent } from '../../domain/rents'
import {
  isRestOfMonth,
  splitByPosted,
  type InstalmentKey,
  type PostedPeriod,
  type ProjectedInstalment,
} from './schedule'

/** A charge is posted so many days before it falls due. */
export const POSTING_LEAD_DAYS = 7
/** An instalment that has begun falls due within this time, and so does the next one. */
const LONGEST_GAP_DAYS = 96

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
  const ids = allBooks.map(({ agreement }) => agreement.id)
  const revisions = groupByAgreement(await loadRevisions(em, ids))
  const posted = groupByAgreement(await loadPostedInstalments(em, ids))
  await forEachGivingWay(allBooks, books => {
    const { agreement } = books
    const rents = listRents(agreement, revisions.get(agreement.id) ?? [])
    postSchedule(em, books, { rents, posted: posted.get(agreement.id) ?? [], begunBy }, posting)
  })
}

type PostedInstalment = InstalmentKey & PostedPeriod
type LeaseSchedule = { rents: ProjectedRent[]; posted: PostedInstalment[]; begunBy: string }

function postSchedule(
  em: EntityManager,
  books: Books,
  { rents, posted, begunBy }: LeaseSchedule,
  posting: Posting,
) {
  const { ledger } = books
  const through = addDays(posting.today, POSTING_LEAD_DAYS)
  const from = ledger.starts_on > through ? ledger.starts_on : through
  const instalments = listInstalments(books, rents, posted, addDays(from, LONGEST_GAP_DAYS))
  const isDue = ({ due_date, period_start }: ProjectedInstalment) =>
    due_date <= through || period_start <= begunBy

  const known = splitByPosted(instalments, posted)
  const due = known.open.filter(isDue)
  for (const instalment of due) postInstalment(em, books, instalment, posting)
  const lastDay = getLastDay([...known.posted, ...due], through)
  recordEscalations(em, books, rents, lastDay)
  const next = known.open.find(instalment => !isDue(instalment))
  ledger.next_posting_on = next ? addDays(next.due_date, -POSTING_LEAD_DAYS) : null
}

/** Returns the day until which escalations are written down: the last one that posted instalments are for, or `day`. */
export function getLastDay(posted: { period_end?: string | null }[], day: string) {
  let last = day
  for (const { period_end } of posted) if (period_end && period_end > last) last = period_end
  return last
}

/** Posts an instalment in the name of the system. The rest of a month is due when it is posted, or later. */
export function postInstalment(
  em: EntityManager,
  books: Books,
  instalment: ProjectedInstalment,
  posting: Posting,
) {
  const isPastRest = isRestOfMonth(books.agreement, instalment) && instalment.due_date < posting.today
  const due_date = isPastRest ? posting.today : instalment.due_date
  postCharge(em, books, { ...instalment, due_date, source: 'schedule' }, { ...posting, actorId: null })
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

/** Has the job post what a renewed lease owes since its former end. */
export async function resumeSchedule(em: EntityManager, { id }: Agreement, endedOn: string) {
  await executeCompiled(em, updateNextPosting, { agreementId: id, endedOn })
}

function groupByAgreement<Row extends { agreement_id: number }>(rows: Row[]) {
  return Map.groupBy(rows, ({ agreement_id }) => agreement_id)
}

function updateNextPosting(db: Db, { agreementId, endedOn }: { agreementId: number; endedOn: string }) {
  return db
    .updateTable('ledgers')
    .set({ next_posting_on: sql`least(next_posting_on, ${endedOn}::date)` })
    .where('agreement_id', '=', agreementId)
}

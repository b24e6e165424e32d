import type { AcceptanceInput, NewRentRevision } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../../db/database'
import { RentRevision, type Agreement } from '../../../db/entities'
import { consumePosting } from '../ledger/posting-cap'
import { findRentLimitDay, loadRevisions } from '../../leases/rents'
import { appendEntry } from '../../leases/timeline'
import { MODEL_TENANCY } from '../../domain/rent-law'
import { finishPosting } from '../charges/late-fees'
import { applyRevision } from '../charges/posting'
import type { Tx } from '../../deps'
import { addDays, addMonths } from '../../domain/dates'
import type { RecordId } from '../../http/record-id'
import { refuse, refuseFields } from '../../errors'
import { loadView } from '../../http/changes'
import { lockBooks } from '../ledger/access'
import { getPosting } from '../ledger/books'
import { results } from '../../messages/results'
import { toWarning } from '../../messages/warnings'
import { selectRevision, type RevisionPath } from './queries'

/** Proposes another rent from a day on, which a tenant accepts or declines. */
export async function proposeRevision(
  tx: Tx,
  agreementId: RecordId,
  { rent_amount, effective_on }: NewRentRevision,
) {
  const { em, actor } = tx
  const { now, today } = getPosting(tx)
  const { locked, books } = await lockBooks(em, actor, agreementId, 'landlord')
  const { agreement } = locked
  requireActive(agreement)
  requireDay(agreement, effective_on, today)
  await requireFreeDay(em, agreement, effective_on)

  const decided = await loadRevisions(em, [agreement.id])
  const limitDay = findRentLimitDay(agreement, [...decided, { rent_amount, effective_on }])
  if (limitDay) throw refuseFields('escalation_too_high', 'rent_amount', { date: limitDay })
  await consumePosting(tx, books.agreement)

  const revision = em.create(RentRevision, {
    revision_id: crypto.randomUUID(),
    agreement_id: agreement.id,
    rent_amount,
    effective_on,
    status: 'proposed',
  })
  await appendEntry(em, now, locked, 'rent_proposed', actor.id, { rent_amount, effective_on })
  await em.flush()
  const data = await loadView(tx, selectRevision, { id: revision.id })
  return { message: results.revision_proposed, data, ...findWarnings(effective_on, today) }
}

function requireActive({ status }: Agreement) {
  if (status !== 'ACTIVE') throw refuse('wrong_status', { status, to_be: 'revised' })
}

/** @throws VALIDATION_ERROR The day is past, or the first or after the last one of the lease. */
function requireDay({ agreement_start_date, agreement_end_date }: Agreement, day: string, today: string) {
  const second = addDays(agreement_start_date, 1)
  const from = second > today ? second : today
  if (day >= from && day <= agreement_end_date) return
  throw refuseFields('revision_outside_lease', 'effective_on', { from, to: agreement_end_date })
}

/** @throws VALIDATION_ERROR Another rent from that day is proposed or accepted. */
async function requireFreeDay(em: EntityManager, { id }: Agreement, day: string) {
  const revisions = await findRevisions(em, id)
  const standing = revisions.filter(({ status }) => status === 'proposed' || status === 'accepted')
  if (standing.some(({ effective_on }) => effective_on === day))
    throw refuseFields('revision_exists', 'effective_on', { date: day })
}

function findWarnings(effective_on: string, today: string) {
  const noticed = addMonths(today, MODEL_TENANCY.revision_notice_months)
  return effective_on < noticed ? { warnings: [toWarning('revision_notice_short')] } : {}
}

/** Who decides on a proposed rent, and its entry in the timeline. */
const decisions = {
  accepted: { side: 'tenants', entry: 'rent_accepted' },
  accepted_on_paper: { side: 'landlord', entry: 'rent_accepted_on_paper' },
  declined: { side: 'tenants', entry: 'rent_declined' },
  withdrawn: { side: 'landlord', entry: 'rent_withdrawn' },
} as const

/**
 * Decides on a proposed rent. One that is accepted changes the schedule from its day on; the day of one that is
 * declined or withdrawn is free for another proposal.
 */
export async function decideRevision(
  tx: Tx,
  { id, revisionId: key }: RevisionPath,
  status: 'accepted' | 'declined' | 'withdrawn',
  { accepted_on_paper: paper }: AcceptanceInput = {},
) {
  const { em, actor } = tx
  const posting = getPosting(tx)
  const { side, entry } = decisions[paper ? 'accepted_on_paper' : status]
  const { locked, books } = await lockBooks(em, actor, id, side)
  const revisions = await findRevisions(em, locked.agreement.id)
  const revision = revisions.find(each => ('id' in key ? each.id === key.id : each.revision_id === key.uuid))
  if (!revision) throw refuse('revision_not_found')
  if (revision.status !== 'proposed') throw refuse('revision_decided', { status: revision.status })
  requireActive(locked.agreement)
  const { now, today } = posting
  const accepted_on = paper?.on
  if (paper && paper.on > today) throw refuseFields('date_in_future', 'accepted_on_paper.on', { today })

  Object.assign(revision, { status, decided_by_id: actor.id, decided_at: now })
  revision.paper_accepted_on = accepted_on ?? null
  const { rent_amount, effective_on } = revision
  await appendEntry(em, now, locked, entry, actor.id, { rent_amount, effective_on, accepted_on })
  if (status === 'accepted') await applyRevision(posting, books, revision)
  await finishPosting(posting, [books])
  const data = await loadView(tx, selectRevision, { id: revision.id })
  return { message: results[`revision_${status}`], data }
}

function findRevisions(em: EntityManager, agreement_id: number) {
  return em.find(RentRevision, { agreement_id }, { orderBy: { id: 'asc' } })
}

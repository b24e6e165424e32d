import type { Tx } from '../deps'
import { openBooks } from '../books/lifecycle'
import { getPosting } from '../books/ledger/books'
import { toIndianDate } from '../domain/dates'
import { getParties, type LockedAgreement } from '../leases/access'
import { extendTenure, finishTenure } from '../leases/agreements/tenures'
import { createPaperSignatures, recordAgreement, tellRecorded } from '../leases/paper/record'
import { takeLeaseSnapshots } from '../leases/snapshots'
import { chainEntry, storeEntries } from '../leases/timeline'
import { isLet, type LeasePlan } from './plan-leases'

export type Draft = { plan: LeasePlan; locked: LockedAgreement }

/** Records the drafts whose rows say that they were signed on paper: those that are new all at once. */
export async function recordLeases(tx: Tx, drafts: Draft[], notify: boolean) {
  const recorded = drafts.filter(({ plan }) => plan.isRecorded)
  for (const { plan } of recorded.filter(({ plan }) => plan.known))
    await recordAgreement(tx, { id: plan.agreement.id }, plan.given.paper!, { notify })
  const added = recorded.filter(({ plan }) => !plan.known)
  if (added.length === 0) return
  const today = toIndianDate(tx.now())
  const ended = added.filter(({ locked }) => locked.agreement.agreement_end_date < today)
  const extended = new Set<Draft>()
  for (const draft of ended) {
    const { plan, locked } = draft
    if (await extendTenure(locked.agreement, today, term => isLet(plan.unit, term))) extended.add(draft)
  }
  const agreements = added.map(({ locked }) => locked.agreement)
  const snapshots = await takeLeaseSnapshots(tx.em, agreements)
  const entries = added.flatMap((draft, index) => activate(tx, draft, today, snapshots[index]!))
  await tx.em.flush()
  await storeEntries(tx.em, entries)
  // In the name of the system, as the last signature does.
  await openBooks(getPosting({ em: tx.em, now: tx.now }), agreements)
  if (notify) for (const { locked } of added) await tellRecorded(tx, locked)
  for (const draft of ended) await finishTenure(tx, draft.locked, extended.has(draft))
}

/** Does what `recordAgreement` does to one, and returns its entries. */
function activate(tx: Tx, { plan, locked }: Draft, today: string, snapshot: string) {
  const { agreement } = locked
  const { signed_on, ...paper } = plan.given.paper!
  const now = tx.now()
  createPaperSignatures(tx, locked, signed_on)
  Object.assign(agreement, paper, {
    status: 'ACTIVE',
    signed_date: signed_on,
    recorded_on: today,
    manager_id: getParties(locked).manager_id,
    evidence_due_at: now,
  })
  const recorded = chainEntry(agreement, now, 'recorded', tx.actor.id, { signed_on, ...paper }, snapshot)
  const activated = chainEntry(agreement, now, 'activated', null)
  return [recorded, activated].map(entry => ({ locked, entry }))
}

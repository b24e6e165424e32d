import type { RecordInput } from '@kiraya/sdk/contract'
import type { Tx } from '../../deps'
import { toIndianDate } from '../../domain/dates'
import { PAPER } from '../../domain/consent'
import { refuse, refuseFields } from '../../errors'
import type { RecordId } from '../../http/record-id'
import { results } from '../../messages/results'
import {
  getParties,
  lockWithVisiblePrevious,
  requireLandlordOrManager,
  type LockedAgreement,
} from '../access'
import { writeMessage } from '../../messages-out/write'
import { loadDraft, type AgreementResult } from '../agreements/drafts'
import { extendIfOver, finishTenure } from '../agreements/tenures'
import { completeOpening, requireValidOpening } from '../opening'
import { renderLease, storeLease, toFixedDocument } from '../documents/sent'
import { hasOverlap } from '../overlap'
import { expireSignatures } from '../signing/cancellations'
import { requireActiveTenants, requireWillingTenants } from '../signing/parties'
import { createSignature, lockSignatures } from '../signing/signatures'
import { takeLeaseSnapshot } from '../snapshots'
import { getSignerRole } from '../states'
import { chainEntry, storeEntries } from '../timeline'

/**
 * Records that all parties of a draft signed it on paper: it is ACTIVE at once, and ended or extended if its tenure is
 * over. The tenants are told, unless `notify` says no. What they signed is only what the landlord says, until they
 * accept it.
 * @throws FORBIDDEN The agreement is no draft. VALIDATION_ERROR The day lies ahead, or the opening is wrong.
 * @throws BAD_REQUEST A tenant has no account any more or has declined the draft, or the unit is let for part of the time.
 */
export async function recordAgreement(
  tx: Tx,
  id: RecordId,
  { opening, ...paper }: RecordInput,
  { notify = true } = {},
): Promise<AgreementResult> {
  const { em, actor } = tx
  const today = toIndianDate(tx.now())
  const locked = await lockWithVisiblePrevious(em, actor, id)
  const { agreement } = locked
  requireLandlordOrManager(actor, locked)
  const { status } = agreement
  if (status !== 'DRAFT') throw refuse('wrong_status', { status, to_be: 'recorded' })
  if (paper.signed_on > today) throw refuseFields('date_in_future', 'signed_on', { today })
  const earlier = await lockSignatures(em, agreement.id)
  await requireActiveTenants(em, locked)
  requireWillingTenants(locked, earlier)

  if (opening) agreement.opening = completeOpening(opening)
  requireValidOpening(agreement, today)
  const snapshot = await takeLeaseSnapshot(em, agreement)
  if (agreement.document_template) await storeLease(tx, agreement, await renderLease(em, agreement))
  const tenure = await extendIfOver(agreement, today, term => hasOverlap(em, term))
  if (await hasOverlap(em, agreement)) throw refuse('unit_overlap')

  // A request that is being sent is cancelled once it finds this.
  const pending = earlier.filter(({ status }) => status === 'PENDING')
  await expireSignatures(tx, pending)
  // A party has one pending or signed signature: the index requires this order.
  if (pending.length > 0) await em.flush()
  await activateRecorded(tx, [{ locked, paper, snapshot, tenure }], notify)
  return loadDraft(tx, results.agreement_recorded, agreement)
}

type Recorded = {
  locked: LockedAgreement
  paper: Omit<RecordInput, 'opening'>
  snapshot: string
  tenure: 'over' | 'extended' | undefined
}

/** Makes leases that were signed on paper ACTIVE, all at once, and tells their tenants; a tenure that is over ends. */
export async function activateRecorded(tx: Tx, leases: Recorded[], notify: boolean) {
  const { em, now, leaseHooks } = tx
  const entries = leases.flatMap(lease => activate(tx, lease))
  // Whom a lease names as signers are told of it.
  await em.flush()
  await storeEntries(em, entries)
  // In the name of the system, as the last signature does.
  await leaseHooks.afterActivation({ em, now }, ...leases.map(({ locked }) => locked.agreement))
  if (notify) for (const { locked } of leases) await tellRecorded(tx, locked)
  for (const { locked, tenure } of leases) if (tenure) await finishTenure(tx, locked, tenure === 'extended')
}

function tellRecorded(tx: Tx, { agreement, tenantIds: to }: LockedAgreement) {
  return writeMessage(tx, { kind: 'lease_recorded', agreement, to, dedupeKey: `${agreement.id}` })
}

/** Makes a lease ACTIVE, and returns its entries; the caller flushes. */
function activate(tx: Tx, { locked, paper, snapshot }: Recorded) {
  const { agreement } = locked
  const { signed_on, ...numbers } = paper
  const now = tx.now()
  createPaperSignatures(tx, locked, signed_on)
  Object.assign(agreement, numbers, {
    status: 'ACTIVE',
    signed_date: signed_on,
    recorded_on: toIndianDate(now),
    manager_id: getParties(locked).manager_id,
    evidence_due_at: now,
  })
  const details = { ...paper, ...toFixedDocument(agreement) }
  const recorded = chainEntry(agreement, now, 'recorded', tx.actor.id, details, snapshot)
  const activated = chainEntry(agreement, now, 'activated', null)
  return [recorded, activated].map(entry => ({ locked, entry }))
}

/** Creates the signatures of the landlord and of each tenant. */
function createPaperSignatures(tx: Tx, locked: LockedAgreement, signedOn: string) {
  // This instant is on the day in India and in UTC.
  const signed_at = new Date(signedOn)
  for (const signer_id of [locked.agreement.landlord_id, ...locked.tenantIds])
    createSignature(tx, locked.agreement, {
      signer_id,
      signer_role: getSignerRole(getParties(locked), signer_id)!,
      status: 'SIGNED',
      provider: PAPER,
      signed_at,
      expires_at: signed_at,
    })
}

import type { RecordInput } from '@kiraya/sdk/contract'
import type { AgreementSignature } from '../../../db/entities'
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
import { extendTenure, finishTenure } from '../agreements/tenures'
import { completeOpening, requireValidOpening } from '../opening'
import { renderLease, storeLease, toFixedDocument } from '../documents/sent'
import { hasOverlap } from '../overlap'
import { activateLease } from '../signing/activation'
import { expireSignatures } from '../signing/cancellations'
import { requireActiveTenants, requireWillingTenants } from '../signing/parties'
import { createSignature, lockSignatures } from '../signing/signatures'
import { takeLeaseSnapshot } from '../snapshots'
import { getSignerRole } from '../states'
import { appendEntry } from '../timeline'

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
  { signed_on, opening, ...paper }: RecordInput,
  { notify = true } = {},
): Promise<AgreementResult> {
  const { em, actor } = tx
  const today = toIndianDate(tx.now())
  const locked = await lockWithVisiblePrevious(em, actor, id)
  const { agreement } = locked
  requireLandlordOrManager(actor, locked)
  const { status } = agreement
  if (status !== 'DRAFT') throw refuse('wrong_status', { status, to_be: 'recorded' })
  if (signed_on > today) throw refuseFields('date_in_future', 'signed_on', { today })
  const earlier = await lockSignatures(em, agreement.id)
  await requireActiveTenants(em, locked)
  requireWillingTenants(locked, earlier)

  if (opening) agreement.opening = completeOpening(opening)
  requireValidOpening(agreement, today)
  const snapshot = await takeLeaseSnapshot(em, agreement)
  if (agreement.document_template) await storeLease(tx, agreement, await renderLease(em, agreement))
  const isOver = agreement.agreement_end_date < today
  const isExtended = isOver && (await extendTenure(agreement, today, term => hasOverlap(em, term)))
  if (await hasOverlap(em, agreement)) throw refuse('unit_overlap')

  Object.assign(agreement, paper, { recorded_on: today, manager_id: getParties(locked).manager_id })
  const signatures = await signOnPaper(tx, locked, earlier, signed_on)
  const details = { signed_on, ...paper, ...toFixedDocument(agreement) }
  await appendEntry(em, tx.now(), locked, 'recorded', actor.id, details, snapshot)
  await activateLease(tx, locked, signatures, signed_on)
  if (notify) await tellRecorded(tx, locked)
  if (isOver) await finishTenure(tx, locked, isExtended)
  return loadDraft(tx, results.agreement_recorded, agreement)
}

/** Tells the tenants that a lease of theirs was recorded. */
export function tellRecorded(tx: Tx, { agreement, tenantIds: to }: LockedAgreement) {
  return writeMessage(tx, { kind: 'lease_recorded', agreement, to, dedupeKey: `${agreement.id}` })
}

/** Adds a signature of the landlord and of each tenant. A request that is being sent is cancelled once it finds this. */
async function signOnPaper(
  tx: Tx,
  locked: LockedAgreement,
  earlier: AgreementSignature[],
  signedOn: string,
): Promise<AgreementSignature[]> {
  await expireSignatures(
    tx,
    earlier.filter(({ status }) => status === 'PENDING'),
  )
  // A party has one pending or signed signature: the index requires this order.
  if (earlier.length > 0) await tx.em.flush()
  const signatures = createPaperSignatures(tx, locked, signedOn)
  // Whom the lease names as signers are told of it.
  await tx.em.flush()
  return signatures
}

/** Creates the signatures of a lease of paper; the caller flushes. */
export function createPaperSignatures(tx: Tx, locked: LockedAgreement, signedOn: string) {
  // This instant is on the day in India and in UTC.
  const signed_at = new Date(signedOn)
  return [locked.agreement.landlord_id, ...locked.tenantIds].map(signer_id =>
    createSignature(tx, locked.agreement, {
      signer_id,
      signer_role: getSignerRole(getParties(locked), signer_id)!,
      status: 'SIGNED',
      provider: PAPER,
      signed_at,
      expires_at: signed_at,
    }),
  )
}

import type { EntityManager } from '../../../db/database'
import type { AgreementSignature } from '../../../db/entities'
import { shareActiveUsers } from '../../accounts/auth/queries'
import type { Tx } from '../../deps'
import { toIndianDate } from '../../domain/dates'
import type { AuditEvent, LogFields } from '../../observability/log'
import type { SigningStatus } from '../../providers/signing/port'
import { getParties, loadLockedAgreement, lockWithPrevious, type LockedAgreement } from '../access'
import { enqueueCancellation, expireSignatures } from './cancellations'
import { getSignedIds, lockSignatures, type SignatureReference } from './signatures'
import { takeNameSnapshot } from '../snapshots'
import { canTransition, haveAllSigned, supersedes } from '../states'
import { appendEntry } from '../timeline'

/** What the provider reports; `isLapsed` if our clock ended the signature and the provider must cancel it. */
export type ReportedStatus = Omit<SigningStatus, 'requestId'> & { isLapsed?: true }

/** What a report changed. */
type Transition = { auditEntries: [AuditEvent, LogFields][]; hasSpareSignatures: boolean }

type Context = {
  tx: Omit<Tx, 'actor'>
  now: Date
  locked: LockedAgreement
  signatures: AgreementSignature[]
  signature: AgreementSignature
}
type FinalStatus = keyof typeof entryTypes

const entryTypes = { SIGNED: 'signed', DECLINED: 'declined', EXPIRED: 'expired' } as const

/** Applies a report to a signature and its agreement, both locked for the transaction. */
export async function transitionSignature(
  tx: Omit<Tx, 'actor'>,
  { id, agreement_id }: Pick<SignatureReference, 'id' | 'agreement_id'>,
  reported: ReportedStatus,
): Promise<Transition> {
  const { em } = tx
  const agreement = await lockWithPrevious(em, agreement_id)
  const signatures = await lockSignatures(em, agreement_id)
  const signature = signatures.find(known => known.id === id)!
  const unchanged = { auditEntries: [], hasSpareSignatures: false }

  if (reported.lastError) signature.last_error = reported.lastError
  const isFirstView = reported.viewed && !signature.viewed_at && signature.status === 'PENDING'
  const finalStatus = findFinalStatus(signature, signatures, reported)
  if (!isFirstView && !finalStatus) return unchanged
  if (signature.status !== 'PENDING' && !(await hasAccount(em, signature.signer_id))) return unchanged

  const locked = await loadLockedAgreement(em, agreement)
  const context = { tx, now: tx.now(), locked, signatures, signature }
  if (isFirstView) await markViewed(context)
  if (!finalStatus) return unchanged
  return endSignature(context, finalStatus, reported)
}

/** Whether a signer still has an account: what they declined by leaving stays declined. */
async function hasAccount(em: EntityManager, userId: number) {
  const activeIds = await shareActiveUsers(em, [userId])
  return activeIds.has(userId)
}

/** Returns the status that ends the signature; undefined if the report changes nothing. */
function findFinalStatus(
  signature: AgreementSignature,
  signatures: AgreementSignature[],
  { status }: ReportedStatus,
): FinalStatus | undefined {
  if (status === 'PENDING' || !supersedes(status, signature.status)) return undefined
  // If a party signs on two requests, the first one counts.
  if (status === 'SIGNED' && getSignedIds(signatures).has(signature.signer_id)) return undefined
  return status
}

async function markViewed({ tx, now, locked, signature }: Context) {
  signature.viewed_at = now
  const { signer_id, signature_id } = signature
  await appendEntry(tx.em, now, locked, 'viewed', signer_id, { signer_id, signature_id })
}

async function endSignature(
  context: Context,
  status: FinalStatus,
  reported: ReportedStatus,
): Promise<Transition> {
  const { tx, now, locked, signature } = context
  const { em } = tx
  const { agreement } = locked
  const { signer_id, signature_id, agreement_id } = signature
  const replaced = status === 'SIGNED' ? await expireNewerRequests(context) : []

  signature.status = status
  signature.signed_at = status === 'SIGNED' ? now : null
  signature.decline_reason = status === 'DECLINED' ? (reported.declineReason ?? null) : null
  if (status !== 'EXPIRED') signature.next_reminder_at = null
  if (reported.isLapsed) await enqueueCancellation(em, now, signature)

  const actorId = status === 'EXPIRED' ? null : signer_id
  const reason = signature.decline_reason ?? undefined
  const details = { signer_id, signature_id, reason }
  const snapshot = status === 'SIGNED' ? await takeNameSnapshot(em, agreement, signer_id) : undefined
  await appendEntry(em, now, locked, entryTypes[status], actorId, details, snapshot)

  const ended = { agreement: agreement_id, signature: signature.id, signer: signer_id }
  const auditEntries: Transition['auditEntries'] = [[`signing_${entryTypes[status]}`, ended]]
  const unneeded = await activateIfComplete(context)
  if (unneeded) auditEntries.push(['agreement_active', { agreement: agreement_id }])
  else if (agreement.signed_date && status === 'SIGNED') agreement.evidence_due_at = now

  return { auditEntries, hasSpareSignatures: replaced.length + (unneeded?.length ?? 0) > 0 }
}

/** If a party signs on an older request, the newer one is not needed. */
async function expireNewerRequests({ tx, signatures, signature }: Context) {
  const newer = signatures.filter(
    ({ id, signer_id, status }) =>
      id !== signature.id && signer_id === signature.signer_id && status === 'PENDING',
  )
  await expireSignatures(tx, newer)
  // A party has one pending or signed signature: the index requires this order.
  if (newer.length > 0) await tx.em.flush()
  return newer
}

/** Activates the agreement if all have signed, and returns the signatures that are not needed then. */
async function activateIfComplete({ tx, now, locked, signatures }: Context) {
  const isComplete = haveAllSigned(getParties(locked), getSignedIds(signatures))
  const { em } = tx
  const { agreement } = locked
  if (!isComplete || !canTransition(agreement.status, 'ACTIVE')) return undefined

  Object.assign(agreement, { status: 'ACTIVE', signed_date: toIndianDate(now), evidence_due_at: now })
  const unneeded = signatures.filter(({ status }) => status === 'PENDING')
  await expireSignatures(tx, unneeded)
  for (const { signer_id, signature_id } of unneeded)
    await appendEntry(em, now, locked, 'cancelled', null, { signer_id, signature_id })
  for (const each of signatures) each.next_reminder_at = null
  await appendEntry(em, now, locked, 'activated', null)
  await em.flush()
  await tx.leaseHooks.afterActivation(tx, agreement)
  return unneeded
}

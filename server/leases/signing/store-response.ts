import { AgreementSignature, type Agreement } from '../../../db/entities'
import { refuse } from '../../errors'
import type { RecordId } from '../../http/record-id'
import { DAY_MS } from '../../domain/durations'
import { LoggableError } from '../../observability/safe-errors'
import type { CreatedRequest, SigningStatus } from '../../providers/signing/port'
import { getParties, lockAgreement, type LockedAgreement } from '../access'
import { toFixedDocument } from '../documents/sent'
import { expireSignatures } from './cancellations'
import { createSignature, lockSignatures } from './signatures'
import type { NewClaim, SigningTx } from './claim'
import { findUserIdsByPhone, requireActiveTenants } from './parties'
import { getNextReminder, moveReminders } from './reminder-times'
import { takeLeaseSnapshot } from '../snapshots'
import { getSignerRole, isSignable } from '../states'
import { appendEntry } from '../timeline'

const SIGNATURE_TTL_MS = 3 * DAY_MS

/**
 * Stores the provider's response to a request. Returns undefined if draft or signature was changed during the
 * request.
 * @throws FORBIDDEN, BAD_REQUEST The agreement can no longer be signed.
 * @throws SERVICE_UNAVAILABLE The response cannot be used.
 */
export async function storeResponse(
  tx: SigningTx,
  id: RecordId,
  claim: NewClaim,
  response: CreatedRequest,
): Promise<AgreementSignature | undefined> {
  const { em } = tx
  // The unit is locked, so that of two overlapping agreements the second one sees the first.
  const locked = await lockAgreement(em, tx.initiator, id)
  const { agreement } = locked
  const now = tx.now()
  if (!isSignable(agreement.status))
    throw refuse('wrong_status', { status: agreement.status, to_be: 'signed' })

  const signatures = await lockSignatures(em, agreement.id)
  const signature = signatures.find(known => known.id === claim.signature.id)
  if (agreement.revision !== claim.revision || signature?.status !== 'PENDING') return undefined
  if (!getSignerRole(getParties(locked), signature.signer_id)) throw refuse('not_a_party', { to: 'sign' })
  await requireActiveTenants(em, locked)
  await requireUsableResponse(tx, agreement, response)

  Object.assign(signature, toRequestFields(response, now))
  let snapshot: string | undefined
  if (agreement.status === 'DRAFT') {
    agreement.manager_id = getParties(locked).manager_id
    agreement.status = 'PENDING'
    snapshot = await takeLeaseSnapshot(em, agreement)
  }
  const earlier = signatures.findLast(
    known =>
      known.signer_id === signature.signer_id && known.id !== signature.id && known.provider_request_id,
  )
  moveReminders(tx, signature, earlier, now)
  await appendSent(tx, locked, signature, earlier, snapshot)
  await storeOtherSigners(tx, locked, signatures, response)
  return signature
}

/** @throws SERVICE_UNAVAILABLE There is no web address, or the request belongs to another signature. */
async function requireUsableResponse(
  { em, signing, now }: SigningTx,
  agreement: Agreement,
  { requestId, providerSignatureId, signingUrl }: CreatedRequest,
) {
  const { name: provider, hasSharedRequests } = signing
  const request = { provider, provider_request_id: requestId }
  if (!/^https?:\/\//.test(signingUrl ?? '')) throw unusable('The provider gave no web address to sign at')

  // The provider may give a party that is asked again its former place in the request.
  if (hasSharedRequests && providerSignatureId) {
    const isEnded = { $in: ['EXPIRED', 'DECLINED'] } as const
    const place = { ...request, agreement_id: agreement.id, provider_signature_id: providerSignatureId }
    const released = { provider_signature_id: null, updated_at: now() }
    await em.nativeUpdate(AgreementSignature, { ...place, status: isEnded }, released)
  }
  const foreign = hasSharedRequests ? { ...request, agreement_id: { $ne: agreement.id } } : request
  if ((await em.count(AgreementSignature, foreign)) > 0)
    throw unusable('The provider gave the id of another request')
}

function unusable(reason: string) {
  return refuse('provider_unreachable', { provider: 'e-signing' }, { cause: new LoggableError(reason) })
}

function toRequestFields(
  { requestId, providerSignatureId, signingUrl, expiresAt }: SigningStatus,
  now: Date,
) {
  return {
    provider_request_id: requestId,
    provider_signature_id: providerSignatureId,
    signing_url: signingUrl,
    expires_at: expiresAt ?? new Date(now.getTime() + SIGNATURE_TTL_MS),
  }
}

async function appendSent(
  { em, initiator, now }: SigningTx,
  locked: LockedAgreement,
  { signer_id, signature_id }: AgreementSignature,
  earlier: AgreementSignature | undefined,
  snapshot?: string,
) {
  const type = earlier ? 'reissued' : 'sent'
  const actorId = initiator.isSystem ? null : initiator.id
  const fixed = snapshot ? toFixedDocument(locked.agreement) : {}
  await appendEntry(em, now(), locked, type, actorId, { signer_id, signature_id, ...fixed }, snapshot)
}

/** A shared request asks the others too: they can sign on it before their own signing is started. */
async function storeOtherSigners(
  tx: SigningTx,
  locked: LockedAgreement,
  signatures: AgreementSignature[],
  { others }: CreatedRequest,
) {
  if (!others?.length) return
  const { em } = tx
  const now = tx.now()
  const parties = getParties(locked)
  const phones = others.map(({ identifier }) => identifier)
  const userIds = await findUserIdsByPhone(em, phones)
  const known = signatures.filter(({ status }) => status === 'PENDING' || status === 'SIGNED')

  for (const { identifier, status } of others) {
    const signerId = userIds.get(identifier)
    const role = signerId && getSignerRole(parties, signerId)
    if (!signerId || !role) continue
    const earlier = known.find(({ signer_id }) => signer_id === signerId)
    if (earlier && !canMoveTo(earlier, status.requestId)) continue
    if (earlier) {
      await expireSignatures(tx, [earlier])
      await em.flush() // a party has one pending signature: the index requires this order
    }
    const signature = createSignature(tx, locked.agreement, {
      ...toRequestFields(status, now),
      signer_id: signerId,
      signer_role: role,
      status: 'PENDING',
      next_reminder_at: locked.agreement.signing_order ? null : getNextReminder(0, now),
    })
    await appendSent(tx, locked, signature, earlier)
  }
}

/** An open signature of an earlier request moves to the new one, which has all signatures so far. */
function canMoveTo({ status, provider_request_id }: AgreementSignature, requestId: string) {
  return status !== 'SIGNED' && Boolean(provider_request_id) && provider_request_id !== requestId
}

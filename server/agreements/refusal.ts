import type { DeclinedSignature, DeclineInput } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { AgreementSignature } from '../../db/entities'
import type { Deps } from '../deps'
import { parseRecordId, type RecordId } from '../domain/record-id'
import { refuse } from '../faults'
import type { Actor } from '../http/authentication'
import { saveIdempotentResponse } from '../http/idempotency'
import { results } from '../messages/results'
import {
  getParties,
  loadLockedAgreement,
  lockAgreement,
  lockAgreementById,
  type LockedAgreement,
} from './access'
import { enqueueCancellation } from './cancellations'
import { tryCancelNow, trySyncNow } from './signature-status'
import { getSignedIds, hasDeclined, lockSignatures, selectReferences } from './signatures'
import { getSignerRole, isSignable, type SignerRole } from './states'
import { appendEvent } from './timeline'

const MAX_SYNCED = 20

/**
 * Refuses to sign as a party who has not signed; open requests are cancelled at the provider too. To repeat it
 * changes nothing. A draft keeps a tenant who declined, but it cannot be signed until it names another.
 * @throws BAD_REQUEST The actor has signed.
 * @throws FORBIDDEN The actor is no party, or the agreement can no longer be signed.
 */
export async function declineAgreement(
  deps: Deps,
  actor: Actor,
  id: string,
  { reason }: DeclineInput,
): Promise<{ message: string; data: DeclinedSignature }> {
  await syncOpenSignatures(deps, actor.id, parseRecordId(id, 'agreement_not_found'))
  const { signature, isNew, response } = await deps.db.transactional(async em => {
    const locked = await lockAgreement(em, actor, id)
    const signatures = await lockSignatures(em, locked.agreement.id)
    const role = requireRefusable(locked, signatures, actor)
    const declined = await decline(deps, em, locked, signatures, {
      userId: actor.id,
      role,
      reason: reason ?? null,
    })
    const result = { message: results.agreement_declined, data: toView(declined.signature) }
    return { ...declined, response: await saveIdempotentResponse(em, result) }
  })
  if (isNew) await finishDecline(deps, signature)
  return response
}

function toView({ signature_id, decline_reason }: AgreementSignature): DeclinedSignature {
  return { signature_id, status: 'declined', decline_reason: decline_reason ?? null }
}

/** Declines a pending agreement in the name of a party who leaves, unless they have signed it. */
export async function declineUnsigned(deps: Deps, userId: number, agreementId: number) {
  const declined = await deps.db.transactional(async em => {
    const locked = await loadLockedAgreement(em, await lockAgreementById(em, agreementId))
    const signatures = await lockSignatures(em, agreementId)
    const role = getSignerRole(getParties(locked), userId)
    const isOver = locked.agreement.status !== 'PENDING' || getSignedIds(signatures).has(userId)
    if (!role || isOver) return undefined
    return decline(deps, em, locked, signatures, { userId, role, reason: null })
  })
  if (declined?.isNew) await finishDecline(deps, declined.signature)
}

/** Tells the log and the provider of a refusal that is committed. */
async function finishDecline(deps: Deps, { id, agreement_id, signer_id }: AgreementSignature) {
  deps.log.audit('signing_declined', { agreement: agreement_id, signature: id, signer: signer_id })
  await tryCancelNow(deps, agreement_id)
}

function requireRefusable(locked: LockedAgreement, signatures: AgreementSignature[], actor: Actor) {
  const { status } = locked.agreement
  const role = getSignerRole(getParties(locked), actor.id)
  if (!role) throw refuse('not_a_party', { to: 'decline' })
  if (getSignedIds(signatures).has(actor.id)) throw refuse('already_signed', { who: 'you' })
  if (!isSignable(status)) throw refuse('wrong_status', { status, to_be: 'declined' })
  return role
}

type Refusal = { userId: number; role: SignerRole; reason: string | null }

/** Declines a party's latest request, or records the refusal of one who was not asked; the caller locks both. */
async function decline(
  deps: Deps,
  em: EntityManager,
  locked: LockedAgreement,
  signatures: AgreementSignature[],
  { userId, role, reason }: Refusal,
): Promise<{ signature: AgreementSignature; isNew: boolean }> {
  const own = signatures.filter(({ signer_id }) => signer_id === userId)
  const latest = own.at(-1)
  if (latest && hasDeclined(own, userId)) return { signature: latest, isNew: false }

  const { agreement } = locked
  for (const signature of own) signature.next_reminder_at = null
  const signature = latest ?? createUnsentSignature(deps, em, locked, userId, role)
  const { signature_id, provider, provider_request_id } = signature
  if (signature.status === 'PENDING' && provider_request_id)
    await enqueueCancellation(deps, em, { provider, provider_request_id, agreement_id: agreement.id })
  signature.status = 'DECLINED'
  signature.decline_reason = reason
  // A request that is being sent has a document whose draft has to change.
  if (agreement.status === 'DRAFT') agreement.revision++

  const details = { signer_id: userId, signature_id, reason: reason ?? undefined }
  await appendEvent(em, deps.now(), locked, 'declined', userId, details)
  await em.flush()
  return { signature, isNew: true }
}

function createUnsentSignature(
  deps: Deps,
  em: EntityManager,
  { agreement }: LockedAgreement,
  signerId: number,
  role: SignerRole,
) {
  const now = deps.now()
  return em.create(AgreementSignature, {
    signature_id: crypto.randomUUID(), // the event before the insert names it
    agreement_id: agreement.id,
    signer_id: signerId,
    signer_role: role,
    provider: deps.signing.name,
    expires_at: now,
    status: 'DECLINED',
    created_at: now,
  })
}

/**
 * Asks the provider about a user's open signatures, so that one that was just signed counts as signed. A
 * provider that fails or takes long does not keep anyone from refusing.
 */
export async function syncOpenSignatures(deps: Deps, userId: number, agreement?: RecordId) {
  const open = await executeCompiled(deps.db, selectOpenSignatures, { userId, agreement })
  await trySyncNow(deps, open)
}

function selectOpenSignatures(db: Db, { userId, agreement }: { userId: number; agreement?: RecordId }) {
  const open = selectReferences(db)
    .where('signer_id', '=', userId)
    .where('status', '=', 'PENDING')
    .where('provider_request_id', 'is not', null)
    .limit(MAX_SYNCED)
  if (!agreement) return open
  return open.where(
    'agreement_id',
    'in',
    db
      .selectFrom('agreements')
      .where(e => ('id' in agreement ? e('id', '=', agreement.id) : e('agreement_id', '=', agreement.uuid)))
      .select('id'),
  )
}

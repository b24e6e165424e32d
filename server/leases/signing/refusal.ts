import type { DeclinedSignature, DeclineInput } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import type { AgreementSignature } from '../../../db/entities'
import type { Actor, Deps, Tx } from '../../deps'
import { hasId, type RecordId } from '../../http/record-id'
import { refuse } from '../../errors'
import type { RunChange } from '../../http/changes'
import { results } from '../../messages/results'
import {
  getParties,
  loadLockedAgreement,
  lockAgreement,
  lockAgreementById,
  type LockedAgreement,
} from '../access'
import { expireSignatures } from './cancellations'
import { changeAndCancel, type Ending } from './endings'
import { trySyncNow } from './sync'
import { createSignature, getSignedIds, lockSignatures } from './signatures'
import { getSignerRole, isSignable, type SignerRole } from '../states'
import { appendEntry } from '../timeline'

const MAX_SYNCED = 20

/**
 * Refuses to sign as a party who has not signed; open requests are cancelled at the provider too. To repeat it
 * changes nothing. A draft keeps a tenant who declined, but it cannot be signed until it names another.
 * @throws BAD_REQUEST The actor has signed.
 * @throws FORBIDDEN The actor is no party, or the agreement can no longer be signed.
 */
export async function declineAgreement(
  deps: Deps,
  { actor, change }: { actor: Actor; change: RunChange },
  id: RecordId,
  { reason }: DeclineInput,
): Promise<Declined> {
  await syncOpenSignatures(deps, actor.id, id)
  return changeAndCancel(deps, change, refuseToSign, id, reason ?? null)
}

type Declined = { message: string; data: DeclinedSignature }

async function refuseToSign(tx: Tx, id: RecordId, reason: string | null): Promise<Ending<Declined>> {
  const locked = await lockAgreement(tx.em, tx.actor, id)
  const { status } = locked.agreement
  const signatures = await lockSignatures(tx.em, locked.agreement.id)
  const role = getSignerRole(getParties(locked), tx.actor.id)
  if (!role) throw refuse('not_a_party', { to: 'decline' })
  if (getSignedIds(signatures).has(tx.actor.id)) throw refuse('already_signed', { who: 'you' })
  if (!isSignable(status)) throw refuse('wrong_status', { status, to_be: 'declined' })

  const { response, ended } = await decline(tx, locked, signatures, { role, reason })
  const { signature_id, decline_reason = null } = response
  const data = { signature_id, status: 'declined' as const, decline_reason }
  return { response: { message: results.agreement_declined, data }, ended }
}

/** Declines a pending agreement in the name of the actor, who leaves, unless they have signed it. */
export async function declineUnsigned(tx: Tx, agreementId: number): Promise<Ending<unknown>> {
  const locked = await loadLockedAgreement(tx.em, await lockAgreementById(tx.em, agreementId))
  const signatures = await lockSignatures(tx.em, agreementId)
  const role = getSignerRole(getParties(locked), tx.actor.id)
  const isOver = locked.agreement.status !== 'PENDING' || getSignedIds(signatures).has(tx.actor.id)
  if (!role || isOver) return { response: undefined }
  return decline(tx, locked, signatures, { role, reason: null })
}

/** Declines the actor's latest request, or records the refusal of one who was not asked; the caller locks both. */
async function decline(
  tx: Tx,
  locked: LockedAgreement,
  signatures: AgreementSignature[],
  { role, reason }: { role: SignerRole; reason: string | null },
): Promise<Ending<AgreementSignature>> {
  const { em, actor } = tx
  const { agreement } = locked
  const own = signatures.filter(({ signer_id }) => signer_id === actor.id)
  const latest = own.at(-1)
  if (latest?.status === 'DECLINED') return { response: latest }

  if (latest?.status === 'PENDING') await expireSignatures(tx, [latest])
  for (const signature of own) signature.next_reminder_at = null
  const unsent = { signer_id: actor.id, signer_role: role, expires_at: tx.now(), status: 'DECLINED' } as const
  const signature = latest ?? createSignature(tx, agreement, unsent)
  signature.status = 'DECLINED'
  signature.decline_reason = reason
  // A request that is being sent has a document whose draft has to change.
  if (agreement.status === 'DRAFT') agreement.revision++

  const details = { signer_id: actor.id, signature_id: signature.signature_id, reason: reason ?? undefined }
  await appendEntry(em, tx.now(), locked, 'declined', actor.id, details)
  await em.flush()
  const fields = { agreement: agreement.id, signature: signature.id, signer: actor.id }
  return { response: signature, ended: ['signing_declined', fields] }
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
  const open = db
    .selectFrom('agreement_signatures')
    .select(['id', 'agreement_id', 'status', 'provider', 'provider_request_id', 'provider_signature_id'])
    .orderBy('id')
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
      .where(hasId('agreements', 'agreement_id', agreement))
      .select('id'),
  )
}

import type { SignInput } from '@kiraya/sdk/contract'
import type { AgreementSignature } from '../../../db/entities'
import type { Actor, Tx } from '../../deps'
import type { RecordId } from '../../http/record-id'
import { refuse } from '../../errors'
import { consumeMessages } from '../../messages-out/cap'
import type { SigningRequest } from '../../providers/signing/port'
import { getParties, isLandlordOrManager, lockAgreement, type LockedAgreement } from '../access'
import { consumeOwnSigning } from './own-signings'
import { createSignature, getSignedIds, hasDeclined, lockSignatures } from './signatures'
import { requireActiveTenants, requireTurn, requireWillingTenants } from './parties'
import { hasOverlap } from '../overlap'
import { findRemaining, toSigningRequest } from './provider-request'
import { findUsers, type PartyUser } from '../party-users'
import { getSignerRole, isSignable } from '../states'

/** Who starts a signing. For the system's own requests it is the landlord, whose rights they use. */
export type SigningInitiator = Pick<Actor, 'id'> & { isSystem?: boolean }
export type SigningTx = Omit<Tx, 'actor'> & { initiator: SigningInitiator }

/** The sole right to ask the provider for a signature, or the signature of who already has it. */
export type SigningClaim = ExistingClaim | NewClaim
type ExistingClaim = { kind: 'reusable' | 'expired' | 'in_progress'; signature: AgreementSignature }
export type NewClaim = {
  kind: 'new'
  signature: AgreementSignature
  request: SigningRequest
  /** The agreement's revision: if it changes, the provider has an outdated document. */
  revision: number
}

/**
 * Claims the signing of one party by inserting its signature.
 * @throws NOT_FOUND, FORBIDDEN, BAD_REQUEST, TOO_MANY_REQUESTS The rules do not allow the signing.
 */
export async function claimSigning(
  tx: SigningTx,
  id: RecordId,
  input: SignInput,
  claimMs: number,
): Promise<SigningClaim> {
  const { em, initiator, signing } = tx
  const locked = await lockAgreement(em, initiator, id)
  const { agreement } = locked
  const { signer, role } = await requireSigner(tx, locked, input.signer_id)
  const signatures = await lockSignatures(em, agreement.id)
  await requireActiveTenants(em, locked)
  requireWillingTenants(locked, signatures)
  if (initiator.isSystem && hasDeclined(signatures, signer.id)) throw refuse('signer_declined')

  const existing = await findExistingClaim(tx, locked, signatures, signer)
  if (existing) return existing
  if (await hasOverlap(em, agreement)) throw refuse('unit_overlap')
  const isStored = Boolean(agreement.document_template ?? agreement.document_sha256)
  if (!isStored && !agreement.document_url) throw refuse('document_missing')

  const remaining = await findRemaining(em, locked, signatures, { signerId: signer.id, role })
  const addressees = signing.hasSharedRequests ? remaining : [signer]
  const others = addressees.filter(({ id }) => id !== initiator.id).map(({ phone }) => phone)
  if (!initiator.isSystem) await consumeMessages(em, tx, agreement.landlord_id, others)
  if (initiator.id === signer.id && !initiator.isSystem) await consumeOwnSigning(em, tx, signer.phone)
  const signature = createSignature(tx, agreement, {
    signer_id: signer.id,
    signer_role: role,
    expires_at: new Date(tx.now().getTime() + claimMs),
    status: 'PENDING',
    document_key: isStored ? crypto.randomUUID() : null,
  })
  const request = toSigningRequest(tx, locked, signature, {
    signer,
    remaining,
    signatures,
    options: input.flexi_options,
  })
  return { kind: 'new', signature, revision: agreement.revision, request }
}

/**
 * Finds the claim that keeps the signer from a new one; an unsent signature whose claim has expired is ended.
 * @throws BAD_REQUEST The signer has signed, or it is another party's turn.
 */
async function findExistingClaim(
  tx: SigningTx,
  locked: LockedAgreement,
  signatures: AgreementSignature[],
  signer: PartyUser,
): Promise<ExistingClaim | undefined> {
  const now = tx.now()
  const current = findCurrent(signatures, signer.id)
  if (current?.status === 'SIGNED') throw refuse('already_signed', { who: 'signer' })
  requireTurn(locked, getSignedIds(signatures), signer.id)
  if (current && current.expires_at > now)
    return { kind: current.signing_url ? 'reusable' : 'in_progress', signature: current }
  if (current?.provider_request_id) return { kind: 'expired', signature: current }
  if (current) {
    current.status = 'EXPIRED'
    await tx.em.flush() // a party has one pending signature: the index requires this order
  }

  const other = tx.signing.hasSharedRequests ? findUnsent(signatures, now) : undefined
  return other && { kind: 'in_progress', signature: other }
}

/** @throws FORBIDDEN, NOT_FOUND In the order of the specification: status, signer, party, initiator. */
async function requireSigner(
  { em, initiator, config }: SigningTx,
  locked: LockedAgreement,
  signerId: number,
) {
  const { status } = locked.agreement
  if (!isSignable(status)) throw refuse('wrong_status', { status, to_be: 'signed' })
  const [signer] = await findUsers(em, locked, [signerId])
  if (!signer?.is_active) throw refuse('signer_not_found')
  const role = getSignerRole(getParties(locked), signerId)
  // With `PARTIES=named` a response must not tell whether a user id exists.
  if (!role && config.PARTIES === 'named') throw refuse('signer_not_found')
  if (!role) throw refuse('not_a_party', { to: 'sign' })
  if (initiator.id !== signerId && !isLandlordOrManager(initiator, locked)) throw refuse('not_own_signing')
  return { signer, role }
}

function findCurrent(signatures: AgreementSignature[], signerId: number) {
  return signatures.find(
    ({ signer_id, status }) => signer_id === signerId && (status === 'PENDING' || status === 'SIGNED'),
  )
}

/** Finds the signature that has claimed the agreement's shared request at the moment. */
function findUnsent(signatures: AgreementSignature[], now: Date) {
  return signatures.find(
    ({ status, provider_request_id, expires_at }) =>
      status === 'PENDING' && !provider_request_id && expires_at > now,
  )
}

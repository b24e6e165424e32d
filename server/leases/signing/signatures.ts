import type { RequiredEntityData } from '@mikro-orm/core'
import { findEntities } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { AgreementSignature, type Agreement } from '../../../db/entities'
import type { Deps, Tx } from '../../deps'

/** What identifies a signature at its provider, and its state. */
export type SignatureReference = Pick<
  AgreementSignature,
  'id' | 'agreement_id' | 'status' | 'provider' | 'provider_request_id' | 'provider_signature_id'
>

type SignatureData = Omit<
  RequiredEntityData<AgreementSignature>,
  'signature_id' | 'agreement_id' | 'provider'
> & { provider?: string }

/** Creates a signature; the provider's request and the entry in the timeline name its UUID before the insert. */
export function createSignature(
  { em, signing }: Pick<Tx, 'em' | 'signing'>,
  agreement: Agreement,
  data: SignatureData,
) {
  return em.create(AgreementSignature, {
    provider: signing.name,
    ...data,
    signature_id: crypto.randomUUID(),
    agreement_id: agreement.id,
  })
}

/** Locks the signatures of an agreement that is locked already, the oldest first. */
export function lockSignatures(em: EntityManager, agreementId: number) {
  return findEntities(em, AgreementSignature, selectSignaturesForUpdate, { agreementId })
}

function selectSignaturesForUpdate(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreementId)
    .orderBy('id')
    .forUpdate()
}

export function getSignedIds(signatures: AgreementSignature[]) {
  const signed = signatures.filter(({ status }) => status === 'SIGNED')
  return new Set(signed.map(({ signer_id }) => signer_id))
}

/** Whether the last that a party did about an agreement was to decline it. */
export function hasDeclined(signatures: AgreementSignature[], userId: number) {
  return signatures.findLast(({ signer_id }) => signer_id === userId)?.status === 'DECLINED'
}

/** Finds the signatures of a request at a provider; a shared request has one for each party. */
export function findSignaturesOfRequest({ db }: Deps, provider: string, requestId: string) {
  const ofRequest = { provider, provider_request_id: requestId }
  return db.fork().find(AgreementSignature, ofRequest, { orderBy: { id: 'asc' } })
}

/** Expires a signature that was never sent; returns whether it was still pending. */
export async function expireUnsent(
  em: EntityManager,
  { id }: Pick<AgreementSignature, 'id'>,
  now: Date,
  lastError?: string | null,
) {
  const unsent = { id, provider_request_id: null, status: 'PENDING' } as const
  const error = lastError === undefined ? {} : { last_error: lastError }
  const expired = { status: 'EXPIRED', updated_at: now, ...error } as const
  return (await em.nativeUpdate(AgreementSignature, unsent, expired)) > 0
}

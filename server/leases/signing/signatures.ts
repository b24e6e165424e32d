import { executeCompiled, findEntities } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { AgreementSignature } from '../../../db/entities'
import type { Deps } from '../../deps'

/** What identifies a signature at its provider, and its state. */
export type SignatureReference = Pick<
  AgreementSignature,
  'id' | 'agreement_id' | 'status' | 'provider' | 'provider_request_id' | 'provider_signature_id'
>

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

type RequestReference = { provider: string; requestId: string }

/** Finds the signatures of a request at a provider; a shared request has one for each party. */
export function findSignaturesOfRequest(deps: Deps, request: RequestReference) {
  return executeCompiled(deps.db, selectByRequest, request)
}

function selectByRequest(db: Db, { provider, requestId }: RequestReference) {
  return selectReferences(db).where('provider', '=', provider).where('provider_request_id', '=', requestId)
}

/** Finds a signature by the UUID that the provider knows as `documentId`. */
export async function findSignatureByUuid(deps: Deps, signatureId: string) {
  const [signature] = await executeCompiled(deps.db, selectByUuid, { signatureId })
  return signature
}

function selectByUuid(db: Db, { signatureId }: { signatureId: string }) {
  return selectReferences(db).where('signature_id', '=', signatureId)
}

export function selectReferences(db: Db) {
  return db
    .selectFrom('agreement_signatures')
    .orderBy('id')
    .select(['id', 'agreement_id', 'status', 'provider', 'provider_request_id', 'provider_signature_id'])
}

/** Expires a signature that was never sent; returns whether it was still pending. */
export async function expireUnsent(
  of: EntityManager | Deps['db'],
  { id }: Pick<AgreementSignature, 'id'>,
  now: Date,
  lastError?: string | null,
) {
  const expired = await executeCompiled(of, updateUnsent, { id, now, lastError })
  return expired.length > 0
}

type Unsent = { id: number; now: Date; lastError?: string | null }

function updateUnsent(db: Db, { id, now, lastError }: Unsent) {
  return db
    .updateTable('agreement_signatures')
    .set({
      status: 'EXPIRED',
      updated_at: now,
      ...(lastError !== undefined && { last_error: lastError }),
    })
    .where('id', '=', id)
    .where('provider_request_id', 'is', null)
    .where('status', '=', 'PENDING')
    .returning('id')
}

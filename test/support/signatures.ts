import type { Insertable } from 'kysely'
import type { Db, Tables } from '../../db/database'
import { claimSigning, type NewClaim } from '../../server/leases/signing/claim'
import { storeResponse } from '../../server/leases/signing/store-response'
import { transitionSignature } from '../../server/leases/signing/transition'
import type { Deps } from '../../server/deps'
import { DAY_MS } from '../../server/domain/durations'
import { createRecordStore } from '../../server/sandbox/record-store'
import { toTimestamps } from './timestamps'

// Signatures by the rows that they leave in Kiraya and in the sandbox, since a lease signed by requests takes three times as
// long. The product's own steps write them, and one test compares them with those of requests.

const CLAIM_MS = 60_000
const VALIDITY_MS = 3 * DAY_MS

/** Whether signatures go through the sandbox's own protocol, whose records are known here. */
export const canStoreSignatures = (deps?: Deps): deps is Deps => deps?.signing.name === 'sandbox'

/** A party starts to sign and signs; the last one's signature activates the agreement. */
export async function storeSignature(deps: Deps, agreementId: number, signerId: number) {
  const id = { id: agreementId }
  const initiator = { id: signerId }
  const [requestId, providerSignatureId] = [crypto.randomUUID(), crypto.randomUUID()]
  const expiresAt = new Date(deps.now().getTime() + VALIDITY_MS)
  const signingUrl = `${deps.publicUrl()}/sandbox/sign/${requestId}`

  const claim = await deps.db.transactional(em =>
    claimSigning({ ...deps, em, initiator }, id, { signer_id: signerId }, CLAIM_MS),
  )
  if (claim.kind !== 'new') throw new Error(`The signature of ${signerId} is ${claim.kind}`)
  const reported = { requestId, providerSignatureId, signingUrl, expiresAt }
  await storeSandboxRequest(deps, reported, claim)
  await deps.db.transactional(em =>
    storeResponse({ ...deps, em, initiator }, id, claim, { ...reported, status: 'PENDING' }),
  )
  await deps.db.transactional(em =>
    transitionSignature({ ...deps, em }, claim.signature, { status: 'SIGNED' }),
  )
}

type Reported = { requestId: string; providerSignatureId: string; expiresAt: Date }

/** The sandbox's record of a request that its only signer has signed. */
function storeSandboxRequest(deps: Deps, reported: Reported, { request }: NewClaim) {
  const now = deps.now()
  const { requestId: id, providerSignatureId, expiresAt } = reported
  const { signer, documentId, documentUrl } = request
  const signed = { status: 'signed', errCode: null, signedAt: now.toISOString() }
  const record = {
    id,
    documentId,
    documentUrl,
    document: null,
    signers: [{ id: providerSignatureId, ...signer, ...signed }],
    validUpto: expiresAt.toISOString(),
    cancelled: false,
  }
  return createRecordStore(deps.db, 'esign').add(id, record, now)
}

/** A row as no request would leave it: a signature of a tenant, which is still being sent and expires now, unless it says so. */
export const insertSignature = (
  db: Db,
  agreement: { id: number },
  signer: { id: number },
  row: Partial<Insertable<Tables['agreement_signatures']>> = {},
) =>
  db
    .insertInto('agreement_signatures')
    .values({
      agreement_id: agreement.id,
      signer_id: signer.id,
      signer_role: 'TENANT',
      provider: 'sandbox',
      expires_at: new Date(),
      ...toTimestamps(),
      ...row,
    })
    .returning(['id', 'signature_id'])
    .executeTakeFirstOrThrow()

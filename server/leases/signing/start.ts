import { LockMode } from '@mikro-orm/core'
import type { CancelledSignature, SignInput, StartedSigning } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { AgreementSignature } from '../../../db/entities'
import type { Deps, Tx } from '../../deps'
import { refuse } from '../../errors'
import { recordPath, type PathIds, type RecordId } from '../../http/record-id'
import { results } from '../../messages/results'
import { lockAgreement, requireLandlordOrManager } from '../access'
import { expireSignatures } from './cancellations'
import { expireSignature } from './reconciliation'
import type { Ending } from './status'
import { leaseSigning, type SigningInitiator, type SigningLease } from './lease'
import { NOT_SENT, requestSignature } from './request'
import { appendEntry } from '../timeline'

/** A lease outlives the provider's time limit by this, so that its result can still be stored. */
const LEASE_MARGIN_MS = 15_000
const POLL_INTERVAL_MS = 50

/**
 * Starts the signing of one party, or returns the open one. The provider is called outside of transactions:
 * a lease keeps others from asking it too, and the agreement changes only when it has responded.
 */
export async function startSigning(
  deps: Deps,
  initiator: SigningInitiator,
  id: RecordId,
  input: SignInput,
): Promise<{ message: string; data: StartedSigning }> {
  const leaseMs = deps.config.PROVIDER_TOTAL_TIMEOUT_MS + LEASE_MARGIN_MS
  const deadline = performance.now() + leaseMs
  while (performance.now() < deadline) {
    const lease = await deps.db.transactional(em =>
      leaseSigning({ ...deps, em, initiator }, id, input, leaseMs),
    )
    const signature = await applyLease(deps, initiator, id, input, lease)
    if (signature) return { message: results.sign_agreement, data: toView(signature) }
  }
  throw refuse('signing_in_progress')
}

function toView({ signature_id, signing_url, expires_at }: AgreementSignature): StartedSigning {
  return {
    signature_id,
    signing_url: signing_url!,
    expires_at: expires_at.toISOString(),
    status: 'pending',
  }
}

/** Returns the open signature, or undefined if the lease has to be tried again. */
async function applyLease(
  deps: Deps,
  initiator: SigningInitiator,
  id: RecordId,
  { signer_id }: SignInput,
  lease: SigningLease,
): Promise<AgreementSignature | undefined> {
  switch (lease.kind) {
    case 'reusable':
      return lease.signature
    case 'expired':
      await expireSignature(deps, lease.signature)
      return undefined
    case 'in_progress':
      await waitForLease(deps, lease.signature, signer_id)
      return undefined
    case 'acquired': {
      const signature = await requestSignature(deps, initiator, id, lease)
      if (signature) auditStart(deps, initiator, signature)
      return signature
    }
  }
}

function auditStart(deps: Deps, initiator: SigningInitiator, signature: AgreementSignature) {
  deps.log.audit('signing_started', {
    agreement: signature.agreement_id,
    signature: signature.id,
    signer: signature.signer_id,
    user: initiator.isSystem ? null : initiator.id,
  })
}

/** Waits until the request of another lease has a result; the same signer also shares its failure. */
async function waitForLease(deps: Deps, signature: AgreementSignature, signerId: number) {
  const { id, expires_at, created_at } = signature
  const deadline = performance.now() + expires_at.getTime() - created_at.getTime()
  while (performance.now() < deadline) {
    const [current] = await executeCompiled(deps.db, selectProgress, { id })
    const isInProgress = current?.status === 'PENDING' && !current.signing_url
    if (!isInProgress) {
      if (current?.last_error === NOT_SENT && signature.signer_id === signerId)
        throw refuse('provider_unreachable', { provider: 'e-signing' })
      return
    }
    await Bun.sleep(POLL_INTERVAL_MS)
  }
}

function selectProgress(db: Db, { id }: { id: number }) {
  return db
    .selectFrom('agreement_signatures')
    .where('id', '=', id)
    .select(['status', 'signing_url', 'last_error'])
}

export const SignaturePath = recordPath({ id: 'agreement', signatureId: 'signature' })
type SignaturePath = PathIds<typeof SignaturePath>
type Cancelled = { message: string; data: CancelledSignature }

/** Cancels one open signature; the agreement and the other signatures stay. */
export async function cancelSignature(tx: Tx, path: SignaturePath): Promise<Ending<Cancelled>> {
  const { em, actor } = tx
  const locked = await lockAgreement(em, actor, path.id)
  requireLandlordOrManager(actor, locked)
  const key = path.signatureId
  const signature = await em.findOne(
    AgreementSignature,
    { agreement_id: locked.agreement.id, ...('id' in key ? key : { signature_id: key.uuid }) },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (!signature?.provider_request_id) throw refuse('signature_not_found')
  if (signature.status !== 'PENDING')
    throw refuse('signature_not_open', { status: signature.status.toLowerCase() })

  await expireSignatures(tx, [signature])
  const { signer_id, signature_id, agreement_id } = signature
  await appendEntry(em, tx.now(), locked, 'cancelled', actor.id, { signer_id, signature_id })
  const data = { signature_id, status: 'expired' as const }
  const fields = { agreement: agreement_id, signature: signature.id, signer: signer_id, user: actor.id }
  return { response: { message: results.signature_cancelled, data }, ended: ['signing_cancelled', fields] }
}

import type { SignInput, StartedSigning, Warning } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import type { AgreementSignature } from '../../../db/entities'
import type { Deps } from '../../deps'
import { refuse } from '../../errors'
import type { RecordId } from '../../http/record-id'
import { results } from '../../messages/results'
import { findDepositWarning } from '../previous-lease'
import { expireSignature } from './reconciliation'
import { claimSigning, type SigningInitiator, type SigningClaim } from './claim'
import { NOT_SENT, sendSigningRequest } from './send-request'

/** A claim outlives the provider's time limit by this, so that its result can still be stored. */
const CLAIM_MARGIN_MS = 15_000
const POLL_INTERVAL_MS = 50

/**
 * Starts the signing of one party, or returns the open one. The provider is called outside of transactions:
 * a claim keeps others from asking it too, and the agreement changes only when it has responded.
 */
export async function startSigning(
  deps: Deps,
  initiator: SigningInitiator,
  id: RecordId,
  input: SignInput,
): Promise<{ message: string; data: StartedSigning; warnings?: Warning[] }> {
  const claimMs = deps.config.PROVIDER_TOTAL_TIMEOUT_MS + CLAIM_MARGIN_MS
  const deadline = performance.now() + claimMs
  while (performance.now() < deadline) {
    const { claim, warned } = await deps.db.transactional(async em => {
      const claim = await claimSigning({ ...deps, em, initiator }, id, input, claimMs)
      const warned = await findDepositWarning(em, claim.signature.agreement_id, initiator)
      return { claim, warned }
    })
    const signature = await applyClaim(deps, initiator, id, input, claim)
    if (signature) return { message: results.sign_agreement, data: toView(signature), ...warned }
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

/** Returns the open signature, or undefined if the claim has to be tried again. */
async function applyClaim(
  deps: Deps,
  initiator: SigningInitiator,
  id: RecordId,
  { signer_id }: SignInput,
  claim: SigningClaim,
): Promise<AgreementSignature | undefined> {
  switch (claim.kind) {
    case 'reusable':
      return claim.signature
    case 'expired':
      await expireSignature(deps, claim.signature)
      return undefined
    case 'in_progress':
      await waitForClaim(deps, claim.signature, signer_id)
      return undefined
    case 'new': {
      const signature = await sendSigningRequest(deps, initiator, id, claim)
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

/** Waits until the request of another claim has a result; the same signer also shares its failure. */
async function waitForClaim(deps: Deps, signature: AgreementSignature, signerId: number) {
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

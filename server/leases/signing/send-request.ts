import { getSqlState, isRefusedByDatabase } from '../../../db/database-errors'
import { setQueryTime } from '../../../db/deadlines'
import type { Deps } from '../../deps'
import type { RecordId } from '../../http/record-id'
import { refuse } from '../../errors'
import { processRelatedWebhooks } from './inbox'
import { lockAgreementById } from '../access'
import { loadSentLease } from '../documents/sent'
import { enqueueCancellation } from './cancellations'
import type { CreatedRequest } from '../../providers/signing/port'
import { tryCancelNow } from './sync'
import { expireUnsent } from './signatures'
import { type NewClaim, type SigningInitiator } from './claim'
import { storeResponse } from './store-response'

/** Marks a signature whose request failed, for those who wait for it. */
export const NOT_SENT = 'not_sent'

const EXCLUSION_VIOLATION = '23P01'

/**
 * Asks the provider for a signature and stores its response. Returns undefined if the draft was changed
 * during the request: the signer has to get the new one.
 */
export async function sendSigningRequest(
  deps: Deps,
  initiator: SigningInitiator,
  id: RecordId,
  claim: NewClaim,
) {
  const { agreement_id, provider } = claim.signature
  let response: CreatedRequest | undefined
  try {
    response = await askProvider(deps, claim)
  } catch (error) {
    if (await releaseClaim(deps, claim, { lastError: NOT_SENT })) throw error
    // With the change went the address at which the provider reads a stored lease.
    return undefined
  }
  if (!response) {
    await releaseClaim(deps, claim, {})
    return undefined
  }
  const { requestId } = response
  const stored = await deps.db
    .transactional(em => storeResponse({ ...deps, em, initiator }, id, claim, response))
    .catch(async error => {
      await releaseClaim(deps, claim, { requestId })
      throw toStoreError(error)
    })
  if (!stored) {
    await releaseClaim(deps, claim, { requestId })
    return undefined
  }
  // Webhooks can arrive before the response to the request.
  await processRelatedWebhooks(deps, provider, { request_id: requestId })
  if (response.others) await tryCancelNow(deps, agreement_id)
  return stored
}

/** Returns undefined if the draft was changed before a stored lease could be read. */
async function askProvider(deps: Deps, { signature, request, revision }: NewClaim) {
  if (!signature.document_key) return deps.signing.initiate(request)
  const content = await loadSentLease(deps, signature, revision)
  return content && deps.signing.initiate({ ...request, readOwnDocument: async () => content })
}

/**
 * Releases the claim; the provider's request, if any, is cancelled now or when its first webhook arrives. Returns whether
 * draft and signature were still as they were claimed.
 */
async function releaseClaim(
  deps: Deps,
  { signature, revision }: NewClaim,
  { lastError = null, requestId }: { lastError?: string | null; requestId?: string },
) {
  const { agreement_id, signature_id, provider } = signature
  // The failed change may have used up the query time, and the request at the provider has to be cancelled.
  setQueryTime(deps.config.DATABASE_TIMEOUT_MS)
  const isStanding = await deps.db.transactional(async em => {
    const agreement = await lockAgreementById(em, agreement_id)
    const isUnchanged = agreement.revision === revision
    const wasOpen = await expireUnsent(em, signature, deps.now(), isUnchanged ? lastError : null)
    await enqueueCancellation(em, deps.now(), { provider, provider_request_id: requestId, agreement_id })
    return isUnchanged && wasOpen
  })
  await processRelatedWebhooks(deps, provider, { document_id: signature_id })
  await tryCancelNow(deps, agreement_id)
  return isStanding
}

/** A response that the database refuses is as useless as none. */
function toStoreError(error: unknown) {
  if (getSqlState(error) === EXCLUSION_VIOLATION) return refuse('unit_overlap')
  return isRefusedByDatabase(error)
    ? refuse('provider_unreachable', { provider: 'e-signing' }, { cause: error })
    : error
}

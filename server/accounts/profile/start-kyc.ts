import { LockMode } from '@mikro-orm/core'
import type { StartKycResponse } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../../db/database'
import { isRefusedByDatabase } from '../../../db/database-errors'
import { KycRequest, type User } from '../../../db/entities'
import type { Actor, Deps, Tx } from '../../deps'
import { DAY_MS } from '../../domain/durations'
import { hashPhone } from '../../domain/phone-hash'
import { refuse } from '../../errors'
import type { RunChange } from '../../http/changes'
import { consumeRateLimits, refundRateLimits, toDailyLimit } from '../../http/limits/rate-limits'
import { results } from '../../messages/results'
import { lockOwnUser } from './access'
import { isAutomaticKyc, syncKyc } from './kyc'
import { applyKycResult, expiredResult } from './kyc-result'
import { isFinal } from './states'

const POLL_INTERVAL_MS = 50
const CLAIM_MARGIN_MS = 15_000
const TRY_SYNC_MS = 3000

/**
 * Returns the open identity check, or creates one at the provider.
 * @throws BAD_REQUEST The profile is incomplete, or the identity is already verified.
 * @throws TOO_MANY_REQUESTS The user started too many in a day.
 * @throws SERVICE_UNAVAILABLE The provider fails.
 */
export async function startKyc(deps: Deps, actor: Actor, change: RunChange): Promise<StartKycResponse> {
  const deadline = Date.now() + getClaimMs(deps)
  while (Date.now() < deadline) {
    const { request, isNew } = await deps.db.transactional(em => findOrCreateRequest(deps, em, actor))
    if (isNew) {
      const response = await createAtProvider(deps, actor, request, change)
      deps.log.audit('kyc_started', { user: actor.id, kyc_request: request.id })
      return response
    }
    // Without an address, a parallel request is creating it at the provider.
    if (!request.verification_url) await Bun.sleep(POLL_INTERVAL_MS)
    else if (await isStillOpen(deps, request)) return change(async () => toStartKycResponse(request))
  }
  throw refuse('kyc_in_progress')
}

/**
 * Asks the provider, so that a check that has ended or was forgotten there makes room for a new one. A
 * provider that fails ends nothing. The sandbox's automatic checks would succeed by the question.
 */
async function isStillOpen(deps: Deps, request: KycRequest) {
  if (await isAutomaticKyc(deps)) return true
  const sync = syncKyc(deps, request).catch(() => request.status)
  const unanswered = Bun.sleep(TRY_SYNC_MS).then(() => request.status)
  return !isFinal(await Promise.race([sync, unanswered]))
}

/** How long creating a request at the provider may take; after that, the next start creates a new one. */
function getClaimMs({ config }: Deps) {
  return config.PROVIDER_TOTAL_TIMEOUT_MS + CLAIM_MARGIN_MS
}

function toStartKycResponse({ kyc_request_id, verification_url }: KycRequest): StartKycResponse {
  return {
    message: results.prove_identity,
    verification_id: kyc_request_id,
    verification_url: verification_url!,
    status: 'initiated',
  }
}

/** The user's row is locked, so parallel starts share one request. */
async function findOrCreateRequest(deps: Deps, em: EntityManager, actor: Actor) {
  const user = await lockOwnUser(em, actor)
  requireUnverifiedProfile(user)

  const now = deps.now()
  const open = await em.findOne(KycRequest, {
    user_id: user.id,
    status: { $in: ['CREATED', 'KYC_REQUESTED'] },
  })
  if (open && open.expires_at > now) return { request: open, isNew: false }
  if (open) {
    applyKycResult(open, expiredResult)
    // The unique index allows one open request, and a flush inserts before it updates.
    await em.flush()
  }

  await consumeRateLimits(em, now, [toLimit(deps, actor)], 'too_many_starts')
  const request = em.create(KycRequest, {
    user_id: user.id,
    provider: deps.kyc.name,
    expires_at: new Date(now.getTime() + getClaimMs(deps)),
    status: 'CREATED',
  })
  await em.flush()
  return { request, isNew: true }
}

/** The provider bills each check. */
function toLimit({ config }: Deps, { phone }: Actor) {
  const key = `identity-checks:${hashPhone(config, phone)}`
  return toDailyLimit(config, key, config.IDENTITY_CHECK_LIMIT_PER_USER)
}

function requireUnverifiedProfile({ first_name, last_name, email, kyc_verified }: User) {
  const isComplete = first_name !== null && last_name !== null && email !== null
  if (!isComplete) throw refuse('profile_incomplete')
  if (kyc_verified) throw refuse('already_verified')
}

/** Deletes the request if the provider did not create it. */
async function createAtProvider(deps: Deps, actor: Actor, request: KycRequest, change: RunChange) {
  try {
    const { requestId, verificationUrl } = await deps.kyc.start({
      redirectUrl: `${deps.publicUrl()}/verified`,
      webhookUrl: `${deps.publicUrl()}/webhooks/ekyc`,
    })
    return await change(storeProviderRequest, request.id, requestId, verificationUrl)
  } catch (error) {
    await deps.db.fork().nativeDelete(KycRequest, { id: request.id, provider_request_id: null })
    await refundRateLimits(deps.db, [toLimit(deps, actor)])
    throw isRefusedByDatabase(error)
      ? refuse('provider_unreachable', { provider: 'eKYC' }, { cause: error })
      : error
  }
}

async function storeProviderRequest(tx: Tx, id: number, requestId: string, verificationUrl: string) {
  const request = await tx.em.findOneOrFail(KycRequest, id, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (isFinal(request.status)) throw refuse('kyc_given_up')

  request.provider_request_id = requestId
  request.verification_url = verificationUrl
  request.expires_at = new Date(tx.now().getTime() + DAY_MS)
  return toStartKycResponse(request)
}

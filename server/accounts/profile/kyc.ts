import { LockMode } from '@mikro-orm/core'
import type { ProfileResponse } from '@kiraya/sdk/contract'
import type { EntityManager } from '../../../db/database'
import { KycRequest, SandboxRecord, type KycStatus } from '../../../db/entities'
import { loadProfile, lockUser } from '../auth/queries'
import type { Actor, Deps } from '../../deps'
import { recordActivities, type NewActivity } from '../../domain/activities'
import { isUuid } from '../../domain/record-id'
import { refuse } from '../../errors'
import type { RunChange } from '../../http/changes'
import { results } from '../../messages/results'
import type { KycResult } from '../../providers/kyc/port'
import { applyKycResult, expiredResult, forgottenResult } from './kyc-result'
import { canTransition, isFinal } from './states'

/** What a sync needs of an identity check. */
type SyncedRequest = Pick<KycRequest, 'id' | 'user_id' | 'status' | 'provider_request_id'>

/**
 * Reads the result of an identity check from the provider.
 * @throws BAD_REQUEST The id is not that of a check of the actor, or the check failed or is not completed.
 */
export async function completeKyc(
  deps: Deps,
  { actor, change }: { actor: Actor; change: RunChange },
  verificationId: string,
): Promise<ProfileResponse> {
  if (!actor.is_active) throw refuse('user_not_found')
  const own = { kyc_request_id: verificationId, user_id: actor.id }
  const request = isUuid(verificationId) ? await deps.db.fork().findOne(KycRequest, own) : undefined
  if (!request?.provider_request_id) throw refuse('verification_unknown')

  const status = await syncKyc(deps, request)
  if (status === 'ERROR') throw refuse('verification_failed')
  if (status !== 'SUCCESS') throw refuse('verification_incomplete')
  return change(async ({ em }) => ({
    message: results.identity_verified,
    user: await loadProfile(em, actor.id),
  }))
}

/** The record with which the sandbox's checks wait for a person. */
export const MANUAL_KYC = 'manual-ekyc'

/** Whether reading the status of a check completes it, as in the sandbox: then only its user may ask for that. */
export async function isAutomaticKyc({ config, db }: Deps) {
  return config.sandbox.kyc && (await db.fork().count(SandboxRecord, { id: MANUAL_KYC })) === 0
}

/**
 * Asks the provider about an unfinished check, applies the result, and returns the status. A check that the provider
 * does not know, or no longer, has failed.
 */
export async function syncKyc(deps: Deps, request: SyncedRequest): Promise<KycStatus> {
  if (isFinal(request.status)) return request.status
  const result = await deps.kyc.status(request.provider_request_id!)
  return applyResult(deps, request, result ?? forgottenResult)
}

/** Syncs a check in the background; one that is still open after its expiry has failed. */
export async function reconcileKycRequest(deps: Deps, id: number) {
  const request = await deps.db.fork().findOneOrFail(KycRequest, id)
  const status = request.provider_request_id ? await syncKyc(deps, request) : request.status
  const hasExpired = request.expires_at <= deps.now()
  if (hasExpired && !isFinal(status)) await applyResult(deps, request, expiredResult)
}

/** Stores a result once, and returns the status that the check has now. */
async function applyResult(deps: Deps, request: SyncedRequest, result: KycResult): Promise<KycStatus> {
  const { status, hasEnded } = await deps.db.transactional(em => storeResult(deps, em, request, result))
  if (hasEnded) deps.log.audit(toOutcome(status), { user: request.user_id, kyc_request: request.id })
  return status
}

async function storeResult(deps: Deps, em: EntityManager, { id, user_id }: SyncedRequest, result: KycResult) {
  const { status } = result
  // The user comes before the request in `LOCK_ORDER`.
  const user = isFinal(status) ? await lockUser(em, user_id) : undefined
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE } as const
  const request = await em.findOneOrFail(KycRequest, id, lock)
  if (!canTransition(request.status, status)) return { status: request.status, hasEnded: false }

  applyKycResult(request, result)
  if (user && status === 'SUCCESS') user.kyc_verified = true
  await em.flush()

  if (user) await recordActivities(em, deps.now(), toKycActivity(request))
  return { status, hasEnded: isFinal(status) }
}

function toKycActivity({ id, user_id, status }: KycRequest): NewActivity & { to: number[] } {
  const isVerified = status === 'SUCCESS'
  return {
    to: [user_id],
    type: toOutcome(status),
    message: isVerified ? 'Your identity was verified' : 'The check of your identity failed',
    entity_type: 'kyc_request',
    entity_id: id,
    actor_id: null,
    landlord_id: user_id,
  }
}

function toOutcome(status: KycStatus) {
  return status === 'SUCCESS' ? 'kyc_succeeded' : 'kyc_failed'
}

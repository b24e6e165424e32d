import type { CompleteProfileInput, StartKycResponse, ProfileResponse } from '@kiraya/sdk/contract'
import { AuthSession, KycRequest, User } from '../../db/entities'
import { records, type Records } from '../../db/records'
import { transact, type Transaction } from '../../db/records'
import { recordActivities } from '../domain/activities'
import { selectUserById } from '../auth/queries'
import type { Deps } from '../deps'
import { badRequest, notFound, unavailable } from '../faults'
import type { Actor } from '../http/authentication'
import { getSqlState } from '../../db/database-errors'
import type { KycResult } from '../providers/kyc/port'
import { isProviderNotFound } from '../providers/provider-errors'
import { isFinal, canTransition } from './states'
import { isUuid } from '../domain/record-id'
import { DAY_MS } from '../domain/durations'

// While a request is being made at the provider it may take this long; then whoever asks next makes a new one.
const leaseMs = ({ config }: Deps) => config.PROVIDER_TOTAL_TIMEOUT_MS + 15_000

export async function completeProfile(
  deps: Deps,
  actor: Actor,
  profile: CompleteProfileInput,
): Promise<ProfileResponse> {
  const password = profile.password ? await deps.passwords.hash(profile.password) : undefined
  let fields: string[] = []
  const user = await transact(deps.orm, async tx => {
    const found = await lockedUser(tx, actor)
    const first_name = profile.first_name.trim()
    const last_name = profile.last_name.trim()
    const email = profile.email.trim()
    const given = { first_name, last_name, email }
    fields = (['first_name', 'last_name', 'email'] as const).filter(name => given[name] !== found[name])
    if (found.kyc_verified && (first_name !== found.first_name || last_name !== found.last_name))
      throw badRequest('The name cannot be changed once the identity is verified')
    Object.assign(found, given)
    if (password) {
      found.password = password
      await tx.delete(AuthSession, { user_id: found.id, sid: { $ne: actor.sid } })
    }
    await tx.flush()
    await recordActivities(tx.em, deps.now(), {
      to: [found.id],
      type: 'profile_completed',
      message: 'You completed your profile',
      entity_type: 'user',
      entity_id: found.id,
      actor_id: found.id,
    })
    return shown(tx, found.id)
  })
  deps.log.audit('profile_changed', { user: user.id, fields })
  if (password) deps.log.audit('password_changed', { user: user.id })
  return { message: 'Your profile is complete', user }
}

/** Returns the open verification, or makes one at the provider. */
export async function startKyc(deps: Deps, actor: Actor): Promise<StartKycResponse> {
  const db = records(deps.orm)
  for (const started = Date.now(); Date.now() - started < leaseMs(deps); await Bun.sleep(50)) {
    const { request, mine } = await transact(deps.orm, tx => claimKyc(deps, tx, actor))
    if (mine) {
      const made = await makeKyc(deps, db, request)
      deps.log.audit('kyc_started', { user: actor.id, kyc_request: request.id })
      return answerOf(made)
    }
    if (request.verification_url) return answerOf(request)
  }
  throw unavailable('The identity check is still being prepared')
}

const answerOf = ({ kyc_request_id, verification_url }: KycRequest): StartKycResponse => ({
  message: 'Open the address to prove your identity',
  verification_id: kyc_request_id,
  verification_url: verification_url!,
  status: 'initiated',
})

async function claimKyc(
  deps: Deps,
  tx: Transaction,
  actor: Actor,
): Promise<{ request: KycRequest; mine: boolean }> {
  const user = await lockedUser(tx, actor)
  const now = deps.now()
  if (user.first_name === null || user.last_name === null || user.email === null)
    throw badRequest('Complete your profile first')
  if (user.kyc_verified) throw badRequest('Your identity is already verified')
  const open = await tx.findOne(KycRequest, {
    user_id: user.id,
    status: { $in: ['CREATED', 'KYC_REQUESTED'] },
  })
  if (open && open.expires_at > now) return { request: open, mine: false }
  if (open) {
    Object.assign(open, {
      status: expiredResult.status,
      error_code: expiredResult.errorCode,
      error_message: expiredResult.errorMessage,
    })
    await tx.flush()
  }
  const request = await tx.insert(KycRequest, {
    user_id: user.id,
    provider: deps.kyc.name,
    expires_at: new Date(now.getTime() + leaseMs(deps)),
    status: 'CREATED',
    created_at: now,
  })
  return { request, mine: true }
}

async function makeKyc(deps: Deps, db: Records, { id }: KycRequest) {
  try {
    const { requestId, verificationUrl } = await deps.kyc.start({
      redirectUrl: `${deps.publicUrl()}/verified`,
      webhookUrl: `${deps.publicUrl()}/webhooks/ekyc`,
    })
    return await transact(deps.orm, async tx => {
      const request = await tx.findOneOrFail(KycRequest, { id }, { lock: 'update' })
      if (isFinal(request.status)) throw unavailable('The identity check was given up meanwhile')
      Object.assign(request, {
        provider_request_id: requestId,
        verification_url: verificationUrl,
        expires_at: new Date(deps.now().getTime() + DAY_MS),
      })
      await tx.flush()
      return request
    })
  } catch (error) {
    await db.delete(KycRequest, { id, provider_request_id: null })
    throw getSqlState(error)?.startsWith('2')
      ? unavailable('The eKYC provider cannot be reached', error)
      : error // an answer that cannot be stored is none
  }
}

/** Asks the provider and tells whether the identity is now verified. */
export async function completeKyc(
  deps: Deps,
  actor: Actor,
  verificationId: string,
): Promise<ProfileResponse> {
  const db = records(deps.orm)
  if (!actor.is_active) throw notFound('User')
  if (!isUuid(verificationId)) throw badRequest('The verification id is not valid')
  const request = await db.findOne(KycRequest, { kyc_request_id: verificationId, user_id: actor.id })
  if (!request?.provider_request_id) throw badRequest('The verification id is not valid')
  const status = await syncKyc(deps, request)
  if (status === 'ERROR') throw badRequest('The verification failed; start a new one')
  if (status !== 'SUCCESS') throw badRequest('The verification is not completed yet')
  return { message: 'Your identity is verified', user: await shown(db, actor.id) }
}

/** Reads an unfinished request's status from the provider and records it. */
export async function syncKyc(deps: Deps, request: KycRequest) {
  return isFinal(request.status)
    ? request.status
    : recordKyc(deps, request, await deps.kyc.status(request.provider_request_id!))
}

/** The same for one that is looked after from time to time: whose time is over without an outcome has failed. */
export async function reconcileKycRequest(deps: Deps, request: KycRequest) {
  const status = request.provider_request_id
    ? await syncKyc(deps, request).catch(error => {
        if (isProviderNotFound(error)) return request.status
        throw error
      })
    : request.status
  if (!isFinal(status) && request.expires_at <= deps.now()) await recordKyc(deps, request, expiredResult)
}
const expiredResult = {
  status: 'ERROR',
  errorCode: 'expired',
  errorMessage: 'The verification was not completed in time',
} as const

/** The user's row is locked before the request's, as by whoever starts a check. */
async function recordKyc(
  deps: Deps,
  { id, user_id }: Pick<KycRequest, 'id' | 'user_id'>,
  { status, ...found }: KycResult,
) {
  const { now, isNew } = await transact(deps.orm, async tx => {
    const user = isFinal(status)
      ? await tx.findOneOrFail(User, { id: user_id }, { lock: 'update' })
      : undefined
    const request = await tx.findOneOrFail(KycRequest, { id }, { lock: 'update' })
    if (!canTransition(request.status, status)) return { now: request.status, isNew: false }
    Object.assign(request, {
      status,
      name: found.name ?? null,
      masked_aadhaar: found.maskedAadhaar ?? null,
      error_code: found.errorCode ?? null,
      error_message: found.errorMessage ?? null,
    })
    if (user) {
      const verified = status === 'SUCCESS'
      user.kyc_verified ||= verified
      await recordActivities(tx.em, deps.now(), {
        to: [user_id],
        type: verified ? 'kyc_succeeded' : 'kyc_failed',
        message: verified ? 'Your identity was verified' : 'The check of your identity failed',
        entity_type: 'kyc_request',
        entity_id: id,
        actor_id: null,
      })
    }
    await tx.flush()
    return { now: status, isNew: !!user }
  })
  if (isNew)
    deps.log.audit(now === 'SUCCESS' ? 'kyc_succeeded' : 'kyc_failed', { user: user_id, kyc_request: id })
  return now
}

async function lockedUser(tx: Transaction, actor: Actor) {
  const user = await tx.findOne(User, { id: actor.id, is_active: true }, { lock: 'update' })
  if (!user) throw notFound('User')
  return user
}

const shown = async (db: Records, id: number) => (await db.run(selectUserById, { id }))[0]!

import type { SignInput, StartedSigning } from '@kiraya/sdk/contract'
import { Agreement, AgreementSignature, User } from '../../db/entities'
import { records, type Records, transact, type Transaction } from '../../db/records'
import type { Deps } from '../deps'
import { badRequest, forbidden, notFound, unavailable } from '../faults'
import { type Actor } from '../http/authentication'
import { getSqlState } from '../../db/database-errors'
import { LoggableError } from '../observability/safe-errors'
import type { CreatedRequest, SigningStatus } from '../providers/signing/port'
import { processRelatedDeliveries } from '../webhooks/service'
import { lockAgreement, getParties, requireLandlordOrManager, type LockedAgreement } from './access'
import {
  leaseSigning,
  OVERLAP_MESSAGE,
  requireActiveTenants,
  type SigningLease,
  type SigningInitiator,
} from './signing-lease'
import {
  tryCancelNow,
  expireSignatures,
  enqueueCancellation,
  applySignatureStatus,
  syncSignature,
} from './signature-status'
import { isSignable, getSignerRole } from './states'
import { appendEvent } from './timeline'
import { parseRecordId } from '../domain/record-id'
import { DAY_MS } from '../domain/durations'

const VALID_MS = 72 * 3_600_000
const FIRST_REMINDER_MS = DAY_MS
const REMINDERS_MS = 2 * DAY_MS
export const MAX_REMINDERS = 5
const POLL_MS = 50
const NOT_SENT = 'not_sent'

/**
 * Starts the signing of one party. The provider is called outside of any transaction: the signature's row is the
 * claim that keeps others from asking too, and the agreement moves only when the provider has answered.
 */
export async function startSigning(
  deps: Deps,
  actor: SigningInitiator,
  id: string,
  sign: SignInput,
): Promise<{ message: string; data: StartedSigning }> {
  const db = records(deps.orm)
  const leaseMs = deps.config.PROVIDER_TOTAL_TIMEOUT_MS + 15_000
  for (const began = performance.now(); performance.now() - began < leaseMs;) {
    const claim = await transact(deps.orm, tx => leaseSigning(deps, tx, actor, id, sign, leaseMs))
    switch (claim.is) {
      case 'open':
        return started(claim.signature)
      case 'lapsed':
        await expireSignature(deps, claim.signature)
        break
      case 'under way':
        await waitForLease(db, claim.signature, sign.signer_id)
        break
      case 'ours': {
        const signature = await callProvider(deps, actor, id, claim)
        if (!signature) break
        deps.log.audit('signing_started', {
          agreement: signature.agreement_id,
          signature: signature.id,
          signer: sign.signer_id,
          user: actor.isSystem ? null : actor.id,
        })
        return started(signature)
      }
    }
  }
  throw unavailable('The signing is still being prepared')
}

const started = ({ signature_id, signing_url, expires_at }: AgreementSignature) => ({
  message: 'Open the address to sign the agreement',
  data: {
    signature_id,
    signing_url: signing_url!,
    expires_at: expires_at.toISOString(),
    status: 'pending' as const,
  },
})

/** Undefined where the draft was changed meanwhile: then the signer must get the new one. */
async function callProvider(
  deps: Deps,
  actor: SigningInitiator,
  id: string,
  { signature, request, revision }: SigningLease & { is: 'ours' },
) {
  const { agreement_id, signature_id } = signature
  /** Gives the claim up; a request that the provider took for it all the same is cancelled there, now or when its first news come. */
  const giveUp = async (last_error: string | null, requestId?: string) => {
    await transact(deps.orm, async tx => {
      await tx.findOne(Agreement, { id: agreement_id }, { lock: 'update', filters: false })
      await tx.update(
        AgreementSignature,
        { id: signature.id, provider_request_id: null, status: 'PENDING' },
        { status: 'EXPIRED', last_error },
      )
      if (requestId) await enqueueCancellation(deps, tx, agreement_id, signature.provider, requestId)
    })
    await processRelatedDeliveries(deps, signature.provider, { document_id: signature_id })
    await tryCancelNow(deps, agreement_id)
  }
  const answer = await deps.signing.initiate(request).catch(async error => {
    await giveUp(NOT_SENT)
    throw error
  })
  const sent = await transact(deps.orm, tx =>
    storeAnswer(deps, tx, actor, id, signature, answer, revision),
  ).catch(async error => {
    await giveUp(null, answer.requestId)
    const code = getSqlState(error)
    if (code === '23P01') throw badRequest(OVERLAP_MESSAGE)
    throw code?.startsWith('2') ? unavailable('The e-signing provider cannot be reached', error) : error // an answer that cannot be stored is none
  })
  // Some of what the provider has told may have come before its answer.
  if (sent) await processRelatedDeliveries(deps, signature.provider, { request_id: answer.requestId })
  if (sent && answer.others) await tryCancelNow(deps, agreement_id)
  if (!sent) await giveUp(null, answer.requestId)
  return sent
}

async function storeAnswer(
  deps: Deps,
  tx: Transaction,
  actor: SigningInitiator,
  id: string,
  { id: signatureId, signer_id }: AgreementSignature,
  answer: CreatedRequest,
  revision: number,
) {
  // Of two agreements of the unit the second waits here for the first: an overlap is found by one of them, not by both at once.
  const held = await lockAgreement(tx, actor, id, 'update')
  const { agreement } = held
  const now = deps.now()
  if (!isSignable(agreement.status))
    throw forbidden(`An agreement that is ${agreement.status} cannot be signed`)
  const signature = await tx.findOneOrFail(AgreementSignature, { id: signatureId }, { lock: 'update' })
  if (agreement.revision !== revision || signature.status !== 'PENDING') return
  if (!getSignerRole(getParties(held), signer_id)) throw forbidden('The signer is no party of this agreement')
  await requireActiveTenants(tx, held)
  if (!/^https?:\/\//.test(answer.signingUrl ?? ''))
    throw unavailable(
      'The e-signing provider cannot be reached',
      new LoggableError('The provider gave no web address to sign at'),
    )
  // A party that was taken back and is asked again may be given the place in the request that it had.
  if (deps.signing.hasSharedRequests)
    await tx.update(
      AgreementSignature,
      {
        agreement_id: agreement.id,
        provider_request_id: answer.requestId,
        provider_signature_id: answer.providerSignatureId,
        status: { $in: ['EXPIRED', 'DECLINED'] },
      },
      { provider_signature_id: null },
    )
  if (
    await tx.count(AgreementSignature, {
      provider: signature.provider,
      provider_request_id: answer.requestId,
      ...(deps.signing.hasSharedRequests && { agreement_id: { $ne: agreement.id } }),
    })
  )
    throw unavailable(
      'The e-signing provider cannot be reached',
      new LoggableError('The provider gave the id of another request'),
    )
  Object.assign(signature, placeAt(answer, now))
  if (agreement.status === 'DRAFT') {
    agreement.manager_id = getParties(held).manager_id
    agreement.status = 'PENDING'
  }
  const earlier = await tx.findOne(
    AgreementSignature,
    { agreement_id: agreement.id, signer_id, id: { $ne: signatureId }, provider_request_id: { $ne: null } },
    { orderBy: { id: 'desc' } },
  )
  signature.reminders = earlier?.reminders ?? 0
  signature.next_reminder_at =
    signature.reminders < MAX_REMINDERS
      ? new Date(now.getTime() + (signature.reminders ? REMINDERS_MS : FIRST_REMINDER_MS))
      : null
  if (earlier) earlier.next_reminder_at = null
  await appendEvent(tx, now, held, earlier ? 'reissued' : 'sent', actor.isSystem ? null : actor.id, {
    signer_id,
    signature_id: signature.signature_id,
  })
  await storeOthers(deps, tx, actor, held, answer)
  return signature
}

const placeAt = ({ requestId, providerSignatureId, signingUrl, expiresAt }: SigningStatus, now: Date) => ({
  provider_request_id: requestId,
  provider_signature_id: providerSignatureId,
  signing_url: signingUrl,
  expires_at: expiresAt ?? new Date(now.getTime() + VALID_MS),
})

/** Where the request asks others too, they may sign before we ask them: their signatures are known from now on. Whom an earlier request still asks signs on this one instead, which bears what has been signed. */
async function storeOthers(
  deps: Deps,
  tx: Transaction,
  actor: SigningInitiator,
  held: LockedAgreement,
  { others = [] }: CreatedRequest,
) {
  const { agreement } = held
  const now = deps.now()
  const users = await tx.find(User, { phone: { $in: others.map(({ identifier }) => identifier) } })
  const known = await tx.find(AgreementSignature, {
    agreement_id: agreement.id,
    status: { $in: ['PENDING', 'SIGNED'] },
  })
  for (const { identifier, status } of others) {
    const user = users.find(({ phone }) => phone === identifier)
    const role = user && getSignerRole(getParties(held), user.id)
    const before = user && known.find(({ signer_id }) => signer_id === user.id)
    if (
      !role ||
      (before &&
        (before.status === 'SIGNED' ||
          !before.provider_request_id ||
          before.provider_request_id === status.requestId))
    )
      continue
    if (before) await expireSignatures(deps, tx, [before])
    const next_reminder_at = agreement.signing_order ? null : new Date(now.getTime() + FIRST_REMINDER_MS)
    const signature = await tx.insert(AgreementSignature, {
      ...placeAt(status, now),
      agreement_id: agreement.id,
      signer_id: user.id,
      signer_role: role,
      provider: deps.signing.name,
      status: 'PENDING',
      next_reminder_at,
      created_at: now,
    })
    await appendEvent(tx, now, held, before ? 'reissued' : 'sent', actor.isSystem ? null : actor.id, {
      signer_id: user.id,
      signature_id: signature.signature_id,
    })
  }
}

/** Its time is over by our clock: the provider may still know that it was signed in time. */
async function expireSignature(deps: Deps, signature: AgreementSignature) {
  if ((await syncSignature(deps, signature)) === 'SIGNED') return
  await applySignatureStatus(deps, signature, { status: 'EXPIRED', isLapsed: true })
  await tryCancelNow(deps, signature.agreement_id)
}

/** Takes one open signature back, at the provider too; the agreement and the others' signatures stay as they are. */
export async function cancelSignature(deps: Deps, actor: Actor, id: string, signatureId: string) {
  const cancelled = await transact(deps.orm, async tx => {
    const held = await lockAgreement(tx, actor, id)
    const { agreement } = held
    const key = parseRecordId(signatureId, 'Signature')
    requireLandlordOrManager(actor, held)
    const signature = await tx.findOne(
      AgreementSignature,
      { agreement_id: agreement.id, ...('id' in key ? { id: key.id } : { signature_id: key.uuid }) },
      { lock: 'update' },
    )
    if (!signature?.provider_request_id) throw notFound('Signature')
    if (signature.status !== 'PENDING')
      throw badRequest(`A signature that is ${signature.status.toLowerCase()} cannot be cancelled`)
    await expireSignatures(deps, tx, [signature])
    await appendEvent(tx, deps.now(), held, 'cancelled', actor.id, {
      signer_id: signature.signer_id,
      signature_id: signature.signature_id,
    })
    return signature
  })
  deps.log.audit('signing_cancelled', {
    agreement: cancelled.agreement_id,
    signature: cancelled.id,
    signer: cancelled.signer_id,
    user: actor.id,
  })
  await tryCancelNow(deps, cancelled.agreement_id)
  return {
    message: 'The signature was cancelled',
    data: { signature_id: cancelled.signature_id, status: 'expired' as const },
  }
}

/** Looks after a signature: what the provider knows is recorded, and what was never sent or is over lapses. */
export async function reconcileSignature(deps: Deps, signature: AgreementSignature) {
  if (signature.status !== 'PENDING') return syncSignature(deps, signature)
  const isOver = signature.expires_at <= deps.now()
  if (isOver && signature.provider_request_id) return expireSignature(deps, signature)
  if (
    isOver &&
    (await records(deps.orm).update(
      AgreementSignature,
      { id: signature.id, provider_request_id: null, status: 'PENDING' },
      { status: 'EXPIRED' },
    ))
  )
    await processRelatedDeliveries(deps, signature.provider, { document_id: signature.signature_id })
  if (signature.provider_request_id) await syncSignature(deps, signature)
}

/** Waits for whoever is asking the provider right now, and fails where the provider fails them. */
async function waitForLease(
  db: Records,
  { id, signer_id, expires_at, created_at }: AgreementSignature,
  waiting: number,
) {
  for (
    const began = performance.now(), most = expires_at.getTime() - created_at.getTime();
    performance.now() - began < most;
    await Bun.sleep(POLL_MS)
  ) {
    const signature = await db.findOne(AgreementSignature, { id })
    if (signature?.status === 'PENDING' && !signature.signing_url) continue
    if (signature?.last_error === NOT_SENT && signer_id === waiting)
      throw unavailable('The e-signing provider cannot be reached')
    return
  }
}

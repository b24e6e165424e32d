import { sql } from 'kysely'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { AgreementSignature, ReceivedWebhook } from '../../../db/entities'
import { enqueueCancellation } from './cancellations'
import { applySignatureStatus, syncSignature, tryCancelNow } from './sync'
import { findSignaturesOfRequest, type SignatureReference } from './signatures'
import { toSha256 } from '../../domain/sha256'
import { doubleDelay, processDueRows } from '../../domain/due-rows'
import { redactAadhaar } from '../../domain/redact-aadhaar'
import type { Deps } from '../../deps'
import { refuse, type ApiError } from '../../errors'
import { isUuid } from '../../domain/record-id'
import { getClientNetwork } from '../../http/limits/client-ip'
import { results } from '../../messages/results'
import { toErrorText } from '../../observability/safe-errors'
import { getSigningProvider, listSigningProviders } from '../../providers/signing/lookup'
import type { SigningProvider, SigningStatus } from '../../providers/signing/port'
import { MINUTE_MS } from '../../domain/durations'

/** Drops a byte order mark, and replaces what is not UTF-8. */
const utf8 = new TextDecoder()
/** The outcome of a webhook whose request is not Kiraya's. */
export const UNKNOWN_REQUEST = 'unknown request'

/**
 * Stores what an authentic webhook says, without personal data, before it is processed. If that fails, the webhook
 * stays open: a job tries it again, and so does the provider.
 */
export async function receiveEsignWebhook(deps: Deps, body: Uint8Array, headers: Headers) {
  const { metrics } = deps
  const accepting = listSigningProviders(deps).filter(provider =>
    provider.verifyWebhook(body, headers.get(provider.webhookHeader)),
  )
  const [signing] = accepting
  if (!signing) throw rejectWebhook(deps, body)

  const now = deps.now()
  const payload = redactAadhaar(signing.redactWebhook(utf8.decode(body)))
  const reported = signing.parseWebhook(payload)[0]
  const [stored] = await executeCompiled(deps.db, insertWebhook, {
    provider: signing.name,
    candidates: accepting.map(({ name }) => name),
    digest: toSha256(body),
    payload,
    request_id: reported?.requestId ?? null,
    document_id: reported?.documentId ?? null,
    next_attempt_at: new Date(now.getTime() + MINUTE_MS),
    created_at: now,
  })
  const { id, provider, processed_at } = stored!
  metrics.webhooks.inc({ provider, outcome: processed_at ? 'duplicate' : 'new' })
  if (processed_at) return { message: results.webhook_processed }
  await processWebhook(deps, id)
  return { message: results.webhook_received }
}

function rejectWebhook({ signing, log, metrics }: Deps, body: Uint8Array): ApiError {
  const provider = signing.name
  metrics.webhooks.inc({ provider, outcome: 'invalid_signature' })
  log.audit('webhook_forged', { provider, bytes: body.length, network: getClientNetwork() })
  return refuse('webhook_signature_invalid')
}

type NewWebhook = {
  provider: string
  candidates: string[]
  digest: string
  payload: string
  request_id: string | null
  document_id: string | null
  next_attempt_at: Date
  created_at: Date
}

/** If several providers accept the signature, the webhook belongs to the one that made the request. */
function insertWebhook(db: Db, { candidates, ...webhook }: NewWebhook) {
  const owner = db
    .selectFrom('agreement_signatures')
    .where(sql<boolean>`provider = any(${candidates}::text[])`)
    .where('provider_request_id', '=', webhook.request_id)
    .limit(1)
    .select('provider')
  return db
    .insertInto('received_webhooks')
    .values(({ fn, val }) => ({ ...webhook, provider: fn.coalesce(owner, val(webhook.provider)) }))
    .onConflict(conflict => conflict.column('digest').doUpdateSet({ digest: webhook.digest }))
    .returning(['id', 'provider', 'processed_at'])
}

/**
 * Processes a stored webhook with the adapter that took it; this can be repeated.
 * @throws SERVICE_UNAVAILABLE The adapter is not configured, or the provider fails; the webhook stays open.
 */
export async function processWebhook(deps: Deps, id: number) {
  const [webhook] = await executeCompiled(deps.db, startAttempt, { id, now: deps.now() })
  const { provider, payload } = webhook!
  try {
    const signing = getSigningProvider(deps, provider)
    const outcomes: (string | undefined)[] = []
    for (const reported of signing.parseWebhook(payload))
      outcomes.push(await applyWebhook(deps, signing, reported))
    // The webhook is processed when the response to its request has arrived or is given up.
    if (outcomes.includes(undefined)) return
    const outcome = outcomes.join(', ') || 'not understood'
    const processed = { outcome, processed_at: deps.now(), next_attempt_at: null, last_error: null }
    await deps.db.fork().nativeUpdate(ReceivedWebhook, id, processed)
  } catch (error) {
    await deps.db.fork().nativeUpdate(ReceivedWebhook, id, { last_error: toErrorText(error) })
    throw error
  }
}

/** The older a webhook is, the later it is tried again. */
function startAttempt(db: Db, { id, now }: { id: number; now: Date }) {
  return db
    .updateTable('received_webhooks')
    .where('id', '=', id)
    .set(e => ({ attempts: e('attempts', '+', 1), next_attempt_at: doubleDelay(now) }))
    .returning(['provider', 'payload'])
}

/** Processes stored webhooks whose processing failed or was interrupted. */
export function reconcileWebhooks(deps: Deps) {
  return processDueRows(deps, {
    subject: 'a webhook',
    table: 'received_webhooks',
    dueColumn: 'next_attempt_at',
    toCondition: () => sql`processed_at is null`,
    process: id => processWebhook(deps, id),
  })
}

type RelatedTo = { request_id: string } | { document_id: string }

/** Processes the webhooks of a request again, once its signature is known. */
export async function processRelatedWebhooks(deps: Deps, provider: string, related: RelatedTo) {
  const of = { provider, ...related }
  const webhooks = await deps.db.fork().find(ReceivedWebhook, of, { orderBy: { id: 'asc' } })
  for (const { id } of webhooks) {
    try {
      await processWebhook(deps, id)
    } catch (error) {
      deps.log.warn({ webhook: id, err: error }, 'A stored webhook failed; it is tried again later')
    }
  }
}

/** Applies what a webhook reports of one signer; undefined if its request is not known yet. */
async function applyWebhook(deps: Deps, signing: SigningProvider, reported: SigningStatus) {
  const signature = await findSignature(deps, signing, reported)
  if (signature) {
    const status = await applyToSignature(deps, signature, reported)
    return status.toLowerCase()
  }
  return cancelOrphan(deps, signing, reported)
}

async function findSignature(deps: Deps, signing: SigningProvider, reported: SigningStatus) {
  const { requestId, providerSignatureId } = reported
  const signatures = await findSignaturesOfRequest(deps, signing.name, requestId)
  if (!signing.hasSharedRequests || !providerSignatureId) return signatures[0]
  return signatures.find(({ provider_signature_id }) => provider_signature_id === providerSignatureId)
}

/**
 * Applies what a webhook reports, and returns the status that counts. An end is not trusted but read from the
 * provider; if that fails, the webhook is tried again.
 */
async function applyToSignature(deps: Deps, signature: SignatureReference, reported: SigningStatus) {
  const { status, needsSync } = reported
  const isEnd = status !== 'PENDING'
  if (isEnd || needsSync) {
    if (signature.status === 'SIGNED') return signature.status
    const synced = await syncSignature(deps, signature, status)
    if (synced) return synced
    if (status === 'SIGNED') throw refuse('provider_request_unknown')
  }
  // A request that has ended and is unknown to the provider cannot be signed any more.
  const counted = isEnd ? 'EXPIRED' : status
  await applySignatureStatus(deps, signature, { ...reported, status: counted })
  return counted
}

/** Cancels a request whose response was lost; its `documentId` is our signature_id. */
async function cancelOrphan(deps: Deps, signing: SigningProvider, { requestId, documentId }: SigningStatus) {
  if (!documentId || !isUuid(documentId)) return UNKNOWN_REQUEST
  const orphan = await deps.db.fork().findOne(AgreementSignature, { signature_id: documentId })
  if (!orphan) return UNKNOWN_REQUEST
  // Its response may still arrive.
  if (orphan.status === 'PENDING' && !orphan.provider_request_id) return undefined
  const { agreement_id } = orphan
  const request = { provider: signing.name, provider_request_id: requestId, agreement_id }
  await enqueueCancellation(deps.db, deps.now(), request)
  await tryCancelNow(deps, agreement_id)
  return 'orphan cancelled'
}

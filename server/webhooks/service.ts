import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sql } from 'kysely'
import { AgreementSignature, KycRequest, WebhookDelivery } from '../../db/entities'
import type { Db } from '../../db/orm'
import { records } from '../../db/records'
import { redactAadhaar } from '../domain/redact-aadhaar'
import {
  tryCancelNow,
  enqueueCancellation,
  applySignatureStatus,
  syncSignature,
} from '../agreements/signature-status'
import type { Deps } from '../deps'
import { badRequest, unauthorized, unavailable } from '../faults'
import { isUuid } from '../http/formats'
import { toNetworkPrefix } from '../http/rate-limits'
import { syncKyc } from '../profile/kyc'
import { toErrorText } from '../observability/safe-errors'
import type { SigningStatus } from '../providers/signing/port'

const MINUTE = 60_000

/** Stores an authentic delivery before anything else, then acts on it once. What fails stays unprocessed: a job tries again, and so does the provider. */
export async function receiveEsignWebhook(
  deps: Deps,
  payload: string,
  signature: string | null,
  address: string,
) {
  const { signing, log, metrics } = deps
  if (!signing.verifyWebhook(payload, signature)) {
    metrics.webhooks.inc({ provider: signing.name, outcome: 'forged' })
    log.audit('webhook_forged', {
      provider: signing.name,
      bytes: payload.length,
      network: toNetworkPrefix(address),
    })
    throw unauthorized('The signature of the webhook is not valid')
  }
  const db = records(deps.orm)
  const now = deps.now()
  const digest = createHash('sha256').update(payload).digest('hex')
  const about = signing.parseWebhook(payload)[0]
  const [stored] = await db.run(storing, {
    provider: signing.name,
    digest,
    payload: redactAadhaar(payload.replaceAll('\0', '\ufffd')),
    request_id: about?.requestId ?? null,
    document_id: about?.documentId
      ? redactAadhaar(about.documentId.replaceAll('\0', '')).slice(0, 255)
      : null,
    next_attempt_at: new Date(now.getTime() + MINUTE),
    created_at: now,
  })
  const { id, processed_at } = stored!
  metrics.webhooks.inc({ provider: signing.name, outcome: processed_at ? 'known' : 'new' })
  if (processed_at) return { message: 'Known already' }
  await processDelivery(deps, id)
  return { message: 'Received' }
}

const storing = (
  db: Db,
  delivery: {
    provider: string
    digest: string
    payload: string
    request_id: string | null
    document_id: string | null
    next_attempt_at: Date
    created_at: Date
  },
) =>
  db
    .insertInto('webhook_deliveries')
    .values(delivery)
    .onConflict(conflict => conflict.column('digest').doUpdateSet({ digest: delivery.digest }))
    .returning(['id', 'processed_at'])

/** Acts on a stored delivery, which can be done again; what fails leaves it unprocessed, to be tried ever more rarely. */
export async function processDelivery(deps: Deps, id: number) {
  const db = records(deps.orm)
  const [delivery] = await db.run(trying, { id, now: deps.now() })
  const { payload } = delivery!
  try {
    const outcomes: (string | undefined)[] = []
    for (const reported of deps.signing.parseWebhook(payload))
      outcomes.push(await applyDelivery(deps, reported))
    if (outcomes.includes(undefined)) return // it is decided when that answer has come or is given up
    await db.update(
      WebhookDelivery,
      { id },
      {
        outcome: outcomes.join(', ') || 'not understood',
        processed_at: deps.now(),
        next_attempt_at: null,
        last_error: null,
      },
    )
  } catch (error) {
    await db.update(WebhookDelivery, { id }, { last_error: toErrorText(error) })
    throw error
  }
}

const trying = (db: Db, { id, now }: { id: number; now: Date }) =>
  db
    .updateTable('webhook_deliveries')
    .where('id', '=', id)
    .returning('payload')
    .set(e => ({
      attempts: e('attempts', '+', 1),
      next_attempt_at: sql`${now}::timestamptz + greatest(interval '1 minute', ${now}::timestamptz - created_at)`,
    }))

/** Acts again on what has been told of a request, once it is known whose it is. */
export async function processRelatedDeliveries(
  deps: Deps,
  about: { request_id: string } | { document_id: string },
) {
  const told = await records(deps.orm).find(
    WebhookDelivery,
    { provider: deps.signing.name, ...about },
    { orderBy: { id: 'asc' } },
  )
  for (const { id } of told)
    await processDelivery(deps, id).catch(error =>
      deps.log.warn(
        { delivery: id, err: error },
        'A stored webhook could not be acted upon; that is tried again',
      ),
    )
}

async function applyDelivery(deps: Deps, reported: SigningStatus) {
  const db = records(deps.orm)
  const { requestId, documentId, status, lastError } = reported
  const ours = await db.find(AgreementSignature, {
    provider: deps.signing.name,
    provider_request_id: requestId,
  })
  const known =
    deps.signing.hasSharedRequests && reported.providerSignatureId
      ? ours.find(({ provider_signature_id }) => provider_signature_id === reported.providerSignatureId)
      : ours[0]
  if (known) {
    // An end is not believed but read back; where that cannot be done now, it is tried again.
    const isEnd = status !== 'PENDING' || lastError === 'document_already_signed'
    const read = isEnd && known.status !== 'SIGNED' ? await syncSignature(deps, known) : undefined
    if (status === 'SIGNED' && known.status !== 'SIGNED' && !read)
      throw unavailable('The e-signing provider does not know the request')
    if (status !== 'SIGNED' && (!read || read === 'PENDING'))
      await applySignatureStatus(deps, known, reported)
    return status.toLowerCase()
  }
  // One that still waits for the provider's answer may be the one that this tells of.
  const orphan =
    documentId && isUuid(documentId) && (await db.findOne(AgreementSignature, { signature_id: documentId }))
  if (!orphan) return 'unknown request'
  if (orphan.status === 'PENDING' && !orphan.provider_request_id) return undefined
  await enqueueCancellation(deps, db, orphan.agreement_id, requestId)
  await tryCancelNow(deps, orphan.agreement_id)
  return 'orphan cancelled'
}

const KycNews = Type.Object({ data: Type.Object({ id: Type.String() }) })

/** Unsigned, so nothing in it is believed or kept: it only makes us ask the provider. */
export async function receiveKycWebhook(deps: Deps, payload: string) {
  let news: unknown
  try {
    news = JSON.parse(payload)
  } catch {
    throw badRequest('The body is not valid JSON')
  }
  if (!Value.Check(KycNews, news)) throw badRequest('data.id is required')
  const request = await records(deps.orm).findOne(KycRequest, {
    provider: deps.kyc.name,
    provider_request_id: news.data.id.replaceAll('\0', ''),
  })
  if (request) await syncKyc(deps, request)
  return { message: 'Received' }
}

import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { AgreementSignature, KycRequest, WebhookDelivery } from '../../db/entities'
import { query } from '../../db/orm'
import { cancelAtProvider, recordSignature, refreshSignature } from '../agreements/signatures'
import type { Deps } from '../deps'
import { badRequest, unauthorized, unavailable } from '../faults'
import { isUuid } from '../http/formats'
import { readKyc } from '../profile/service'
import type { SigningStatus } from '../signing/port'

/** Stores an authentic delivery before anything else, then acts on it once. What fails stays unprocessed, and the provider delivers again. */
export async function receiveSigning(deps: Deps, payload: string, signature: string | null) {
  if (!deps.signing.verifyWebhook(payload, signature)) throw unauthorized('The signature of the webhook is not valid')
  const em = deps.orm.em.fork(), now = deps.now(), digest = createHash('sha256').update(payload).digest('hex')
  await query(em).insertInto('webhook_deliveries').values({ provider: deps.signing.name, digest, payload: payload.replaceAll('\0', '\ufffd'), created_at: now }).onConflict(conflict => conflict.column('digest').doNothing()).execute()
  const { id } = await em.findOneOrFail(WebhookDelivery, { digest }, { fields: ['id'] })
  return { message: await processDelivery(deps, id) ? 'Received' : 'Known already' }
}

/** Acts on a stored delivery, once; what fails leaves it unprocessed. */
export async function processDelivery(deps: Deps, id: number) {
  const em = deps.orm.em.fork(), delivery = await em.findOneOrFail(WebhookDelivery, { id })
  if (delivery.processed_at) return false
  const outcomes: string[] = []
  for (const reported of deps.signing.parseWebhook(delivery.payload)) outcomes.push(await act(deps, reported))
  delivery.outcome = outcomes.join(', ') || 'not understood'
  delivery.processed_at = deps.now()
  await em.flush()
  return true
}

async function act(deps: Deps, reported: SigningStatus) {
  const em = deps.orm.em.fork(), { requestId, documentId, status, lastError } = reported
  const ours = await em.find(AgreementSignature, { provider: deps.signing.name, provider_request_id: requestId })
  const known = ours.length > 1 ? ours.find(({ provider_signature_id }) => provider_signature_id === reported.providerSignatureId) : ours[0]
  if (known) {
    // What makes an agreement active is not believed but read back; where that cannot be done now, the provider delivers again.
    if (status !== 'SIGNED' && lastError !== 'document_already_signed') await recordSignature(deps, known, reported)
    else if (known.status !== 'SIGNED' && !await refreshSignature(deps, known)) throw unavailable('The e-signing provider does not know the request')
    return status.toLowerCase()
  }
  // One that still waits for the provider's answer may be the one that this tells of.
  const orphan = documentId && isUuid(documentId) && await em.findOne(AgreementSignature, { signature_id: documentId, $or: [{ status: { $ne: 'PENDING' } }, { provider_request_id: { $ne: null } }] })
  if (!orphan) return 'unknown request'
  await cancelAtProvider(deps, [{ signature_id: orphan.signature_id, provider_request_id: requestId }])
  return 'orphan cancelled'
}

const KycNews = Type.Object({ data: Type.Object({ id: Type.String() }) })

/** Unsigned, so nothing in it is believed or kept: it only makes us ask the provider. */
export async function receiveKyc(deps: Deps, payload: string) {
  let news: unknown
  try {
    news = JSON.parse(payload)
  } catch {
    throw badRequest('The body is not valid JSON')
  }
  if (!Value.Check(KycNews, news)) throw badRequest('data.id is required')
  const request = await deps.orm.em.fork().findOne(KycRequest, { provider: deps.kyc.name, provider_request_id: news.data.id.replaceAll('\0', '') })
  if (request) await readKyc(deps, request)
  return { message: 'Received' }
}

import { downloadDocument } from '../../../download'
import { hasProviderStatus } from '../../../provider-errors'
import type {
  CreatedRequest,
  SigningContext,
  SigningProvider,
  SigningRequest,
  SigningStatus,
} from '../../port'
import { createSetuApi, requireAddress, type SetuApi } from '../api'
import { createWebhookCheck } from '../signature'
import {
  findSignerStatus,
  hasSignature,
  parseWebhook,
  toCreateBody,
  toOtherSigners,
  toSignerStatuses,
} from './transform'

/** How many of the newest earlier requests may still be open for a signer. */
const MAX_OPEN_REQUESTS = 3

/** Creates one request for the signatures of all parties, on one uploaded document. */
export function createNativeProvider(context: SigningContext): SigningProvider {
  const api = createSetuApi(context, { requests: 'signature', pdf: 'download/' })
  return {
    name: context.name,
    hasSharedRequests: true,

    initiate: request => initiate(context, api, request),

    status: async ({ requestId, providerSignatureId }) => {
      const response = await api.find(requestId)
      if (!response) return undefined
      const statuses = toSignerStatuses(response)
      if (!providerSignatureId) return statuses.length === 1 ? statuses[0] : undefined
      return statuses.find(status => status.providerSignatureId === providerSignatureId)
    },

    // Deleting a request deletes its signatures too, so a partly signed one is left to expire.
    cancel: async requestId => {
      const response = await api.find(requestId)
      if (!response) return true
      return !hasSignature(response) && (await api.delete(requestId))
    },

    download: requestId => api.download(requestId),
    ...createWebhookCheck(context.config.acceptedSecrets.ESIGN_WEBHOOK_SECRET),
    parseWebhook,
  }
}

/** Returns the signer's place in an open request, else creates a request on the document as signed so far. */
async function initiate(
  { config, now }: SigningContext,
  api: SetuApi,
  request: SigningRequest,
): Promise<CreatedRequest> {
  const signal = AbortSignal.timeout(config.PROVIDER_TOTAL_TIMEOUT_MS)
  const { openStatus, signedRequestId } = await readEarlier(api, request, now(), signal)
  if (openStatus) return openStatus

  const signed = signedRequestId && (await downloadSigned(api, signedRequestId, signal))
  const readDocument = request.readOwnDocument ?? (() => downloadDocument(request.documentUrl, config))
  const content = signed || (await readDocument())
  const { id: documentId } = await api.upload(`${request.documentId}.pdf`, content, signal)
  const response = await api.create(toCreateBody(request, documentId), signal)
  const status = requireAddress(findSignerStatus(request.signer, response))
  return { ...status, others: toOtherSigners(request, response) }
}

/** Looks for an open request that includes the signer, and for the newest request with a signature. */
async function readEarlier(
  api: SetuApi,
  { earlier, signer }: SigningRequest,
  now: Date,
  signal: AbortSignal,
): Promise<{ openStatus?: SigningStatus; signedRequestId?: string }> {
  for (const [index, requestId] of earlier.entries()) {
    const response = await api.find(requestId, signal)
    if (!response) continue
    const status = index < MAX_OPEN_REQUESTS ? findSignerStatus(signer, response) : undefined
    if (status && isOpen(status, now)) return { openStatus: status }
    // The requests before it lack its signatures, even if the signer's place in them is open.
    if (hasSignature(response)) return { signedRequestId: requestId }
  }
  return {}
}

function isOpen({ status, signingUrl, expiresAt }: SigningStatus, now: Date): boolean {
  const hasExpired = expiresAt !== undefined && expiresAt <= now
  return status === 'PENDING' && !!signingUrl && !hasExpired
}

/** A provider may return no document before all have signed; then each request has its own signatures. */
async function downloadSigned(
  api: SetuApi,
  requestId: string,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    return await api.download(requestId, signal)
  } catch (error) {
    if (hasProviderStatus(error, 400, 404)) return undefined
    throw error
  }
}

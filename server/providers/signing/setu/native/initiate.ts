import { refuse } from '../../../../faults'
import { LoggableError } from '../../../../observability/safe-errors'
import { throwDocumentFault } from '../../../document-check'
import { hasProviderStatus } from '../../../provider-errors'
import type { CreatedRequest, SigningContext, SigningRequest, SigningStatus } from '../../port'
import type { NativeApi } from './api'
import { findSignerStatus, hasSignature, toOtherSigners } from './transform'

/** How many of the newest earlier requests may still be open for a signer. */
const MAX_OPEN_REQUESTS = 3

type Context = Pick<SigningContext, 'downloadPdf' | 'now' | 'totalTimeoutMs'>
/** Throws if the time limit has passed: each call may last as long as all of them together. */
type RequireTime = () => void

/** Returns the signer's place in an open request, else creates a request on the document as signed so far. */
export function initiate(context: Context, api: NativeApi, request: SigningRequest): Promise<CreatedRequest> {
  return withTimeLimit(context.totalTimeoutMs, async requireTime => {
    const { openStatus, signedRequestId } = await readEarlier(context, api, request, requireTime)
    if (openStatus) return openStatus

    requireTime()
    const content = await loadDocument(context, api, request, signedRequestId)
    requireTime()
    const { id: documentId } = await api.upload(`${request.documentId}.pdf`, content)
    requireTime()
    const response = await api.create(request, documentId)

    const status = findSignerStatus(request.signer, response)
    if (!status?.signingUrl) throw cannotBeReached('The provider gave no signing address')
    return { ...status, others: toOtherSigners(request, response) }
  })
}

/** Looks for an open request that includes the signer, and for the newest request with a signature. */
async function readEarlier(
  { now }: Context,
  api: NativeApi,
  { earlier, signer }: SigningRequest,
  requireTime: RequireTime,
): Promise<{ openStatus?: SigningStatus; signedRequestId?: string }> {
  for (const [index, requestId] of earlier.entries()) {
    requireTime()
    const response = await api.find(requestId)
    if (!response) continue
    const status = index < MAX_OPEN_REQUESTS ? findSignerStatus(signer, response) : undefined
    if (status && isOpen(status, now())) return { openStatus: status }
    // The requests before it lack its signatures, even if the signer's place in them is open.
    if (hasSignature(response)) return { signedRequestId: requestId }
  }
  return {}
}

function isOpen({ status, signingUrl, expiresAt }: SigningStatus, now: Date): boolean {
  const hasExpired = expiresAt !== undefined && expiresAt <= now
  return status === 'PENDING' && !!signingUrl && !hasExpired
}

async function loadDocument(
  context: Context,
  api: NativeApi,
  request: SigningRequest,
  signedRequestId: string | undefined,
): Promise<Uint8Array> {
  const signed = signedRequestId && (await downloadSigned(api, signedRequestId))
  return signed || context.downloadPdf(request.documentUrl).catch(throwDocumentFault)
}

/** A provider may return no document before all have signed; then each request has its own signatures. */
async function downloadSigned(api: NativeApi, requestId: string): Promise<Uint8Array | undefined> {
  try {
    return await api.download(requestId)
  } catch (error) {
    if (hasProviderStatus(error, 400, 404)) return undefined
    throw error
  }
}

async function withTimeLimit<T>(
  totalTimeoutMs: number,
  work: (requireTime: RequireTime) => Promise<T>,
): Promise<T> {
  const timeUp = () => cannotBeReached('The calls to the provider took too long in total')
  const endsAt = performance.now() + totalTimeoutMs
  const requireTime = () => {
    if (performance.now() >= endsAt) throw timeUp()
  }
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(timeUp()), totalTimeoutMs)
  try {
    return await Promise.race([timeout, work(requireTime)])
  } finally {
    clearTimeout(timer)
  }
}

const cannotBeReached = (reason: string) =>
  refuse('provider_unreachable', { provider: 'e-signing' }, { cause: new LoggableError(reason) })

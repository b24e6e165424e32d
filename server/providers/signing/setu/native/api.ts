import { Type } from '@sinclair/typebox'
import { DownloadError } from '../../../download'
import { Fault, unavailable } from '../../../../faults'
import { isProviderNotFound, ProviderHttpError, type ProviderClient } from '../../../http-client'
import type {
  CreatedRequest,
  SigningDeps,
  SigningAccount,
  SigningProvider,
  SigningRequest,
  SigningStatus,
} from '../../port'
import { SignatureResponse, DownloadResponse } from '../schemas'
import { verifyWebhook } from '../signature'
import {
  hasSignerSigned,
  toOtherSigners,
  parseWebhook,
  findSignerStatus,
  signatureRequest,
  toSignerStatuses,
} from './transform'

const UNREACHABLE = 'The e-signing provider cannot be reached'
/** How many of the earlier requests, from the newest, may still be open for a signer. */
const MAY_BE_OPEN = 3
const Uploaded = Type.Object({ id: Type.String({ minLength: 1 }) })

/**
 * The provider's request for the signatures of all parties on one uploaded document. Who is asked after others takes
 * the place that the request has for them; a new request is made on the document as it has been signed so far.
 */
export function createNativeAdapter(
  call: ProviderClient,
  { name, url, credentials: headers, webhookSecrets }: SigningAccount,
  { fetchDocument, now, budgetMs }: SigningDeps,
): SigningProvider {
  const requests = () => `${url()}/api/signature`
  const at = (requestId: string) => `${requests()}/${encodeURIComponent(requestId)}`
  const read = (requestId: string) => orGone(call.json('get', at(requestId), SignatureResponse, { headers }))
  const download = (requestId: string) =>
    call.document(`${at(requestId)}/download/`, DownloadResponse, { headers })
  const isOpen = ({ status, signingUrl, expiresAt }: SigningStatus) =>
    status === 'PENDING' && !!signingUrl && !(expiresAt && expiresAt <= now())

  /** Each call may take what the provider is given for all of them, so none is begun once that is over. */
  async function ask(request: SigningRequest, requireTime: () => void): Promise<CreatedRequest> {
    let signed: string | undefined
    for (const [index, requestId] of request.earlier.entries()) {
      if (signed && index >= MAY_BE_OPEN) break
      requireTime()
      const answer = await read(requestId)
      const place = answer && index < MAY_BE_OPEN ? findSignerStatus(request.signer, answer) : undefined
      if (place && isOpen(place)) return place
      if (answer && hasSignerSigned(answer)) signed ??= requestId
    }
    requireTime()
    const content =
      (signed ? await orRefused(download(signed)) : undefined) ?? (await original(request.documentUrl))
    requireTime()
    const { id } = await call.json('post', `${url()}/api/documents`, Uploaded, {
      headers,
      body: upload(`${request.documentId}.pdf`, content),
    })
    requireTime()
    const answer = await call.json('post', requests(), SignatureResponse, {
      headers,
      json: signatureRequest(request, id),
    })
    const place = findSignerStatus(request.signer, answer)
    if (!place?.signingUrl) throw unavailable(UNREACHABLE, new Error('The provider gave no signing address'))
    return { ...place, others: toOtherSigners(request, answer) }
  }

  const original = (documentUrl: string) =>
    fetchDocument(documentUrl).catch(cause => {
      throw !(cause instanceof DownloadError)
        ? cause
        : new Fault(
            'BAD_REQUEST',
            'The document at document_url is no PDF of at most 10 MiB at a public https address',
            { cause },
          )
    })

  return {
    name,
    hasSharedRequests: true,
    initiate: async request => {
      const { promise: over, reject } = Promise.withResolvers<never>()
      const ends = performance.now() + budgetMs
      const late = () => unavailable(UNREACHABLE, new Error('The provider took too long in all'))
      const timer = setTimeout(() => reject(late()), budgetMs)
      try {
        return await Promise.race([
          over,
          ask(request, () => {
            if (performance.now() >= ends) throw late()
          }),
        ])
      } finally {
        clearTimeout(timer)
      }
    },
    status: async ({ requestId, providerSignatureId }) => {
      const answer = await read(requestId)
      const found = answer && toSignerStatuses(answer)
      return found?.find(signer =>
        providerSignatureId ? signer.providerSignatureId === providerSignatureId : found.length === 1,
      )
    },
    // With a request its document goes, and with that what others have signed: such a one is left to its time.
    cancel: async requestId => {
      const answer = await read(requestId)
      if (answer && !hasSignerSigned(answer))
        await orGone(call.json('post', `${at(requestId)}/delete/`, Type.Unknown(), { headers }))
    },
    download,
    verifyWebhook: (payload, signature) => verifyWebhook(payload, signature, webhookSecrets),
    parseWebhook,
  }
}

function upload(name: string, content: Uint8Array) {
  const form = new FormData()
  form.set('name', name)
  form.set('document', new Blob([content as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }), name)
  return form
}

const orGone = <T>(answer: Promise<T>) =>
  answer.catch(error => {
    if (isProviderNotFound(error)) return undefined
    throw error
  })

/** A provider that lives may give no document before all have signed; then each request bears its own signatures, on the same document. */
const orRefused = <T>(answer: Promise<T>) =>
  answer.catch(error => {
    if (
      error instanceof Fault &&
      error.cause instanceof ProviderHttpError &&
      [400, 404].includes(error.cause.status)
    )
      return undefined
    throw error
  })

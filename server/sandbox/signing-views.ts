import type { SandboxSignature } from '@kiraya/sdk/contract'
import type { SandboxCore } from './core'
import {
  getClosingReason,
  getSigningId,
  toRequestStatus,
  type RequestSigner,
  type SigningRequest,
} from './signing-model'

export const getSigningUrl = ({ deps }: SandboxCore, part: RequestSigner) =>
  `${deps.publicUrl()}/sandbox/sign/${getSigningId(part)}`

export function toSignatureView(sandbox: SandboxCore, part: RequestSigner, now: Date): SandboxSignature {
  const { request, signer } = part
  return {
    id: getSigningId(part),
    request_id: request.id,
    document_id: request.documentId,
    phone: signer.identifier,
    name: signer.displayName,
    status: getClosingReason(part, now) ?? signer.status,
    error: signer.errCode,
    url: getSigningUrl(sandbox, part),
    valid_until: request.validUpto,
  }
}

/** Maps a request to the provider's wire format. */
export function toProviderRequest(sandbox: SandboxCore, request: SigningRequest) {
  return {
    id: request.id,
    documentId: request.documentId,
    status: toRequestStatus(request),
    signers: request.signers.map(signer => {
      const { signedAt: _, ...shown } = signer
      return { ...shown, url: getSigningUrl(sandbox, { request, signer }) }
    }),
    validUpto: request.validUpto,
  }
}

import type { SIGNATURE_STATUSES } from '../../db/entities'

export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number]

export type SigningRequest = {
  /** Our signature_id, by which an orphan at the provider is recognised. */
  documentId: string
  documentUrl: string
  signer: { identifier: string; displayName: string }
  redirectUrl: string
  flexiOptions?: {
    templateId?: string
    signaturePosition?: { pageNumber: number; x: number; y: number; width: number; height: number }
    templateVariables?: Record<string, string>
  }
}

/** What the provider says of a request, in its own answer or in a webhook. */
export type SigningStatus = {
  requestId: string
  documentId?: string
  providerSignatureId?: string
  status: SignatureStatus
  signingUrl?: string
  expiresAt?: Date
  declineReason?: string
  lastError?: string
}

export type SigningProvider = {
  name: string
  initiate: (request: SigningRequest) => Promise<SigningStatus>
  /** Undefined where the provider knows no such request. */
  status: (requestId: string) => Promise<SigningStatus | undefined>
  /** Whether the request is gone at the provider. */
  cancel: (requestId: string) => Promise<boolean>
  verifyWebhook: (payload: string, signature: string | null) => boolean
  /** Undefined where the payload is none of the provider's. */
  parseWebhook: (payload: string) => SigningStatus | undefined
}

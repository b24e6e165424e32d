import type { SIGNATURE_STATUSES } from '../../../db/entities/index'

export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number]

/** Somebody who signs: a 10-digit phone number and a name. */
export type Signer = { identifier: string; displayName: string }

export type SigningRequest = {
  /** Our signature_id, by which an orphan at the provider is recognised. */
  documentId: string
  documentUrl: string
  signer: Signer
  /** All who have yet to sign, the signer among them, in the order in which they are to sign: for a provider that asks all of them by one request. */
  parties: Signer[]
  /** The provider's ids of the agreement's earlier requests, newest first. */
  earlier: string[]
  redirectUrl: string
  flexiOptions?: {
    templateId?: string
    signaturePosition?: { pageNumber: number; x: number; y: number; width: number; height: number }
    templateVariables?: Record<string, string>
  }
}

/** What the provider says of one signer of a request, in its own answer or in a webhook. */
export type SigningStatus = {
  requestId: string
  documentId?: string
  providerSignatureId?: string
  status: SignatureStatus
  /** Whether the signer is known to have opened the document. */
  viewed?: boolean
  signingUrl?: string
  expiresAt?: Date
  declineReason?: string
  lastError?: string
}

/** What the provider says of the signer, and of the `others` whom the request asks as well. */
export type CreatedRequest = SigningStatus & { others?: { identifier: string; status: SigningStatus }[] }

/** The provider's id of a request, and of the signer within it where it has several. */
export type SigningReference = { requestId: string; providerSignatureId?: string | null }

export type SigningProvider = {
  name: string
  /** Whether one request asks all parties, so that two of them may not be made at once for an agreement. */
  hasSharedRequests: boolean
  initiate: (request: SigningRequest) => Promise<CreatedRequest>
  /** Undefined where the provider knows no such request. */
  status: (reference: SigningReference) => Promise<SigningStatus | undefined>
  /** Ends a request for all of its signers; one that is gone counts as ended. */
  cancel: (requestId: string) => Promise<void>
  /** The PDF as signed so far: at most 10 MiB. */
  download: (requestId: string) => Promise<Uint8Array>
  verifyWebhook: (payload: string, signature: string | null) => boolean
  /** What is told of each signer; nothing where the payload is none of the provider's. */
  parseWebhook: (payload: string) => SigningStatus[]
}

/** What an adapter has of the rest: the PDF at an address that a user named, which fails where there is none; the clock; what the provider may take for one of the port's calls in all. */
export type SigningDeps = {
  fetchDocument: (url: string) => Promise<Uint8Array>
  now: () => Date
  budgetMs: number
}

/** An adapter: by each of `webhookSecrets` webhooks are accepted, without any by none. */
export type SigningAccount = {
  name: string
  url: () => string
  credentials: Record<string, string>
  webhookSecrets: string[]
}

import type { TSchema } from '@sinclair/typebox'
import type { SignatureStatus } from '../../../db/entities'
import type { Config } from '../../config'
import type { DownloadSettings } from '../download'
import type { ProviderClient } from '../http-client'
import type { SetuAccount } from '../setu-account'

/** A signer: a 10-digit phone number and a name. */
export type Signer = { identifier: string; displayName: string }

/** Where a signature appears, in points from the lower left of an A4 page. */
export type SignaturePosition = { pageNumber: number; x: number; y: number; width: number; height: number }

export type SigningRequest = {
  /** Our `signature_id`: a webhook with it identifies a request whose response was lost. */
  documentId: string
  documentUrl: string
  /** Reads the document if it is the server's own, which is not downloaded. */
  readOwnDocument?: () => Promise<Uint8Array>
  signer: Signer
  /** All who have yet to sign, including the signer, in signing order. */
  parties: Signer[]
  /** This provider's ids of the agreement's earlier requests, newest first. */
  earlier: string[]
  redirectUrl: string
  flexiOptions?: {
    templateId?: string
    signaturePosition?: SignaturePosition
    templateVariables?: Record<string, string>
  }
}

/** The state of one signer of a request, from a response or a webhook. */
export type SigningStatus = {
  requestId: string
  documentId?: string
  providerSignatureId?: string
  status: SignatureStatus
  /** Whether the signer has opened the document. */
  viewed?: boolean
  signingUrl?: string
  expiresAt?: Date
  declineReason?: string
  lastError?: string
  /** Whether the signer's session is over, which confirms a webhook about the expiry. */
  isSessionOver?: boolean
  /** Set if a webhook says too little: the status has to be read from the provider. */
  needsSync?: boolean
}

/** The state of the signer, and of the `others` who can sign on the same request. */
export type CreatedRequest = SigningStatus & { others?: { identifier: string; status: SigningStatus }[] }

/** The provider's id of a request, and of the signer if the request has several. */
export type SigningReference = { requestId: string; providerSignatureId?: string | null }

/** Each function throws SERVICE_UNAVAILABLE if the provider fails. */
export type SigningProvider = {
  /** Stored with each request and webhook, so that the same adapter reads them again. */
  name: string
  /** Whether one request serves all parties, so that an agreement has one new request at a time. */
  hasSharedRequests: boolean
  initiate: (request: SigningRequest) => Promise<CreatedRequest>
  /** Undefined if the provider does not know the request. */
  status: (reference: SigningReference) => Promise<SigningStatus | undefined>
  /** Ends a request for all of its signers, and returns whether it has ended; an unknown one has. */
  cancel: (requestId: string) => Promise<boolean>
  /** The PDF with the signatures so far, at most 10 MiB. */
  download: (requestId: string) => Promise<Uint8Array>
  /** The header with the signature of a webhook. */
  webhookHeader: string
  /** What `parseWebhook` understands, for the API's description. */
  webhookSchema: TSchema
  /** Checks the bytes that were sent: as text they may be others. */
  verifyWebhook: (payload: string | Uint8Array, signature: string | null) => boolean
  /** What is stored of a webhook: all that `parseWebhook` reads, and nothing personal. */
  redactWebhook: (payload: string) => string
  /** The state of each signer; empty if the payload is not a webhook of the provider. */
  parseWebhook: (payload: string) => SigningStatus[]
}

/** What an adapter is created with. */
export type SigningContext = {
  name: string
  account: SetuAccount
  client: ProviderClient
  config: Pick<Config, 'DOCUMENT_CHECK' | 'PROVIDER_TOTAL_TIMEOUT_MS' | 'acceptedSecrets'> & DownloadSettings
  now: () => Date
}

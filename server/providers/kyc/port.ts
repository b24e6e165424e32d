import type { KycStatus } from '../../../db/entities'

/** Of the identity document only the name and the last four digits leave the adapter. */
export type KycResult = {
  status: KycStatus
  name?: string
  maskedAadhaar?: string
  errorCode?: string
  errorMessage?: string
}

/** Each function throws SERVICE_UNAVAILABLE if the provider fails. */
export type KycProvider = {
  /** Stored with each identity check. */
  name: string
  start: (urls: {
    redirectUrl: string
    webhookUrl: string
  }) => Promise<{ requestId: string; verificationUrl: string }>
  /** Undefined if the provider does not know the request. */
  status: (requestId: string) => Promise<KycResult | undefined>
}

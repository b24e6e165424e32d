import type { KYC_STATUSES } from '../../../db/entities/index'

export type KycStatus = (typeof KYC_STATUSES)[number]

/** Of the identity document no more than the name and the last four digits leave the adapter. */
export type KycResult = {
  status: KycStatus
  name?: string
  maskedAadhaar?: string
  errorCode?: string
  errorMessage?: string
}

export type KycProvider = {
  name: string
  start: (addresses: {
    redirectUrl: string
    webhookUrl: string
  }) => Promise<{ requestId: string; verificationUrl: string }>
  status: (requestId: string) => Promise<KycResult>
}

import type { KycStatus } from '../providers/kyc/port'

const moves: Record<KycStatus, readonly KycStatus[]> = {
  CREATED: ['KYC_REQUESTED', 'SUCCESS', 'ERROR'],
  KYC_REQUESTED: ['SUCCESS', 'ERROR'],
  SUCCESS: [],
  ERROR: [],
}

/** Whether an identity check may go from one status to the other; SUCCESS and ERROR are final. */
export const canTransition = (from: KycStatus, to: KycStatus) => moves[from].includes(to)
export const isFinal = (status: KycStatus) => !moves[status].length

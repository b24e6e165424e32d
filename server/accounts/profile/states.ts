import type { KycStatus } from '../../../db/entities'

const transitions: Record<KycStatus, readonly KycStatus[]> = {
  CREATED: ['KYC_REQUESTED', 'SUCCESS', 'ERROR'],
  KYC_REQUESTED: ['SUCCESS', 'ERROR'],
  SUCCESS: [],
  ERROR: [],
}

export function canTransition(from: KycStatus, to: KycStatus) {
  return transitions[from].includes(to)
}

export function isFinal(status: KycStatus) {
  return transitions[status].length === 0
}

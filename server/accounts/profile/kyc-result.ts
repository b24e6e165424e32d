import type { KycRequest } from '../../../db/entities'
import type { KycResult } from '../../providers/kyc/port'

/** The result of a check that was not completed in time. */
export const expiredResult = {
  status: 'ERROR',
  errorCode: 'expired',
  errorMessage: 'The verification was not completed in time',
} as const satisfies KycResult

/** The result of a check that the provider does not know, or no longer. */
export const forgottenResult = {
  status: 'ERROR',
  errorCode: 'unknown_to_provider',
  errorMessage: 'The provider no longer knows the verification',
} as const satisfies KycResult

/** Copies all that is stored of a provider's result. */
export function applyKycResult(request: KycRequest, result: KycResult) {
  request.status = result.status
  request.name = result.name ?? null
  request.masked_aadhaar = result.maskedAadhaar ?? null
  request.error_code = result.errorCode ?? null
  request.error_message = result.errorMessage ?? null
}

import { expect, test } from 'bun:test'
import type { KycRequest } from '../../../db/entities'
import {
  applyKycResult,
  expiredResult,
  forgottenResult,
  providerChangedResult,
} from '../../../server/profile/kyc-result'

test.each([
  [expiredResult, 'expired', 'The verification was not completed in time'],
  [providerChangedResult, 'provider_changed', 'The verification was started with another provider'],
  [forgottenResult, 'unknown_to_provider', 'The provider no longer knows the verification'],
])('a check that ends without its provider says why: %o', (result, error_code, error_message) => {
  const request = { status: 'KYC_REQUESTED', name: 'Asha', masked_aadhaar: '1234' } as KycRequest

  applyKycResult(request, result)

  expect(request).toEqual({
    status: 'ERROR',
    name: null,
    masked_aadhaar: null,
    error_code,
    error_message,
  } as KycRequest)
})

test('a result is stored whole', () => {
  const request = {} as KycRequest
  applyKycResult(request, { status: 'SUCCESS', name: 'Asha Rao', maskedAadhaar: '1234' })
  expect(request).toEqual({
    status: 'SUCCESS',
    name: 'Asha Rao',
    masked_aadhaar: '1234',
    error_code: null,
    error_message: null,
  } as KycRequest)
})

import type { ErrorReason } from '@kiraya/sdk/contract'
import { SIGNING } from './shared'

const OTP: ErrorReason[] = ['phone_number_unreachable', 'provider_unreachable', 'too_many_otps']

const WRONG_OTP: ErrorReason[] = ['wrong_otp', 'too_many_wrong_otps']

/** What the operations of sign-in, profile and dashboard may answer. */
export const accountReasons: Record<string, ErrorReason[]> = {
  'POST /auth': OTP,
  'POST /auth/send-otp': OTP,
  'POST /auth/verify': WRONG_OTP,
  'POST /auth/login': ['wrong_login', 'too_many_failed_logins', 'passwords_busy'],
  'DELETE /auth/me': [
    ...SIGNING,
    ...WRONG_OTP,
    'agreements_open',
    'deposit_held',
    'documents_in_progress',
    'erasure_contended',
  ],
  'PUT /profile/complete': [
    ...WRONG_OTP,
    'name_is_verified',
    'password_changed_meanwhile',
    'password_proof_missing',
    'passwords_busy',
    'too_many_wrong_passwords',
    'wrong_password',
  ],
  'POST /profile/ekyc': [
    'already_verified',
    'kyc_given_up',
    'kyc_in_progress',
    'profile_incomplete',
    'provider_unreachable',
  ],
  'POST /profile/ekyc/complete': [
    'provider_unreachable',
    'verification_failed',
    'verification_incomplete',
    'verification_provider_changed',
    'verification_unknown',
  ],
  'GET /dashboard': ['onboarding_unfinished'],
}

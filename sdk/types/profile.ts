import type { Profile } from './auth.ts'

/** A profile. To replace a password, send `current_password` or `otp` beside it; the first one needs neither. */
export interface CompleteProfileInput {
  /** 1 to 255 characters. A verified user's name stays. */
  first_name: string
  /** 1 to 255 characters. A verified user's name stays. */
  last_name: string
  /** An e-mail address of at most 255 characters. */
  email: string
  /** A new password of 8 to 255 characters. The SDK sends its hash. */
  password?: string | null
  /** The password to be replaced. The SDK sends its hash. */
  current_password?: string | null
  /** The 6 digits of a one-time password that was just sent, instead of the current password. */
  otp?: string | null
  /** The PAN, such as `ABCPE1234F`. It stays as it is unless it is given; null removes it. */
  pan?: string | null
}

/** The response of `profile.complete` and `profile.completeKyc`. */
export interface ProfileResponse {
  /** A sentence for people. */
  message: string
  /** The user after the change. */
  user: Profile
}

/** An identity check that waits for the user. */
export interface StartKycResponse {
  /** A sentence for people. */
  message: string
  /** The check's id, which completes it. */
  verification_id: string
  /** The address of the provider's page, where the user completes the check. */
  verification_url: string
  /** The check has begun. */
  status: 'initiated'
}

/** The body of `profile.completeKyc`. */
export interface CompleteKycInput {
  /** The check's id, which its start returned. */
  verification_id: string
}

import type { HttpClient } from './http-client.ts'
import { refuseField, requireId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import { hashPassword } from './password.ts'
import { parseClaims } from './session.ts'
import type { CompleteProfileInput, ProfileResponse, StartKycResponse } from '#types'

/** The profile and the identity check (eKYC), which follow the first sign-in. */
export interface ProfileCalls extends ReturnType<typeof createProfile> {}

export const createProfile = (http: HttpClient) => ({
  /**
   * Completes or changes the profile and returns the user. A `password` has 8 to 255 characters. It is hashed
   * before it is sent, and setting it ends the user's other sessions. To replace a password, send
   * `current_password`, or the `otp` that `auth.sendOtp` has just sent; such a call is sent once, whatever
   * happens.
   * @throws {ValidationError} A field is not valid, the name of a verified user would change, or a password is
   * set already and nothing proves that its owner changes it.
   * @throws {UnauthorizedError} The current password or the one-time password is wrong.
   * @throws {TooManyRequestsError} Too many of them were wrong.
   * @example
   * const { user } = await kiraya.profile.complete({
   *   first_name: 'Asha',
   *   last_name: 'Rao',
   *   email: 'asha@example.com',
   * })
   */
  complete: (profile: CompleteProfileInput, options?: CallOptions) =>
    http.put<ProfileResponse>(
      'profile/complete',
      (token?: string) => hashPasswords(profile, token),
      options,
      { hasProof: Boolean(profile?.otp || profile?.current_password) },
    ),

  /**
   * Starts the identity check, or returns the open one. The user completes it at `verification_url`.
   * @throws {ValidationError} The profile is not complete, or the identity is verified already.
   * @throws {ServerError} The provider is unreachable.
   * @example
   * const { verification_id, verification_url } = await kiraya.profile.startKyc()
   */
  startKyc: (options?: CallOptions) => http.post<StartKycResponse>('profile/ekyc', {}, options),

  /**
   * Finishes the identity check after the user has completed it, and returns the user.
   * The sandbox approves a check by itself here, unless it is set to wait for a person.
   * @throws {ValidationError} The check is still open, has failed, or belongs to another user.
   * @example
   * const { verification_id } = await kiraya.profile.startKyc()
   * // The user has been to the page of the check.
   * const { user } = await kiraya.profile.completeKyc(verification_id)
   */
  completeKyc: (verification_id: string, options?: CallOptions) =>
    http.send<ProfileResponse>(
      'profile/ekyc/complete',
      () => ({ verification_id: requireId('verification_id', verification_id) }),
      options,
    ),
})

async function hashPasswords(input: CompleteProfileInput, token?: string) {
  const { password, current_password, ...profile } = input
  if (typeof password !== 'string') return profile
  // The server receives only a hash, so it cannot check the length.
  const { length } = [...password]
  if (length < 8 || length > 255) refuseField('password must have 8 to 255 characters')
  // The phone number of the token salts the password. Without a valid token the server rejects the call.
  const { phone } = parseClaims(token)
  return {
    ...profile,
    password: await hashPassword(phone, password),
    ...(current_password && { current_password: await hashPassword(phone, current_password) }),
  }
}

import { toKirayaError } from './error-mapping'
import type { CompleteProfileInput, StartKycResponse, ProfileResponse } from './contract'
import type { HttpClient } from './http-client'
import { hashPassword } from './password'

/** The profile and the identity check (eKYC) that follow the first sign-in. */
export const createProfile = (http: HttpClient) => ({
  /**
   * Completes or changes the profile. A `password` of 8 to 255 characters is hashed before it is sent, and ends the
   * user's other sessions.
   * @throws {ValidationError} A field is not valid, or the name of a verified user would change.
   */
  complete: async ({ password, ...profile }: CompleteProfileInput) =>
    http.put<ProfileResponse>('profile/complete', {
      ...profile,
      ...(typeof password === 'string' && {
        password: await hashPassword(phoneOf(http.token), checked(password)),
      }),
    }),

  /**
   * Starts the identity check, or returns the open one; the user proves it at `verification_url`.
   * @throws {ValidationError} The profile is not complete, or the identity is verified already.
   * @throws {ServerError} The provider cannot be reached.
   */
  startKyc: () => http.create<StartKycResponse>('profile/ekyc'),

  /**
   * Completes the identity check once the user has proved it.
   * @throws {ValidationError} It is not completed yet, has failed, or is none of this user's.
   */
  completeKyc: (verification_id: string) =>
    http.post<ProfileResponse>('profile/ekyc/complete', { verification_id }),
})

/** The server only ever sees a hash, so that the length is checked here. */
function checked(password: string) {
  if (password.length < 8 || password.length > 255)
    throw toKirayaError(400, { message: ['password must have 8 to 255 characters'] })
  return password
}

/** The password's salt is the phone number, which every token carries; without one the server refuses the call. */
function phoneOf(token = ''): string {
  try {
    return JSON.parse(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))).phone
  } catch {
    return ''
  }
}

import type { CompleteProfile, KycStarted, ProfileAnswer } from './contract'
import type { Http } from './http'
import { hashPassword } from './password'

/** The profile and the identity check (eKYC) that follow the first sign-in. */
export class Profile {
  constructor(private readonly http: Http) {}

  /**
   * Completes or changes the profile. A `password` is hashed before it is sent, and ends the user's other sessions.
   * @throws {ValidationError} A field is not valid, or the name of a verified user would change.
   */
  complete = async ({ password, ...profile }: CompleteProfile) => this.http.put<ProfileAnswer>('profile/complete', { ...profile, ...password && { password: await hashPassword(phoneOf(this.http.token), password) } })

  /**
   * Starts the identity check, or returns the open one; the user proves it at `verification_url`.
   * @throws {ValidationError} The profile is not complete, or the identity is verified already.
   * @throws {ServerError} The provider cannot be reached.
   */
  startKyc = () => this.http.post<KycStarted>('profile/ekyc')

  /**
   * Completes the identity check once the user has proved it.
   * @throws {ValidationError} It is not completed yet, has failed, or is none of this user's.
   */
  completeKyc = (verification_id: string) => this.http.post<ProfileAnswer>('profile/ekyc/complete', { verification_id })
}

/** The password's salt is the phone number, which the access token carries. */
function phoneOf(token = ''): string {
  const claims = atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
  return claims ? String(JSON.parse(claims).phone) : ''
}

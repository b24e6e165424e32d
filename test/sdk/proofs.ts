import type { CallOptions, Kiraya } from '../../sdk'

export const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

/** What a one-time secret or a password proves. A repeated request would find it used up, or count as a guess. */
export const proofs: Record<string, (client: Kiraya, options?: CallOptions) => Promise<unknown>> = {
  'auth.verify': ({ auth }, options) => auth.verify('9876543210', '123456', options),
  'auth.login': ({ auth }, options) => auth.login('9876543210', 'correct horse', options),
  'auth.eraseMyData': ({ auth }, options) => auth.eraseMyData('123456', options),
  'profile.complete with an OTP': (client, options) =>
    client.profile.complete({ ...profile, otp: '123456' }, options),
  'profile.complete with the current password': (client, options) =>
    client.profile.complete(
      { ...profile, password: 'correct horse', current_password: 'wrong horse' },
      options,
    ),
}

import type { CompleteProfileInput, Kiraya, KirayaError, SignInStatus } from '@kiraya/sdk'
import { advise } from './advice'
import type { Context } from './context'
import { pressButton } from './sandbox'

/** A user with a client of their own, so that the stored sign-in stays untouched. */
export type Person = { id: number; phone: string; client: Kiraya }

/** How often a command of thousands of requests sends one again: a server at its limit refuses some with 503. */
export const PATIENT_RETRIES = 6

/** Signs in with a one-time password; an unknown number gets a new account. */
export async function signInPerson(
  { connection }: Context,
  phone: string,
  otp: string,
  maxRetries?: number,
): Promise<Person & { status: SignInStatus }> {
  const { createClient } = await import('@kiraya/sdk')
  const client = createClient({ ...connection, maxRetries })
  await client.auth.sendOtp(phone)
  const { user, status } = await client.auth.verify(phone, otp).catch((error: KirayaError) => {
    // The sandbox has one for all numbers.
    if (error.reason === 'wrong_otp') advise(error, "--otp must be the server's SANDBOX_OTP")
    throw error
  })
  return { id: user.id, phone, client, status }
}

/** Completes the profile and verifies the identity, as far as that is not done. */
export async function finishOnboarding(
  client: Kiraya,
  status: SignInStatus,
  { first_name, last_name, email }: CompleteProfileInput,
) {
  if (status === 'NEEDS_PROFILE_COMPLETION') await client.profile.complete({ first_name, last_name, email })
  if (status !== 'LOGIN_SUCCESSFUL') await verifyIdentity(client)
}

/** Verifies the identity on the sandbox's page. */
export async function verifyIdentity({ profile }: Kiraya) {
  const { verification_id, verification_url } = await profile.startKyc()
  await pressButton(verification_url, 'approve')
  await profile.completeKyc(verification_id)
}

import type { Kiraya, SignInStatus } from '@kiraya/sdk'
import type { Context } from './context'

/** A user with a client of their own, so that the stored sign-in stays untouched. */
export type Person = { id: number; phone: string; client: Kiraya }

/** Signs in with a one-time password; an unknown number gets a new account. */
export async function signInPerson(
  { baseUrl, language }: Context,
  phone: string,
  otp: string,
): Promise<Person & { status: SignInStatus }> {
  const { createClient } = await import('@kiraya/sdk')
  const client = createClient({ baseUrl, language })
  await client.auth.sendOtp(phone)
  const { user, status } = await client.auth.verify(phone, otp)
  return { id: user.id, phone, client, status }
}

/** A random mobile number. */
export function createPhone() {
  const [random] = crypto.getRandomValues(new Uint32Array(1))
  const digits = String(random! % 1_000_000_000).padStart(9, '0')
  return `9${digits}`
}

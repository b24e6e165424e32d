import { createPhone, signInPerson } from '../runtime/people'
import { findSandbox, isSandboxPage, pressButton } from '../runtime/sandbox'
import { expectEqual, hasOwnUsers, StepSkipped, type Flow } from './flow'

const HEALTH_TIMEOUT_MS = 15_000

export async function checkHealth(flow: Flow) {
  const { context } = flow
  flow.sandbox = await findSandbox(context)
  const response = await fetch(`${context.baseUrl}/health/ready`, {
    signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS),
  })
  expectEqual(response.status, 200, 'status of /health/ready')
}

/** Signs up a new landlord. Where no one-time password is known, the stored sign-in is the landlord. */
export async function signInLandlord(flow: Flow) {
  const { context, otp } = flow
  if (hasOwnUsers(flow)) {
    flow.landlord = await signInPerson(context, createPhone(), otp)
    return
  }
  const client = await context.client()
  if (!client.token) throw new StepSkipped('needs the sandbox, --otp or a stored sign-in')
  const { user } = await client.auth.me()
  flow.landlord = { id: user.id, phone: user.phone, client }
}

/** A landlord who was signed in before stays unchanged. */
export async function completeProfile(flow: Flow) {
  const { client } = flow.landlord!
  if (hasOwnUsers(flow))
    await client.profile.complete({ first_name: 'Smoke', last_name: 'Test', email: 'smoke@example.com' })
  const { user } = await client.auth.me()
  expectEqual(user.has_completed_profile, true, 'has_completed_profile')
}

export async function verifyIdentity(flow: Flow) {
  const { client } = flow.landlord!
  if (hasOwnUsers(flow)) {
    const { verification_id, verification_url } = await client.profile.startKyc()
    if (!isSandboxPage(verification_url)) throw new StepSkipped('needs the sandbox')
    await pressButton(verification_url, 'approve')
    await client.profile.completeKyc(verification_id)
  }
  const { user } = await client.auth.me()
  expectEqual(user.has_verified_profile, true, 'has_verified_profile')
}

export async function checkDashboard(flow: Flow) {
  const { stats } = await flow.landlord!.client.dashboard.get()
  if (hasOwnUsers(flow)) expectEqual(stats.total_properties, 0, 'properties on the dashboard')
}

export const signOut = ({ landlord, tenant }: Flow) =>
  Promise.all([landlord, tenant].map(person => person?.client.auth.logout()))

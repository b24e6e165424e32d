import { PROFILE, storeSignIn, storeVerifiedProfile } from './sign-ins'
import type { Deps } from '../../server/deps'
import { requireSuccess, sendRequest, type Target, type TestResponse } from './requests'

export * from './fixtures'
export * from './requests'

let nextNumber = Math.floor(Math.random() * 1_000_000)

/** A mobile number that no other test uses. */
export function freshPhone() {
  const processPart = String(process.pid % 1000).padStart(3, '0')
  const ownPart = String(nextNumber++ % 1_000_000).padStart(6, '0')
  return `9${processPart}${ownPart}`
}

/** A user who has signed in, and requests in their name. */
export type TestUser = {
  id: number
  user_id: string
  phone: string
  token: string
  /** Of the server in this process that the user has signed in to. */
  deps?: Deps
  call: (method: string, path: string, body?: unknown) => Promise<TestResponse>
  get: (path: string) => Promise<TestResponse>
  post: (path: string, body?: unknown) => Promise<TestResponse>
  put: (path: string, body?: unknown) => Promise<TestResponse>
  patch: (path: string, body?: unknown) => Promise<TestResponse>
  delete: (path: string) => Promise<TestResponse>
}

/** Signs a new or a known phone in; a server of this process stores what the requests of a sign-in would leave. */
export async function signInUser(target: Target, phone = freshPhone()): Promise<TestUser> {
  if (typeof target === 'string' || !target.deps) return signInByOtp(target, phone)
  const { access_token, user } = await storeSignIn(target.deps, phone)
  return toSignedInUser(target, phone, access_token, user)
}

/** Signs a phone in with the sandbox's one-time password, as a client of Variant B. */
export async function signInByOtp(target: Target, phone = freshPhone()): Promise<TestUser> {
  const body = { phone_number: phone }
  requireSuccess(await sendRequest(target, 'POST', '/auth/send-otp', { body }), 'Sending an OTP')
  const verified = await sendRequest(target, 'POST', '/auth/verify', { body: { ...body, otp: '123456' } })
  requireSuccess(verified, 'The sign-in')
  const { access_token: token, user } = verified.data
  return toSignedInUser(target, phone, token, user)
}

function toSignedInUser(
  target: Target,
  phone: string,
  token: string,
  { id, user_id }: Pick<TestUser, 'id' | 'user_id'>,
) {
  const deps = typeof target === 'string' ? undefined : target.deps
  return toTestUser({ id, user_id, phone, token, deps, call: toCall(target, token) })
}

/** The same user at another server on the same database. */
export const atServer = (target: Target, user: TestUser) =>
  toTestUser({ ...user, call: toCall(target, user.token) })

type Call = TestUser['call']
const toCall =
  (target: Target, token: string): Call =>
  (method, path, body) =>
    sendRequest(target, method, path, { token, body })

/** Adds the short forms of `call`. */
export const toTestUser = (
  user: Pick<TestUser, 'id' | 'user_id' | 'phone' | 'token' | 'deps' | 'call'>,
): TestUser => ({
  ...user,
  get: path => user.call('GET', path),
  post: (path, body = {}) => user.call('POST', path, body),
  put: (path, body = {}) => user.call('PUT', path, body),
  patch: (path, body = {}) => user.call('PATCH', path, body),
  delete: path => user.call('DELETE', path),
})

/** A user with a complete profile and a verified identity. */
export async function createLandlord(target: Target) {
  const landlord = await signInUser(target)
  if (typeof target === 'string' || !target.deps) return onboardLandlord(landlord)
  await storeVerifiedProfile(target.deps, landlord.id)
  return landlord
}

/** Completes a user's profile and identity check by requests. */
export async function onboardLandlord(landlord: TestUser) {
  requireSuccess(await completeProfile(landlord), 'Completing the profile')
  const { data } = requireSuccess(await landlord.post('/profile/ekyc'), 'The start of the identity check')
  const { verification_id } = data
  const completed = await landlord.post('/profile/ekyc/complete', { verification_id })
  requireSuccess(completed, 'The identity check')
  return landlord
}

/** Managers and tenants need no profile: who they are depends on the units and agreements that name them. */
export const createManager = (target: Target) => signInUser(target)
export const createTenant = (target: Target) => signInUser(target)

/** Three people, who sign in one after the other. */
export const signInThree = async (target: Target, signIn = signInUser) =>
  [await signIn(target), await signIn(target), await signIn(target)] as const

export const completeProfile = (user: TestUser, changes: Record<string, unknown> = {}) =>
  user.put('/profile/complete', { ...PROFILE, ...changes })

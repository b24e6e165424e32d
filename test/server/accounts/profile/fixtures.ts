import { getKysely } from '../../../../db/database'
import type { TestServer } from '../../../support/server'
import {
  completeProfile,
  freshPhone,
  sendRequest,
  signInUser,
  toTestUser,
  type Target,
  type TestResponse,
  type TestUser,
} from '../../../support/users'

export const toResult = ({ status, body }: TestResponse) => [status, body]

/** A user who signed in with Variant A. */
export async function signInWithVariantA(server: Target, phone = freshPhone()): Promise<TestUser> {
  await sendRequest(server, 'POST', '/auth', { body: { phoneNumber: phone } })
  const { body } = await sendRequest(server, 'POST', '/auth/verify', {
    body: { phoneNumber: phone, otp: '123456' },
  })
  const { access_token: token, user } = body
  return toTestUser({
    id: user.id,
    user_id: '',
    phone,
    token,
    call: (method, path, body) => sendRequest(server, method, path, { token, body }),
  })
}

/** A user with a complete profile, who can start an identity check. */
export async function createCompletedUser(server: Target) {
  const user = await signInUser(server)
  await completeProfile(user)
  return user
}

export const requestCheck = (user: TestUser) => user.post('/profile/ekyc')

export async function startCheck(user: TestUser) {
  const { data } = await requestCheck(user)
  return data as { verification_id: string; verification_url: string }
}

export const completeCheck = (user: TestUser, verification_id: unknown) =>
  user.post('/profile/ekyc/complete', { verification_id })

export const findChecks = ({ em }: TestServer, { id }: { id: number }) =>
  getKysely(em()).selectFrom('kyc_requests').where('user_id', '=', id).orderBy('id').selectAll().execute()

export const getUser = ({ em }: TestServer, { id }: { id: number }) =>
  getKysely(em()).selectFrom('users').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

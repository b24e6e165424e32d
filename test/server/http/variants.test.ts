import { describe, expect, test } from 'bun:test'
import { sendRequest, freshPhone, createLandlord, signInUser } from '../../support/users'
import { testServer } from '../../support/server'
import { signInWithVariantA } from '../accounts/profile/fixtures'
import { broken, brokenInA, enveloped, plain } from './forms'

type Options = Parameters<typeof sendRequest>[3]
const both = testServer()
const onlyA = testServer({ env: { API_VARIANT: 'a' } })
const onlyB = testServer({ env: { API_VARIANT: 'b' } })
const profile = { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' }

async function call(server: { url: string }, method: string, path: string, options?: Options) {
  const { status, body } = await sendRequest(server.url, method, path, options)
  return [status, body]
}
test('an unverified token decides the variant too: B if it has none; one that cannot be read counts as none', async () => {
  const createToken = (claims: unknown) =>
    `AAAA.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AAAA`
  const tokenOfA = createToken({ variant: 'a' })
  expect(await call(both, 'GET', '/dashboard', { token: tokenOfA })).toEqual([401, plain(401)])
  for (const token of [{}, { variant: 'x' }].map(createToken))
    expect(await call(both, 'GET', '/dashboard', { token })).toEqual([401, enveloped(401)])
  for (const token of [createToken(null), createToken([]), 'garbage', 'x.y.z']) {
    expect(await call(both, 'GET', '/dashboard', { token })).toEqual([401, plain(401)])
    expect(await call(both, 'GET', '/auth/me', { token })).toEqual([401, enveloped(401)])
  }
})

test('a malformed body counts as no body, so that the token decides', async () => {
  const { token: tokenOfA, phone } = await signInWithVariantA(both.url)
  const { token: tokenOfB } = await signInUser(both.url, phone)
  const send = (token: string) => call(both, 'PUT', '/profile/complete', { token, body: '{"firstName":' })
  expect(await send(tokenOfA)).toEqual([400, plain(400)])
  expect(await send(tokenOfB)).toEqual([400, enveloped(400)])
})

async function onboardInA(server: { url: string }) {
  const { url } = server
  const phone = freshPhone()
  const post = async (path: string, body: unknown, token?: string) =>
    (await sendRequest(url, 'POST', path, { body, token })).body
  expect(await post('/auth', { phoneNumber: phone })).toEqual({ message: expect.any(String) })
  const { access_token: token, status } = await post('/auth/verify', { phoneNumber: phone, otp: '123456' })
  expect(status).toBe('NEEDS_PROFILE_COMPLETION')
  const { body: completed } = await sendRequest(url, 'PUT', '/profile/complete', { token, body: profile })
  expect(completed.user).toMatchObject({ firstName: 'Asha', hasCompletedProfile: true })
  const { verificationId } = await post('/profile/ekyc', {}, token)
  const verified = await post('/profile/ekyc/complete', { verificationId }, token)
  expect(verified.user.hasVerifiedProfile).toBe(true)
  const dashboard = await sendRequest(url, 'GET', '/dashboard', { token })
  expect(dashboard.body.stats.totalProperties).toBe(0)
}
async function onboardInB(server: { url: string }) {
  const person = await createLandlord(server.url)
  const { data } = (await person.call('GET', '/dashboard')).body
  expect([data.stats.total_properties, data.user.has_verified_profile]).toEqual([0, true])
}

test('one server supports clients of A and B at the same time', async () => {
  const clients = Array.from({ length: 4 }, (_, index) => (index % 2 ? onboardInA : onboardInB))
  await Promise.all(clients.map(onboard => onboard(both)))
})

describe('API_VARIANT=a', () => {
  test('404: an unknown path, as an error of A', async () => {
    expect(await call(onlyA, 'GET', '/nowhere')).toEqual([404, plain(404)])
  })

  test('a user can onboard in A', () => onboardInA(onlyA))

  test.each(['/auth/send-otp', '/auth/login', '/auth/logout'])('404: %s', async path => {
    const { token } = await signInWithVariantA(onlyA)
    const body = { phone_number: '9876543210', password: 'x' }
    expect((await sendRequest(onlyA.url, 'POST', path, { token, body })).status).toBe(404)
  })

  test.each([
    ['/auth', { phone_number: '9876543210' }],
    ['/auth/verify', { phone_number: '9876543210', otp: '123456' }],
  ])("400: %s with B's field names, as an error of A", async (path, body) => {
    expect(await call(onlyA, 'POST', path, { body })).toEqual([400, brokenInA('phoneNumber')])
  })

  test('the second document stays, in the envelope', async () => {
    const { token } = await signInWithVariantA(onlyA)
    expect(await call(onlyA, 'GET', '/properties', { token })).toMatchObject([
      200,
      { success: true, data: [], metadata: { total: 0 } },
    ])
    expect(await call(onlyA, 'GET', '/properties')).toEqual([401, enveloped(401)])
  })
})

describe('API_VARIANT=b', () => {
  test('a user can onboard in B', async () => {
    await onboardInB(onlyB)
    const { body } = await sendRequest(onlyB.url, 'POST', '/auth', { body: { phone_number: freshPhone() } })
    expect(body.data).toMatchObject({ is_existing_user: false, user: null })
  })

  test.each([
    ['POST', '/auth', { phoneNumber: '9876543210' }, ['phone_number']],
    ['POST', '/auth/verify', { phoneNumber: '9876543210', otp: '123456' }, ['phone_number']],
    ['PUT', '/profile/complete', profile, ['first_name', 'last_name']],
    ['POST', '/profile/ekyc/complete', { verificationId: 'x' }, ['verification_id']],
  ])("400: %s %s with A's field names, as an error of B", async (method, path, body, fields) => {
    const { token } = await signInUser(onlyB.url)
    const options = path.startsWith('/auth') ? { body } : { token, body }
    expect(await call(onlyB, method, path, options)).toEqual([400, broken(...fields)])
  })
})

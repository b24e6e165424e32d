import { describe, expect, test } from 'bun:test'
import { pbkdf2Sync } from 'node:crypto'
import { createClient, getNextStep } from '../../sdk'
import { hashPassword } from '../../sdk/password'
import { createStubServer, dataResponse, catchError, createTestToken } from './stub'

const details = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

test('an id stays within its segment of the path, whatever it is', async () => {
  using it = createStubServer(dataResponse([]))
  const { units, properties } = createClient({ baseUrl: it.url })
  for (const id of ['../x?y#z', '..', '.', '', '%2e%2e', 'a/b']) {
    await units.get(id, 7)
    await properties.delete(id)
  }
  for (const { path, method } of it.asked)
    expect(path).toMatch(method === 'GET' ? /^\/properties\/[^/?]+\/units\/7$/ : /^\/properties\/[^/?]+$/)
})

test('what a query leaves open is not sent', async () => {
  using it = createStubServer(() =>
    Response.json({ success: true, data: [], metadata: { page: 2, limit: 5, total: 0, total_pages: 0 } }),
  )
  const page = await createClient({ baseUrl: it.url }).units.list(1, {
    page: 2,
    limit: 5,
    is_available: false,
    q: undefined,
  })
  expect(it.asked[0]!.path).toBe('/properties/1/units?page=2&limit=5&is_available=false')
  expect(page).toEqual({ data: [], metadata: { page: 2, limit: 5, total: 0, total_pages: 0 } })
})

test('iterate asks for each page once, from the one that was named', async () => {
  const pages = [[1, 2], [3, 4], [5]]
  using it = createStubServer(request => {
    const page = Number(new URL(request.url).searchParams.get('page'))
    return Response.json({
      success: true,
      data: pages[page - 1],
      metadata: { page, limit: 2, total: 5, total_pages: 3 },
    })
  })
  const { agreements, units } = createClient({ baseUrl: it.url })
  const found: unknown[] = []
  for await (const agreement of agreements.iterate({ page: 2, status: 'ACTIVE' })) found.push(agreement)
  for await (const unit of units.iterate(9)) found.push(unit)
  expect(found).toEqual([3, 4, 5, 1, 2, 3, 4, 5])
  expect(it.asked.map(({ path }) => path)).toEqual([
    '/agreements?page=2&status=ACTIVE',
    '/agreements?page=3&status=ACTIVE',
    ...[1, 2, 3].map(page => `/properties/9/units?page=${page}`),
  ])
})

test('the token can be given, read and changed, and a fetch of one’s own is used', async () => {
  using it = createStubServer(dataResponse())
  let own = 0
  const kiraya = createClient({
    baseUrl: `${it.url}/`,
    token: 'one',
    fetch: (...asked) => (own++, fetch(...asked)),
  })
  await kiraya.auth.me()
  kiraya.token = 'two'
  await kiraya.auth.me()
  kiraya.token = undefined
  await kiraya.auth.me()
  expect({ own, sent: it.asked.map(({ authorization }) => authorization) }).toEqual({
    own: 3,
    sent: ['Bearer one', 'Bearer two', null],
  })
})

test("an erasure sends its one-time password and forgets the token; the export is the answer's data", async () => {
  using it = createStubServer(dataResponse({ message: 'gone', user: { phone: '9876543210' } }))
  const kiraya = createClient({ baseUrl: it.url, token: 'one' })
  expect((await kiraya.auth.exportMyData()).user.phone).toBe('9876543210')
  await kiraya.auth.eraseMyData('123456')
  expect([it.asked.map(({ method, path }) => `${method} ${path}`), it.asked[1]!.body, kiraya.token]).toEqual([
    ['GET /auth/me/export', 'DELETE /auth/me'],
    { otp: '123456' },
    undefined,
  ])
})

describe('Variant A', () => {
  test('is spoken where it exists, and Variant B elsewhere', async () => {
    using it = createStubServer(dataResponse({ access_token: 't', user: {} }))
    const kiraya = createClient({
      baseUrl: it.url,
      variant: 'a',
      token: createTestToken({ phone: '9876543210' }),
    })
    await kiraya.auth.sendOtp('9876543210')
    await kiraya.auth.verify('9876543210', '123456')
    await kiraya.profile.complete(details)
    await kiraya.profile.completeKyc('v')
    await kiraya.tenants.create({ phone_number: '9876543211', first_name: 'Tara' })
    await kiraya.auth.logout({ all: true })
    expect(it.asked.map(({ path, body }) => [path, body])).toEqual([
      ['/auth', { phoneNumber: '9876543210' }],
      ['/auth/verify', { phoneNumber: '9876543210', otp: '123456' }],
      ['/profile/complete', { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' }],
      ['/profile/ekyc/complete', { verificationId: 'v' }],
      ['/tenants', { phone_number: '9876543211', first_name: 'Tara' }],
      ['/auth/logout', { all: true }],
    ])
  })

  test('is understood in an answer, which the token decides', async () => {
    using it = createStubServer(() =>
      Response.json({
        user: { firstName: null, hasCompletedProfile: false },
        stats: { totalProperties: 1 },
        recentActivity: [{ entityType: 'unit' }],
      }),
    )
    for (const variant of ['a', 'b'] as const)
      expect(await createClient({ baseUrl: it.url, variant }).dashboard.get()).toEqual({
        user: { first_name: null, has_completed_profile: false },
        stats: { total_properties: 1 },
        recent_activity: [{ entity_type: 'unit' }],
      } as never)
  })
})

describe('a password', () => {
  test('becomes PBKDF2-HMAC-SHA-256, 600,000 rounds, salt kiraya: and the phone number, in hex', async () => {
    // As Python's hashlib.pbkdf2_hmac says.
    expect(await hashPassword('9876543210', 'correct horse')).toBe(
      '52cd6995cec3e599a242f72516e8fcc2d81e06323e4119c5b26fb5dee777d501',
    )
    expect(await hashPassword('9123456789', 'pässword ☂')).toBe(
      pbkdf2Sync('pässword ☂', 'kiraya:9123456789', 600_000, 32, 'sha256').toString('hex'),
    )
  })

  test('of the profile is hashed with the number that the token carries', async () => {
    using it = createStubServer(dataResponse())
    // Characters beyond ASCII, so that the token's alphabet differs from plain base64's.
    await createClient({
      baseUrl: it.url,
      token: createTestToken({ name: '>>>???ÿþ', phone: '9876543210' }),
    }).profile.complete({ ...details, password: 'correct horse' })
    expect(it.asked[0]!.body).toEqual({
      ...details,
      password: await hashPassword('9876543210', 'correct horse'),
    })
  })

  test('that is too short is refused before it is sent, and none is left alone', async () => {
    using it = createStubServer(dataResponse())
    const { profile } = createClient({ baseUrl: it.url, token: createTestToken({ phone: '9876543210' }) })
    for (const password of ['', 'seven77', 'x'.repeat(256)])
      expect(await catchError(profile.complete({ ...details, password }))).toMatchObject({
        name: 'ValidationError',
        code: 'VALIDATION_ERROR',
        violations: [{ property: 'password' }],
      })
    for (const password of [undefined, null]) await profile.complete({ ...details, password })
    expect(it.asked.map(({ body }) => body)).toEqual([details, details])
  })

  test('without a valid token is left to the server to refuse', async () => {
    using it = createStubServer(() =>
      Response.json({ success: false, error: { code: 'UNAUTHORIZED', message: 'No' } }, { status: 401 }),
    )
    for (const token of [undefined, 'nonsense', 'a.%%%.c'])
      expect(
        await catchError(
          createClient({ baseUrl: it.url, token }).profile.complete({
            ...details,
            password: 'correct horse',
          }),
        ),
      ).toMatchObject({ code: 'UNAUTHORIZED' })
  })
})

test.each([
  [undefined, 'sign-in'],
  [null, 'sign-in'],
  ['NEEDS_PROFILE_COMPLETION', 'complete-profile'],
  ['NEEDS_VERIFICATION', 'verify-identity'],
  ['LOGIN_SUCCESSFUL', 'dashboard'],
] as const)('status %s routes to %s', (status, step) => {
  expect(getNextStep(status)).toBe(step)
})

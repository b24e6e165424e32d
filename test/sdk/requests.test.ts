import { describe, expect, test } from 'bun:test'
import { createClient, getNextStep, type NextStep, type SignInStatus, type Variant } from '../../sdk'
import { createStubServer, createTestToken, dataResponse } from './stub-server'

describe('paths and queries', () => {
  const hostileIds = ['../x?y#z', '..', '.', '%2e%2e', 'a/b']
  test.each(hostileIds)('the id %p stays in its path segment', async id => {
    using server = createStubServer(dataResponse([]))
    const { units, properties } = createClient({ baseUrl: server.url })

    await units.get(id, 7)
    await properties.delete(id)

    const [get, deletion] = server.requests
    expect(get!.path).toMatch(/^\/properties\/[^/?]+\/units\/7$/)
    expect(deletion!.path).toMatch(/^\/properties\/[^/?]+$/)
  })

  test('undefined query fields are not sent', async () => {
    const metadata = { page: 2, limit: 5, total: 0, total_pages: 0 }
    using server = createStubServer(() => Response.json({ success: true, data: [], metadata }))
    const { units } = createClient({ baseUrl: server.url })

    const page = await units.list(1, { page: 2, limit: 5, is_available: false, q: undefined })

    expect(server.requests[0]!.path).toBe('/properties/1/units?page=2&limit=5&is_available=false')
    expect(page).toEqual({ data: [], metadata })
  })

  test('iterate requests each page once, from the given page on', async () => {
    const pages = [[1, 2], [3, 4], [5]]
    using server = createStubServer(request => {
      const page = Number(new URL(request.url).searchParams.get('page'))
      const metadata = { page, limit: 2, total: 5, total_pages: 3 }
      return Response.json({ success: true, data: pages[page - 1], metadata })
    })
    const { agreements, units } = createClient({ baseUrl: server.url })

    const items: unknown[] = []
    for await (const agreement of agreements.iterate({ page: 2, status: 'ACTIVE' })) items.push(agreement)
    for await (const unit of units.iterate(9)) items.push(unit)

    expect(items).toEqual([3, 4, 5, 1, 2, 3, 4, 5])
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/agreements?page=2&status=ACTIVE',
      '/agreements?page=3&status=ACTIVE',
      '/properties/9/units?page=1',
      '/properties/9/units?page=2',
      '/properties/9/units?page=3',
    ])
  })
})

describe('the token', () => {
  test('is given, changed and removed; a custom fetch sends it', async () => {
    using server = createStubServer(dataResponse())
    let fetchCount = 0
    const client = createClient({
      baseUrl: `${server.url}/`,
      token: 'one',
      fetch: (...request) => {
        fetchCount++
        return fetch(...request)
      },
    })

    await client.auth.me()
    client.token = 'two'
    await client.auth.me()
    client.token = undefined
    await client.auth.me()

    expect(fetchCount).toBe(3)
    const authorizations = server.requests.map(({ authorization }) => authorization)
    expect(authorizations).toEqual(['Bearer one', 'Bearer two', null])
  })

  test('is dropped by an erasure, which sends the one-time password', async () => {
    using server = createStubServer(dataResponse({ message: 'gone' }))
    const client = createClient({ baseUrl: server.url, token: 'one' })

    await client.auth.eraseMyData('123456')

    expect(server.requests).toMatchObject([{ method: 'DELETE', path: '/auth/me', body: { otp: '123456' } }])
    expect(client.token).toBeUndefined()
  })
})

test('an export returns the response’s data', async () => {
  using server = createStubServer(dataResponse({ user: { phone: '9876543210' } }))
  const client = createClient({ baseUrl: server.url, token: 'one' })

  const { user } = await client.auth.exportMyData()

  expect(user.phone).toBe('9876543210')
  expect(server.requests).toMatchObject([{ method: 'GET', path: '/auth/me/export' }])
})

describe('Variant A', () => {
  test('is sent where it exists, Variant B elsewhere', async () => {
    using server = createStubServer(dataResponse({ access_token: 't', user: {} }))
    const token = createTestToken({ phone: '9876543210' })
    const client = createClient({ baseUrl: server.url, variant: 'a', token })

    await client.auth.sendOtp('9876543210')
    await client.auth.verify('9876543210', '123456')
    await client.profile.complete({ first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' })
    await client.profile.completeKyc('v')
    await client.tenants.create({ phone_number: '9876543211', first_name: 'Tara' })
    await client.auth.logout({ all: true })

    expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/auth', { phoneNumber: '9876543210' }],
      ['/auth/verify', { phoneNumber: '9876543210', otp: '123456' }],
      ['/profile/complete', { firstName: 'Asha', lastName: 'Rao', email: 'asha@example.com' }],
      ['/profile/ekyc/complete', { verificationId: 'v' }],
      ['/tenants', { phone_number: '9876543211', first_name: 'Tara' }],
      ['/auth/logout', { all: true }],
    ])
  })

  // The token decides the form of the response, so a client of either variant may receive it.
  const variants: Variant[] = ['a', 'b']
  test.each(variants)('is understood in a response to a client of variant %s', async variant => {
    const plainBody = {
      user: { firstName: null, hasCompletedProfile: false },
      stats: { totalProperties: 1 },
      recentActivity: [{ entityType: 'unit' }],
    }
    using server = createStubServer(() => Response.json(plainBody))

    const dashboard: unknown = await createClient({ baseUrl: server.url, variant }).dashboard.get()

    expect(dashboard).toEqual({
      user: { first_name: null, has_completed_profile: false },
      stats: { total_properties: 1 },
      recent_activity: [{ entity_type: 'unit' }],
    })
  })
})

const nextSteps: [status: SignInStatus | null | undefined, step: NextStep][] = [
  [undefined, 'sign-in'],
  [null, 'sign-in'],
  ['NEEDS_PROFILE_COMPLETION', 'complete-profile'],
  ['NEEDS_VERIFICATION', 'verify-identity'],
  ['LOGIN_SUCCESSFUL', 'dashboard'],
]
test.each(nextSteps)('the next step after the status %s is %s', (status, step) => {
  expect(getNextStep(status)).toBe(step)
})

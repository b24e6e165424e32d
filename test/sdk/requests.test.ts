import { describe, expect, test } from 'bun:test'
import {
  createClient,
  getNextPage,
  getNextStep,
  toPhone,
  type NextStep,
  type SignInStatus,
  type Variant,
} from '../../sdk'
import { renameFields, toCamelCase, toSnakeCase } from '../../sdk/field-names'
import { hashPassword } from '../../sdk/password'
import { createSandboxClient } from '../../sdk/sandbox'
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

  test('a list is iterated from the given page on, and each page is requested once', async () => {
    const pages = [[1, 2], [3, 4], [5]]
    using server = createStubServer(request => {
      const page = Number(new URL(request.url).searchParams.get('page') ?? 1)
      const metadata = { page, limit: 2, total: 5, total_pages: 3 }
      return Response.json({ success: true, data: pages[page - 1], metadata })
    })
    const { agreements, units } = createClient({ baseUrl: server.url })

    const items: unknown[] = []
    for await (const agreement of agreements.list({ page: 2, status: 'ACTIVE' })) items.push(agreement)
    for await (const unit of units.list(9)) items.push(unit)

    expect(items).toEqual([3, 4, 5, 1, 2, 3, 4, 5])
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/agreements?page=2&status=ACTIVE',
      '/agreements?page=3&status=ACTIVE',
      '/properties/9/units',
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

test('data may be null', async () => {
  using server = createStubServer(dataResponse(null))
  const { properties } = createClient({ baseUrl: server.url })
  expect((await properties.get(1)) as unknown).toBeNull()
})

test('a mobile number is accepted as people write it', async () => {
  using server = createStubServer(dataResponse({ access_token: 't', id: 1 }))
  const { auth, tenants } = createClient({ baseUrl: server.url })

  await auth.sendOtp('+91 98765 43210')
  await auth.verify('098765-43210', '123456')
  await tenants.create({ phone_number: '(+91) 98765.43210' })
  await auth.login('+91 98765 43210', 'correct horse')
  await auth.sendOtp('12 34')

  const phones = server.requests.map(({ body }) => (body as { phone_number: string }).phone_number)
  expect(phones).toEqual([...Array(4).fill('9876543210'), '12 34'])
  const password = await hashPassword('9876543210', 'correct horse')
  expect(server.requests[3]!.body).toMatchObject({ password })
})

test.each([
  ['+91 98765 43210', '9876543210'],
  ['919876543210', '9876543210'],
  ['09876543210', '9876543210'],
  ['6000000000', '6000000000'],
  ['5999999999', undefined],
  ['98765432100', undefined],
  ['12345', undefined],
  ['', undefined],
  ['\u202a+91 98765 43210\u202c', '9876543210'],
  ['+91–98765‑43210', '9876543210'],
  ['98765−43210', '9876543210'],
  ['0091 98765 43210', '9876543210'],
  ['+91 (0) 98765 43210', '9876543210'],
  ['tel:+91-98765-43210', '9876543210'],
  ['+௯௧ ௯௮௭௬௫ ௪௩௨௧௦', '9876543210'],
  ['۹۸۷۶۵۴۳۲۱۰', '9876543210'],
  ['＋９１ ９８７６５ ４３２１０', '9876543210'],
  ['0876 543 2109', '8765432109'],
  ['+91 8765 432109', '8765432109'],
  ['080-23456789', undefined],
  ['+91 80 4123 4567', undefined],
  ['0821 २३४५६७८', undefined],
  ['0721 2662345', undefined],
  ['08192-234567', undefined],
  ['98765 43210 / 91234 56789', undefined],
])('%p is the number %p', (text, phone) => {
  expect(toPhone(text)).toBe(phone!)
})

test('the sandbox signs and approves unless another outcome is named', async () => {
  using server = createStubServer(dataResponse({}))
  const sandbox = createSandboxClient({ baseUrl: server.url })

  await sandbox.sign('s')
  await sandbox.check('c')
  await sandbox.check('c', 'fail')

  expect(server.requests.map(({ body }) => body)).toEqual([
    { outcome: 'sign' },
    { outcome: 'approve' },
    { outcome: 'fail' },
  ])
})

const page = (number: number, data: number[]) => () =>
  Response.json({ success: true, data, metadata: { page: number, limit: 2, total: 5, total_pages: 3 } })

test.each([
  [1, [1], 1],
  [2, [1, 2], 1],
  [3, [1, 2, 3], 2],
  [9, [1, 2, 3, 4, 5], 3],
])('toArray returns at most %d items, and reads no page beyond', async (limit, items, pages) => {
  using server = createStubServer(page(1, [1, 2]), page(2, [3, 4]), page(3, [5]))
  const { properties } = createClient({ baseUrl: server.url })
  expect(await properties.list().toArray({ limit })).toEqual(items as never)
  expect(server.requests).toHaveLength(pages)
})

test('a list is requested once, by the first that awaits or iterates it', async () => {
  using server = createStubServer(page(3, [5]))
  const list = createClient({ baseUrl: server.url }).properties.list()
  await expect(list.toArray({ limit: 0 })).rejects.toThrow('limit must be')
  await Bun.sleep(1)
  expect(server.requests).toEqual([])

  const items: unknown[] = []
  for await (const item of list) items.push(item)
  expect([await list, await list, (await list.withResponse()).data].map(({ data }) => data)).toEqual([
    items,
    items,
    items,
  ] as never)
  expect(server.requests).toHaveLength(1)
})

test('a page is plain data, and names the next one', async () => {
  using server = createStubServer(page(1, [1, 2]), page(3, [5]))
  const { properties } = createClient({ baseUrl: server.url })
  const first = await properties.list()
  const metadata = { page: 1, limit: 2, total: 5, total_pages: 3 }
  expect(first).toStrictEqual({ data: [1, 2] as never, metadata })
  expect(structuredClone(first)).toStrictEqual(first)
  expect([first, await properties.list()].map(getNextPage)).toEqual([2, undefined])
})

test.each([
  ['otp', 'otp'],
  ['phone_number', 'phoneNumber'],
  ['has_completed_profile', 'hasCompletedProfile'],
])('%s is %s in Variant A', (snake, camel) => {
  expect(toCamelCase(snake)).toBe(camel)
  expect(toSnakeCase(camel)).toBe(snake)
})

test('fields are renamed at every depth, and nothing else', () => {
  const value = { firstName: 'aB', items: [{ paidOn: null }, 'cD', 1], user: { isNew: true } }
  const renamed = { first_name: 'aB', items: [{ paid_on: null }, 'cD', 1], user: { is_new: true } }
  expect(renameFields(value, toSnakeCase)).toEqual(renamed)
  expect(value.firstName).toBe('aB')
})

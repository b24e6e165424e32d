import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { sendRequest, type TestUser } from '../../support/users'
import { broken, TIMESTAMP } from '../http/forms'
import { createHouse, move, raise, setStatus, type House } from './fixtures'

const HOUR_MS = 3_600_000
const time = clock(new Date('2026-12-01T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

const visitIn = (ms: number) => ({ scheduled_at: new Date(time.now().getTime() + ms).toISOString() })

const WORK: [field: string, value: unknown, cleared: unknown][] = [
  ['priority', 'urgent', 'normal'],
  ['vendor_name', 'Rao Plumbing', null],
  ['vendor_phone', '9876543210', null],
  ['scheduled_at', '2026-12-05T04:30:00.000Z', null],
  ['cost', 1500.5, null],
  ['borne_by', 'tenant', 'landlord'],
]

test('200: landlord and manager set what is done about a request, and null clears it or restores the default', async () => {
  const house = await createHouse(server)
  for (const by of [house.landlord, house.manager]) {
    const { request, path } = await raise(house, house.tenant)
    let expected = { ...request, updated_at: TIMESTAMP }
    for (const [field, value, cleared] of WORK)
      for (const [given, stored] of [
        [value, value],
        [null, cleared],
      ]) {
        expected = { ...expected, [field]: stored }
        const { status, body } = await by.patch(path, { [field]: given })
        const message = 'The maintenance request was changed'
        expect([status, body]).toEqual([200, { success: true, message, data: expected }])
        expect((await house.tenant.get(path)).data).toEqual(expected)
      }
    expect((await by.patch(path)).data).toEqual(expected)
  }
})

test('200: the landlord’s side changes a request in every state', async () => {
  const house = await createHouse(server)
  const { request, path } = await raise(house, house.tenant)
  for (const status of ['acknowledged', 'on_hold', 'resolved', 'closed', 'cancelled'] as const) {
    await setStatus(server, request.id, status, null)
    expect((await house.manager.patch(path, { vendor_name: status })).data.vendor_name).toBe(status)
  }
})

test('200: who raised a request rewrites it; null clears its description', async () => {
  const house = await createHouse(server)
  for (const raiser of [house.tenant, house.landlord, house.manager]) {
    const { path } = await raise(house, raiser, { description: 'Since Monday' })
    const change = { title: 'The kitchen tap drips', description: 'Since Sunday' }
    expect((await raiser.patch(path, change)).data).toMatchObject(change)
    expect((await raiser.patch(path, { description: null })).data).toMatchObject({
      title: change.title,
      description: null,
    })
  }
})

test.each(['acknowledged', 'in_progress', 'on_hold', 'resolved', 'closed', 'cancelled'] as const)(
  '403: a request that is %s keeps its title and description',
  async status => {
    const house = await createHouse(server)
    const { request, path } = await raise(house, house.tenant)
    await setStatus(server, request.id, status, null)
    for (const change of [{ title: 'x' }, { description: null }]) {
      const { status: refused, error } = await house.tenant.patch(path, change)
      expect([refused, error.reason]).toEqual([403, 'request_wrong_status'])
    }
    expect((await house.tenant.get(path)).data).toMatchObject({ title: request.title, status })
  },
)

const refusals: Record<
  string,
  (house: House) => [raiser: TestUser, by: TestUser, change: object, reason: string]
> = {
  'the landlord rewrites no request of a tenant': ({ tenant, landlord }) => [
    tenant,
    landlord,
    { title: 'x' },
    'not_request_raiser',
  ],
  'a manager rewrites no request of the landlord': ({ landlord, manager }) => [
    landlord,
    manager,
    { description: 'x' },
    'not_request_raiser',
  ],
  'a tenant rewrites no request of a co-tenant': ({ tenant, coTenant }) => [
    coTenant,
    tenant,
    { title: 'x' },
    'not_request_raiser',
  ],
  'a tenant rewrites no request of the landlord': ({ tenant, landlord }) => [
    landlord,
    tenant,
    { title: 'x' },
    'not_request_raiser',
  ],
  'a change with one field of the other side changes none': ({ tenant }) => [
    tenant,
    tenant,
    { title: 'x', cost: 1 },
    'not_unit_side',
  ],
}
test.each(Object.entries(refusals))('403: %s', async (_, toCase) => {
  const house = await createHouse(server)
  const [raiser, by, change, expected] = toCase(house)
  const { request, path } = await raise(house, raiser)
  const { status, error } = await by.patch(path, change)
  expect([status, error.reason]).toEqual([403, expected])
  expect((await raiser.get(path)).data).toEqual(request)
})

test.each(WORK)('403: a tenant does not set %s, nor clear it', async (field, value) => {
  const house = await createHouse(server)
  const { request, path } = await raise(house, house.tenant)
  for (const given of [value, null]) {
    const { status, error } = await house.tenant.patch(path, { [field]: given })
    expect([status, error.reason]).toEqual([403, 'not_unit_side'])
  }
  expect((await house.tenant.get(path)).data).toEqual(request)
})

test('400: values that are none of their field change nothing', async () => {
  const house = await createHouse(server)
  const { landlord } = house
  const { request, path } = await raise(house, landlord)
  const values: [field: string, values: unknown[]][] = [
    ['title', [null, '', 'x'.repeat(201)]],
    ['description', ['x'.repeat(2001)]],
    ['priority', ['critical']],
    ['vendor_name', ['', 'x'.repeat(256)]],
    ['vendor_phone', ['5876543210', '98765', '98765432101', '+919876543210', 'x']],
    ['scheduled_at', ['2026-12-05', '2026-12-05T10:00:00', 'tomorrow', '2026-02-30T10:00:00Z']],
    ['cost', [-0.01, 0.001, '5', 1e12]],
    ['borne_by', ['insurance']],
  ]
  for (const [field, refused] of values)
    for (const value of refused) {
      const { status, body } = await landlord.patch(path, { vendor_name: 'changed', [field]: value })
      expect([field, value, status, body]).toEqual([field, value, 400, broken(field)])
    }
  expect((await landlord.get(path)).data).toEqual(request)
})

test.each([
  ['0', 0],
  ['two decimals', 0.01],
  ['an amount of millions', 9_999_999.99],
])('200: the cost may be %s', async (_, cost) => {
  const house = await createHouse(server)
  const { path } = await raise(house, house.tenant)
  expect((await house.landlord.patch(path, { cost })).data.cost).toBe(cost)
})

test.each([
  ['now', 0, 'warns'],
  ['in 24 hours less a millisecond', 24 * HOUR_MS - 1, 'warns'],
  ['in 24 hours', 24 * HOUR_MS, 'does not warn'],
  ['past', -1, 'does not warn'],
])('200: a visit that is %s (%d ms) %s of a short notice', async (_, ms, warns) => {
  const house = await createHouse(server)
  const { path } = await raise(house, house.tenant)
  const { status, body } = await house.landlord.patch(path, visitIn(ms))
  expect([status, body.warnings?.map(({ code }: { code: string }) => code)]).toEqual([
    200,
    warns === 'warns' ? ['visit_notice_short'] : undefined,
  ])
  const others = [
    await house.landlord.patch(path, { cost: 1 }),
    await house.landlord.patch(path, { scheduled_at: null }),
  ]
  for (const { body: later } of others) expect(later.warnings).toBeUndefined()
})

test('200: the warning of a short notice is in Hindi for who asks in Hindi', async () => {
  const house = await createHouse(server)
  const { path } = await raise(house, house.tenant)
  const { body } = await sendRequest(server, 'PATCH', path, {
    token: house.manager.token,
    body: visitIn(HOUR_MS),
    headers: { 'accept-language': 'hi' },
  })
  expect(body.warnings).toMatchObject([
    { code: 'visit_notice_short', message: expect.stringMatching(/^मुलाकात 24 घंटे से कम समय में है/) },
  ])
})

test('404: a change by a stranger, or of a request that does not exist', async () => {
  const house = await createHouse(server)
  const other = await createHouse(server)
  const { path } = await raise(house, house.tenant)
  for (const answer of [
    await other.landlord.patch(path, { priority: 'low' }),
    await other.tenant.patch(path, { title: 'x' }),
    await house.landlord.patch('/maintenance-requests/999999999', { priority: 'low' }),
    await move(other.landlord, path, 'acknowledged'),
  ])
    expect(answer.error.reason).toBe('request_not_found')
})

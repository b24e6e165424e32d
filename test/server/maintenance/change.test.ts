import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { TIMESTAMP } from '../http/forms'
import { createHouse, raise, setStatus } from './fixtures'

const HOUR_MS = 3_600_000
const time = clock(new Date('2026-12-01T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

const visitIn = (ms: number) => ({ scheduled_at: new Date(time.now().getTime() + ms).toISOString() })

const WORK: [field: string, value: unknown, cleared: unknown][] = [
  ['priority', 'urgent', 'normal'],
  ['vendor_name', 'Rao Plumbing', null],
  ['vendor_phone', '9876543210', null],
  ['scheduled_at', '2026-12-05T04:30:00.000Z', null],
  ['cost', 0, null],
  ['cost', 9_999_999.99, null],
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

test('200: the raiser of a request rewrites it; null clears its description', async () => {
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
      expect([refused, error.reason]).toEqual([403, 'maintenance_request_wrong_status'])
    }
    expect((await house.tenant.get(path)).data).toMatchObject({ title: request.title, status })
  },
)

test.each([
  ['landlord', 'tenant'],
  ['manager', 'landlord'],
  ['tenant', 'coTenant'],
  ['tenant', 'landlord'],
] as const)('403: the %s rewrites no request of the %s', async (writer, raiser) => {
  const house = await createHouse(server)
  const { request, path } = await raise(house, house[raiser])
  const { status, error } = await house[writer].patch(path, { title: 'x' })
  expect([status, error.reason]).toEqual([403, 'not_request_raiser'])
  expect((await house.landlord.get(path)).data).toEqual(request)
})

test('403: a change with a field of the other side changes nothing of the own', async () => {
  const house = await createHouse(server)
  const { request, path } = await raise(house, house.tenant)
  expect((await house.tenant.patch(path, { title: 'x', cost: 1 })).error.reason).toBe('not_unit_side')
  expect((await house.landlord.patch(path, { title: 'x', cost: 1 })).error.reason).toBe('not_request_raiser')
  expect((await house.tenant.get(path)).data).toEqual(request)
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

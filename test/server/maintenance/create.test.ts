import { expect, test } from 'bun:test'
import { booksServer } from '../../support/books/lease-fixture'
import {
  createActiveAgreement,
  createLandlord,
  createPendingAgreement,
  createTenant,
  createUnit,
  type TestUser,
} from '../../support/users'
import { TIMESTAMP, UUID } from '../http/forms'
import { createHouse, createNextLease, raise, REQUESTS, toRequest } from './fixtures'

const server = booksServer()

test.each(['landlord', 'manager', 'tenant', 'coTenant'] as const)(
  '201: the %s raises a request, open and under the lease of the unit',
  async who => {
    const house = await createHouse(server)
    const raiser = house[who]
    const { status, data } = await raiser.post(REQUESTS, toRequest(house))
    expect([status, data]).toEqual([
      201,
      {
        id: expect.any(Number),
        request_id: UUID,
        property_unit_id: house.unit.id,
        agreement_id: house.agreement.id,
        raised_by_id: raiser.id,
        category: 'plumbing',
        title: 'The tap leaks',
        priority: 'normal',
        description: null,
        status: 'open',
        vendor_name: null,
        vendor_phone: null,
        scheduled_at: null,
        cost: null,
        borne_by: 'landlord',
        charge_id: null,
        resolved_at: null,
        created_at: TIMESTAMP,
        updated_at: TIMESTAMP,
        attachments: [],
        entries: [{ status: 'open', actor_id: raiser.id, comment: null, occurred_at: TIMESTAMP }],
      },
    ])
    for (const reader of [house.landlord, house.manager, ...house.tenants])
      expect((await reader.get(`${REQUESTS}/${data.request_id}`)).data).toEqual(data)
  },
)

test('201: a unit without a lease, or whose lease has ended, has requests without an agreement', async () => {
  const landlord = await createLandlord(server)
  const { unit } = await createUnit(landlord)
  const house = await createHouse(server, { agreement_start_date: '2026-11-01' })
  await house.landlord.post(`${house.path}/terminate`, {})
  const raised = [
    await landlord.post(REQUESTS, toRequest({ unit })),
    await house.manager.post(REQUESTS, toRequest(house)),
  ]
  for (const { status, data } of raised) expect([status, data.agreement_id]).toEqual([201, null])
})

test.each<[field: string, values: unknown[]]>([
  ['title', ['x', 'य'.repeat(200)]],
  ['description', ['x', 'one\ntwo', 'य'.repeat(2000)]],
])('201: %s may have any length that the contract allows', async (field, values) => {
  const house = await createHouse(server)
  for (const value of values) {
    const { status, data } = await house.tenant.post(REQUESTS, toRequest(house, { [field]: value }))
    expect([status, data[field]]).toEqual([201, value])
  }
})

test('201: null counts as a missing field', async () => {
  const house = await createHouse(server)
  const { request } = await raise(house, house.tenant, { priority: null, description: null })
  expect(request).toMatchObject({ priority: 'normal', description: null })
})

test('404: tenants of other units, and of a lease that is PENDING or has ended, raise no request', async () => {
  const landlord = await createLandlord(server)
  const [asked, other] = [await createTenant(server), await createTenant(server)]
  const pending = await createPendingAgreement(landlord, [asked])
  await createActiveAgreement(landlord, [other])
  const ended = await createHouse(server, { agreement_start_date: '2026-11-01' })
  await ended.landlord.post(`${ended.path}/terminate`, {})
  for (const [by, house] of [
    [asked, pending],
    [other, pending],
    [ended.tenant, ended],
  ] as const) {
    const { status, error } = await by.post(REQUESTS, toRequest(house))
    expect([status, error.reason]).toEqual([404, 'unit_not_found'])
  }
  expect((await landlord.get(REQUESTS)).data).toEqual([])
})

test('201: before the next lease begins, its tenant raises requests under it, and the landlord under that of today', async () => {
  const house = await createHouse(server, { agreement_start_date: '2026-11-15', tenure_in_months: 11 })
  const nextTenant = await createTenant(server)
  const next = await createNextLease(house, nextTenant, '2027-10-15')
  const raiseAs = async (by: TestUser) => (await by.post(REQUESTS, toRequest(house))).data.agreement_id

  for (const now of [house.landlord, house.manager, house.tenant, house.coTenant])
    expect(await raiseAs(now)).toBe(house.agreement.id)
  expect(await raiseAs(nextTenant)).toBe(next.id)

  server.setDay('2027-10-15')
  expect(await raiseAs(await house.asLandlord())).toBe(next.id)
})

import { expect, test } from 'bun:test'
import { booksServer } from '../../support/books/lease-fixture'
import { PDF } from '../../support/maintenance-fixture'
import { createTenant, type TestUser } from '../../support/users'
import { attach, createHouse, createNextLease, move, raise } from './fixtures'

const server = booksServer('2026-12-01')

/** The writes of a tenant, of which none is the landlord's side's alone. */
const listWrites = (by: TestUser, path: string) => [
  by.patch(path, { title: 'x' }),
  move(by, path, 'cancelled'),
  by.post(`${path}/comments`, { text: 'x' }),
  attach(by, path, PDF),
]

/** A request of a tenant whose lease was terminated. */
async function createEnded() {
  const house = await createHouse(server, { agreement_start_date: '2026-11-01' })
  const raised = await raise(house, house.tenant)
  await house.landlord.post(`${house.path}/terminate`, {})
  return { ...house, ...raised }
}

test('403: a former tenant changes nothing of the own requests', async () => {
  const { request, path, tenant, coTenant } = await createEnded()
  for (const former of [tenant, coTenant])
    for (const { status, error } of await Promise.all(listWrites(former, path)))
      expect([status, error.reason]).toEqual([403, 'lease_ended'])
  expect((await tenant.get(path)).data).toEqual(request)
  expect((await tenant.get(`${path}/comments`)).data).toEqual([])
})

test.each([
  ['resolved', 'closed'],
  ['resolved', 'in_progress'],
] as const)('403: a former tenant does not move a request that is %s to %s', async (from, to) => {
  const { path, landlord, tenant } = await createEnded()
  expect((await move(landlord, path, from)).status).toBe(200)
  expect((await move(tenant, path, to)).error.reason).toBe('lease_ended')
})

test('403: a former tenant changes nothing while the next one rents the unit, who sees nothing of it', async () => {
  const ended = await createEnded()
  const next = await createTenant(server)
  await createNextLease(ended, next, '2027-01-01')
  for (const { error } of await Promise.all(listWrites(ended.tenant, ended.path)))
    expect(error.reason).toBe('lease_ended')
  for (const { error } of await Promise.all(listWrites(next, ended.path)))
    expect(error.reason).toBe('maintenance_request_not_found')
})

test('200: a tenant who rents the unit again goes on with the requests of the earlier lease', async () => {
  const ended = await createEnded()
  await createNextLease(ended, ended.tenant, '2027-01-01')
  const { data } = await move(ended.tenant, ended.path, 'cancelled')
  expect(data).toMatchObject({ status: 'cancelled', agreement_id: ended.agreement.id })
})

test('200: the landlord’s side goes on with a request after the lease', async () => {
  const { path, landlord, manager } = await createEnded()
  expect((await manager.patch(path, { vendor_name: 'Rao' })).status).toBe(200)
  expect((await move(landlord, path, 'resolved')).data.status).toBe('resolved')
})

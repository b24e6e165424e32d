import { expect, test } from 'bun:test'
import { booksServer } from '../../support/books/lease-fixture'
import { createManager, createTenant, type TestUser } from '../../support/users'
import { createHouse, createNextLease, move, raise, REQUESTS } from './fixtures'

const server = booksServer('2026-11-20')

const listIds = async (reader: TestUser, query = '') =>
  (await reader.get(`${REQUESTS}?${query}`)).data.map(({ id }: { id: number }) => id)

test('200: the requests of a list are those that its filters name, newest first', async () => {
  const house = await createHouse(server)
  const { landlord, tenant, unit, agreement } = house
  const other = await createHouse(server)
  const tap = await raise(house, tenant)
  const light = await raise(house, landlord, {
    category: 'electrical',
    priority: 'urgent',
    title: 'A 50% dim lamp',
  })
  const wall = await raise(house, tenant, { category: 'painting', priority: 'low', title: 'Damp_wall' })
  await move(landlord, light.path, 'acknowledged')
  await move(landlord, wall.path, 'resolved')
  const [first, second, third] = [tap, light, wall].map(({ request }) => request.id)

  const expected: [query: string, ids: number[]][] = [
    ['', [third, second, first]],
    ['sort=id', [first, second, third]],
    ['sort=-created_at', [third, second, first]],
    ['sort=resolved_at&limit=1', [third]],
    ['limit=2', [third, second]],
    ['limit=2&page=2', [first]],
    ['status=open', [first]],
    ['status=acknowledged', [second]],
    ['open=true', [second, first]],
    ['open=false', [third]],
    ['category=electrical', [second]],
    ['priority=low', [third]],
    ['priority=low&open=true', []],
    ['q=TAP', [first]],
    ['q=50%25', [second]],
    ['q=p_w', [third]],
    [`property_unit_id=${unit.id}&agreement_id=${agreement.id}`, [third, second, first]],
    [`property_unit_id=${other.unit.id}`, []],
    [`agreement_id=${other.agreement.id}`, []],
  ]
  for (const reader of [landlord, house.manager, tenant, house.coTenant])
    for (const [query, ids] of expected) expect([query, await listIds(reader, query)]).toEqual([query, ids])
  const { metadata } = (await landlord.get(`${REQUESTS}?limit=2`)).body
  expect(metadata).toMatchObject({ page: 1, limit: 2, total: 3 })
})

test('200: a list has the fields of a request, without its files and history', async () => {
  const house = await createHouse(server)
  const { request } = await raise(house, house.tenant)
  const { data } = await house.manager.get(REQUESTS)
  expect(data.map((listed: object) => ({ ...listed, attachments: [], entries: request.entries }))).toEqual([
    request,
  ])
  expect(Object.keys(data[0])).not.toContain('entries')
})

test('200: each side lists its own: the landlord those of all units, a manager those of the units managed', async () => {
  const house = await createHouse(server)
  const { landlord } = house
  const [elsewhere, stranger] = [await createManager(server), await createTenant(server)]
  const { data: other } = await landlord.post(`/properties/${house.property.id}/units`, {
    unit_name: 'B',
    managed_by_id: elsewhere.id,
  })
  const [own, far] = [await raise(house, house.tenant), await raise({ unit: other }, landlord)]
  expect(await listIds(landlord)).toEqual([far.request.id, own.request.id])
  expect(await listIds(house.manager)).toEqual([own.request.id])
  expect(await listIds(house.coTenant)).toEqual([own.request.id])
  expect(await listIds(elsewhere)).toEqual([far.request.id])
  expect(await listIds(stranger)).toEqual([])

  for (const reader of [elsewhere, stranger])
    expect((await reader.get(own.path)).error.reason).toBe('maintenance_request_not_found')
  expect((await house.tenant.get(far.path)).error.reason).toBe('maintenance_request_not_found')
})

test('404: a former manager sees no request, and the new one sees all', async () => {
  const { landlord, manager, unitPath, ...house } = await createHouse(server)
  const { request, path } = await raise(house, house.tenant)
  const successor = await createManager(server)
  await landlord.patch(unitPath, { managed_by_id: successor.id })
  expect((await manager.get(path)).status).toBe(404)
  expect(await listIds(manager)).toEqual([])
  expect(await listIds(successor)).toEqual([request.id])
})

test('a former tenant reads what was raised during the own lease, not what the next tenant or the landlord raised later', async () => {
  const house = await createHouse(server, { agreement_start_date: '2026-11-01' })
  const { landlord, tenant } = house
  const own = await raise(house, tenant)
  await landlord.post(`${house.path}/terminate`, {})
  const between = await raise(house, landlord)
  const nextTenant = await createTenant(server)
  await createNextLease(house, nextTenant, '2027-01-01')
  const later = await raise(house, nextTenant)

  expect(await listIds(tenant)).toEqual([own.request.id])
  expect((await tenant.get(own.path)).status).toBe(200)
  for (const { path } of [between, later]) expect((await tenant.get(path)).status).toBe(404)
  expect(await listIds(nextTenant)).toEqual([later.request.id])
  for (const { path } of [own, between]) expect((await nextTenant.get(path)).status).toBe(404)
  expect(await listIds(landlord)).toEqual([later, between, own].map(({ request }) => request.id))
})

test('the requests of a deleted unit are gone for its landlord and manager, and stay for its former tenants', async () => {
  const house = await createHouse(server, { agreement_start_date: '2026-11-01' })
  const { landlord, manager, tenant, unitPath } = house
  const { request, path } = await raise(house, tenant)
  await landlord.post(`${house.path}/terminate`, {})
  expect((await landlord.delete(unitPath)).status).toBe(200)
  for (const reader of [landlord, manager]) {
    expect(await listIds(reader)).toEqual([])
    for (const answer of [
      await reader.get(path),
      await reader.patch(path, { priority: 'low' }),
      await move(reader, path, 'resolved'),
    ])
      expect(answer.error.reason).toBe('maintenance_request_not_found')
  }
  expect(await listIds(tenant)).toEqual([request.id])
})

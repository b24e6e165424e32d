import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { storeVerifiedProfile } from '../../support/sign-ins'
import { requireSuccess, type TestUser } from '../../support/users'
import { createHouse, move, raise } from './fixtures'

const server = testServer()

/** A house whose people all have a dashboard. */
async function createVerifiedHouse() {
  const house = await createHouse(server)
  for (const { id } of [house.manager, ...house.tenants]) await storeVerifiedProfile(server.deps, id)
  return house
}

/** What the dashboard of a user says of maintenance requests, newest first. */
async function listNews(user: TestUser) {
  const { data } = requireSuccess(await user.get('/dashboard'), 'Loading the dashboard')
  return data.recent_activity
    .filter(({ entity_type }: any) => entity_type === 'maintenance_request')
    .map(({ type, message, entity_id, actor_id }: any) => [type, message, entity_id, actor_id])
}

test('what a tenant does with a request is on the dashboards of landlord and manager, not on those of the tenants', async () => {
  const house = await createVerifiedHouse()
  const { landlord, manager, tenant, coTenant } = house
  const { request, path } = await raise(house, tenant)
  await move(tenant, path, 'cancelled')
  for (const reader of [landlord, manager])
    expect(await listNews(reader)).toEqual([
      [
        'maintenance_cancelled',
        'A maintenance request for the unit A-101 was cancelled',
        request.id,
        tenant.id,
      ],
      ['maintenance_open', 'A maintenance request for the unit A-101 was raised', request.id, tenant.id],
    ])
  for (const reader of [tenant, coTenant]) expect(await listNews(reader)).toEqual([])
})

test('each move of the landlord’s side is on the dashboards of all tenants, not on those of landlord and manager', async () => {
  const house = await createVerifiedHouse()
  const { landlord, manager, tenants } = house
  const { request, path } = await raise(house, landlord)
  const moves: [by: TestUser, to: Parameters<typeof move>[2], said: string][] = [
    [manager, 'acknowledged', 'was acknowledged'],
    [landlord, 'in_progress', 'is in progress'],
    [manager, 'on_hold', 'is on hold'],
    [landlord, 'resolved', 'was resolved'],
    [landlord, 'closed', 'was closed'],
  ]
  for (const [by, to] of moves) expect((await move(by, path, to)).status).toBe(200)
  const expected = [[landlord, 'open', 'was raised'] as const, ...moves].map(([by, to, said]) => [
    `maintenance_${to}`,
    `A maintenance request for the unit A-101 ${said}`,
    request.id,
    by.id,
  ])
  for (const reader of tenants) expect(await listNews(reader)).toEqual(expected.toReversed())
  for (const reader of [landlord, manager]) expect(await listNews(reader)).toEqual([])
})

test('a name of a unit that could be an address is not on dashboards', async () => {
  const house = await createVerifiedHouse()
  await house.landlord.patch(house.unitPath, { unit_name: 'Pay at evil.com' })
  await raise(house, house.tenant)
  expect((await listNews(house.manager))[0][1]).toBe('A maintenance request for a unit was raised')
})

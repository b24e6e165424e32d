import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import type { TestUser } from '../../support/users'
import { TIMESTAMP, UUID } from '../http/forms'
import { createHouse, raise, setStatus } from './fixtures'

const server = testServer()

const comment = (by: TestUser, path: string, text: string, is_internal?: boolean) =>
  by.post(`${path}/comments`, { text, is_internal })

const listTexts = async (reader: TestUser, path: string, query = '') =>
  (await reader.get(`${path}/comments?${query}`)).data.map(({ text }: { text: string }) => text)

test('201: landlord, manager and tenants comment, and read what the others said, oldest first', async () => {
  const house = await createHouse(server)
  const { landlord, manager, tenant, coTenant } = house
  const { request, path } = await raise(house, tenant)
  const people = [landlord, manager, tenant, coTenant]
  for (const by of people) {
    const { status, body } = await comment(by, path, `From ${by.id}`)
    const data = {
      id: expect.any(Number),
      comment_id: UUID,
      text: `From ${by.id}`,
      is_internal: false,
      created_by_id: by.id,
      created_at: TIMESTAMP,
    }
    expect([status, body]).toEqual([201, { success: true, data }])
  }
  for (const reader of people)
    expect(await listTexts(reader, path)).toEqual(people.map(({ id }) => `From ${id}`))
  expect((await tenant.get(path)).data.entries).toEqual(request.entries)
})

test('internal comments are written and seen by the landlord’s side alone', async () => {
  const house = await createHouse(server)
  const { landlord, manager, tenant, coTenant } = house
  const { path } = await raise(house, tenant)
  for (const by of [landlord, manager]) {
    const { status, data } = await comment(by, path, 'A poor job last year', true)
    expect([status, data.is_internal]).toEqual([201, true])
  }
  await comment(manager, path, 'We come on Friday', false)

  for (const by of [tenant, coTenant]) {
    const refused = await comment(by, path, 'Between us', true)
    expect([refused.status, refused.error.reason]).toEqual([403, 'not_unit_side'])
    const { data, body } = await by.get(`${path}/comments`)
    expect(data).toMatchObject([{ text: 'We come on Friday' }])
    expect(body.metadata.total).toBe(1)
  }
  const all = ['A poor job last year', 'A poor job last year', 'We come on Friday']
  for (const by of [landlord, manager]) expect(await listTexts(by, path)).toEqual(all)
})

test('200: comments come in pages, in either order', async () => {
  const house = await createHouse(server)
  const { path } = await raise(house, house.tenant)
  for (const text of ['1', '2', '3']) await comment(house.tenant, path, text)
  expect(await listTexts(house.landlord, path, 'limit=2')).toEqual(['1', '2'])
  expect(await listTexts(house.landlord, path, 'limit=2&page=2')).toEqual(['3'])
  expect(await listTexts(house.tenant, path, 'sort=-created_at&limit=1')).toEqual(['3'])
  const { body } = await house.tenant.get(`${path}/comments?limit=2`)
  expect(body.metadata).toMatchObject({ page: 1, limit: 2, total: 3 })
})

test.each(['resolved', 'closed', 'cancelled'] as const)(
  '201: a request that is %s gets comments',
  async status => {
    const house = await createHouse(server)
    const { request, path } = await raise(house, house.tenant)
    await setStatus(server, request.id, status, null)
    for (const by of [house.tenant, house.manager])
      expect((await comment(by, path, 'Thanks')).status).toBe(201)
    expect((await house.tenant.get(path)).data.status).toBe(status)
  },
)

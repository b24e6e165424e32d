import { expect, test } from 'bun:test'
import { addNames, loadUnitNames } from '../../cli/labels'
import { createClient, type Agreement } from '../../sdk'
import { createStubServer } from '../sdk/stub-server'

const page = (data: object[]) =>
  Response.json({ success: true, data, metadata: { page: 1, limit: 100, total: 0, total_pages: 1 } })

/** A landlord with many properties, each with one unit of ten times its id; no one else is known. */
const createServer = () =>
  createStubServer((_, { path }) => {
    const [, property] = /^\/properties\/(\d+)\/units/.exec(path) ?? []
    if (property) return page([{ id: 10 * Number(property), unit_name: 'A-1' }])
    if (path.startsWith('/tenants')) return Response.json({ success: false }, { status: 400 })
    return page(
      Array.from({ length: 30 }, (_item, index) => ({ id: index + 1, alias_name: `House ${index + 1}` })),
    )
  })
const countUnitLists = ({ requests }: ReturnType<typeof createServer>) =>
  requests.filter(({ path }) => path.includes('/units')).length

test('the names of all units are those of the first twenty properties', async () => {
  using server = createServer()
  const names = await loadUnitNames(createClient({ baseUrl: server.url }))
  expect(names).toHaveLength(20)
  expect(names.at(-1)).toEqual({ id: 200, label: 'House 20/A-1' })
})

test.each([
  [[30], 5],
  [[60], 10],
  [[30, 999], 20],
])('the names of the units %j need the units of %d properties', async (ids, count) => {
  using server = createServer()
  await loadUnitNames(createClient({ baseUrl: server.url }), new Set(ids))
  expect(countUnitLists(server)).toBe(count)
})

test('an id without a name stays, and so do all if names cannot be read', async () => {
  using server = createServer()
  const agreements = [{ id: 1, property_unit_id: 20, tenant_ids: [7, 8] }] as Agreement[]
  const client = createClient({ baseUrl: server.url })
  expect(await addNames(client, agreements)).toMatchObject([{ unit: 'House 2/A-1', tenants: '7, 8' }])
  expect(await addNames(client, [])).toEqual([])
})

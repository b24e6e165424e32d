import { expect, test } from 'bun:test'
import type { Kiraya, NewUnit } from '../../sdk'
import { completeProperty, type PlannedProperty } from '../../cli/property-records'

const notFound = Object.assign(new Error('Not found'), { code: 'NOT_FOUND' })
const unavailable = Object.assign(new Error('Later'), { code: 'SERVICE_UNAVAILABLE' })
const named = (...names: string[]): NewUnit[] => names.map(unit_name => ({ unit_name }))
const plan = (...names: string[]) =>
  ({ pin_code: 560048, property_type: 'pg', property_units: named(...names) }) as PlannedProperty

type Find = (id: number) => unknown
const exists: Find = () => ({})

/** A client that gives records numbers in turn, and keeps what it was asked to create. */
function stubClient({ existing = [] as string[], find = exists } = {}) {
  const created: { name: string; key: string }[] = []
  const get = async (id: number) => find(id)
  const create = async (name: string, key: string) => {
    created.push({ name, key })
    if (created.length > 200) throw new Error('Created without end')
    return created.length
  }
  const client = {
    properties: {
      create: async ({ property_units }: PlannedProperty, { idempotencyKey }: { idempotencyKey: string }) => {
        const id = await create(property_units.map(({ unit_name }) => unit_name).join(), idempotencyKey)
        return { id, property_units }
      },
      get: async (id: number) => {
        const found = await get(id)
        return { ...Object(found), id, property_units: named(...existing) }
      },
    },
    units: {
      create: async (_: number, unit: NewUnit, { idempotencyKey }: { idempotencyKey: string }) => ({
        ...unit,
        id: await create(unit.unit_name, idempotencyKey),
      }),
      get: async (_: number, id: number) => ({
        ...Object(await get(id)),
        id,
        unit_name: created[id - 1]!.name,
      }),
    },
  }
  return { created, client: client as unknown as Kiraya }
}

const complete = async (stub: ReturnType<typeof stubClient>, planned: PlannedProperty, id?: number) => {
  await completeProperty({ client: stub.client, key: ['test'], id }, planned)
  return stub.created.map(({ name }) => name)
}

test.each([
  [['A', 'B'], ['A'], ['B']],
  [['A', 'A'], ['A'], ['A']],
  [['A', 'A'], ['A', 'A'], []],
  [['A'], ['A', 'A', 'B'], []],
  [['A', 'A', 'A'], ['A'], ['A', 'A']],
])('of the units %j a property with %j lacks %j', async (planned, existing, missing) => {
  expect(await complete(stubClient({ existing }), plan(...planned), 7)).toEqual(missing)
})

test('units of one name have keys of their own', async () => {
  const stub = stubClient()
  await complete(stub, plan('A', 'A'), 7)
  const [first, second] = stub.created
  expect(second!.key).not.toBe(first!.key)
})

test('equal units of two properties have keys of their own', async () => {
  const stub = stubClient()
  await complete(stub, plan('A'), 7)
  await complete(stub, plan('A'), 8)
  const [first, second] = stub.created
  expect(second!.key).not.toBe(first!.key)
})

test('a completed property has the units that were there and those that were created', async () => {
  const { client } = stubClient({ existing: ['A'] })
  const { property_units } = await completeProperty({ client, key: ['test'], id: 7 }, plan('A', 'B'))
  expect(property_units.map(({ unit_name }) => unit_name)).toEqual(['A', 'B'])
})

test('a record that was deleted since its key was used is created with another key', async () => {
  const stub = stubClient({ find: id => (id === 1 ? Promise.reject(notFound) : {}) })
  await completeProperty({ client: stub.client, key: ['test'] }, plan())
  expect(stub.created.map(({ key }) => key)).toHaveLength(2)
  expect(new Set(stub.created.map(({ key }) => key)).size).toBe(2)
})

test('a record that cannot be read is not created again', async () => {
  const stub = stubClient({ find: () => Promise.reject(unavailable) })
  await expect(completeProperty({ client: stub.client, key: ['test'] }, plan())).rejects.toBe(unavailable)
  expect(stub.created).toHaveLength(1)
})

test('a property is created with 100 units at most, and the others one by one', async () => {
  const names = Array.from({ length: 102 }, (_, index) => `U${index}`)
  const created = await complete(stubClient({ existing: names.slice(0, 100) }), plan(...names))
  expect(created.map(name => name.split(',').length)).toEqual([100, 1, 1])
})

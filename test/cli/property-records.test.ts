import { expect, test } from 'bun:test'
import { completeProperty, type PlannedProperty } from '../../cli/sheets/property-records'
import type { Kiraya, NewUnit, PropertyWithUnits } from '../../sdk'
import { catchError } from '../sdk/stub-server'

const notFound = Object.assign(new Error('Not found'), { code: 'NOT_FOUND' })
const unavailable = Object.assign(new Error('Later'), { code: 'SERVICE_UNAVAILABLE' })
const named = (names: string[]): NewUnit[] => names.map(unit_name => ({ unit_name }))
type Options = { idempotencyKey: string }

/** Completes a property of these units at a server that gives records numbers in turn; returns what it made. */
async function complete(
  names: string[],
  {
    existing = [] as string[],
    id = undefined as number | undefined,
    find = (_: number): unknown => ({}),
  } = {},
) {
  const created: { name: string; key: string }[] = []
  const create = (name: string, { idempotencyKey: key }: Options) => {
    created.push({ name, key })
    if (created.length > 200) throw new Error('Created without end')
    return created.length
  }
  const properties = {
    create: async ({ property_units }: PlannedProperty, options: Options) => {
      const names = property_units.map(({ unit_name }) => unit_name)
      return { id: create(names.join(), options), property_units }
    },
    get: async (id: number) => ({ ...Object(await find(id)), id, property_units: named(existing) }),
  }
  const units = {
    create: async (_: number, unit: NewUnit, options: Options) => ({
      ...unit,
      id: create(unit.unit_name, options),
    }),
    get: async (_: number, id: number) => ({
      ...Object(await find(id)),
      id,
      unit_name: created[id - 1]!.name,
    }),
  }
  const client = { properties, units } as unknown as Kiraya
  const plan = { pin_code: 560048, property_type: 'pg', property_units: named(names) } as PlannedProperty
  let property: PropertyWithUnits | undefined
  const work = completeProperty({ client, key: ['test'], id }, plan).then(done => void (property = done))
  const error = await catchError(work)
  return { property, error, names: created.map(({ name }) => name), keys: created.map(({ key }) => key) }
}

test.each([
  [['A', 'B'], ['A'], ['B']],
  [['A', 'A'], ['A'], ['A']],
  [['A', 'A'], ['A', 'A'], []],
  [['A'], ['A', 'A', 'B'], []],
  [['A', 'A', 'A'], ['A'], ['A', 'A']],
  [['\u0b5c'], ['\u0b21\u0b3c'], []],
])('of the units %j a property with %j lacks %j', async (planned, existing, missing) => {
  const { names, property } = await complete(planned, { existing, id: 7 })
  expect(names).toEqual(missing)
  const units = property!.property_units.map(({ unit_name }) => unit_name)
  expect(units).toEqual([...existing, ...missing])
})

test('units of one name have keys of their own, and so have equal units of two properties', async () => {
  const { keys } = await complete(['A', 'A'], { id: 7 })
  const other = await complete(['A'], { id: 8 })
  expect(new Set([...keys, ...other.keys]).size).toBe(3)
})

test('a record that was deleted since its key was used is created with another key', async () => {
  const { keys } = await complete([], { find: id => (id === 1 ? Promise.reject(notFound) : {}) })
  expect([keys.length, new Set(keys).size]).toEqual([2, 2])
})

test('a record that cannot be read is not created again', async () => {
  const { names, error } = await complete([], { find: () => Promise.reject(unavailable) })
  expect<unknown[]>([names.length, error]).toEqual([1, unavailable])
})

test('a property is created with 100 units at most, and the others one by one', async () => {
  const planned = Array.from({ length: 102 }, (_, index) => `U${index}`)
  const { names } = await complete(planned, { existing: planned.slice(0, 100) })
  expect(names.map(name => name.split(',').length)).toEqual([100, 1, 1])
})

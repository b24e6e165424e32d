import { expect, test } from 'bun:test'
import type { Property } from '../../sdk'
import type { Context } from '../../cli/context'
import { importProperties } from '../../cli/csv/import-properties'
import { toIdentity } from '../../cli/csv/property-file'

const house = { pin_code: 560048, property_type: 'pg' as const }
const stored = {
  ...house,
  city: 'Bengaluru',
  district: 'Bengaluru Urban',
  state: 'Karnataka',
  country: 'India',
}
const toStored = (changes: Partial<Property>) => ({ ...stored, ...changes }) as Property

test.each<[what: string, file: object, existing: Partial<Property>]>([
  ['has the name of its city, which the server gave it', {}, { alias_name: 'Bengaluru' }],
  [
    'has the name of its building',
    { society_building: 'Oak' },
    { society_building: 'Oak', alias_name: 'Oak' },
  ],
  ['has the name of its locality', { locality: 'HSR' }, { locality: 'HSR', alias_name: 'HSR' }],
  ['has the name that the file says', { alias_name: 'White House' }, { alias_name: 'White House' }],
  ['has the country of the file', { country: 'Nepal' }, { country: 'Nepal', alias_name: 'Bengaluru' }],
])('a property is known again that %s', (_, file, existing) => {
  expect(toIdentity({ ...house, ...file })).toBe(toIdentity(toStored(existing)))
})

test.each<[what: string, file: object, existing: Partial<Property>]>([
  ['another name', { alias_name: 'White House' }, { alias_name: 'Bengaluru' }],
  ['another building', { society_building: 'Oak' }, { society_building: 'Elm', alias_name: 'Oak' }],
  ['another survey number', { survey_number: '7' }, { survey_number: '8', alias_name: 'Bengaluru' }],
  ['another road', { road_name: 'MG Road' }, { road_name: 'Ring Road', alias_name: 'Bengaluru' }],
  ['another landmark', { landmark: 'Lake' }, { landmark: 'Park', alias_name: 'Bengaluru' }],
  ['another locality', { locality: 'HSR', alias_name: 'Oak' }, { locality: 'BTM', alias_name: 'Oak' }],
  ['another kind', { property_type: 'commercial' }, { alias_name: 'Bengaluru' }],
  ['another PIN code', { pin_code: 560001 }, { alias_name: 'Bengaluru' }],
  ['another country', {}, { country: 'Nepal', alias_name: 'Bengaluru' }],
  ['another survey number', { survey_number: '7' }, { survey_number: '8', alias_name: 'Bengaluru' }],
  ['another road', { road_name: 'MG Road' }, { road_name: 'Ring Road', alias_name: 'Bengaluru' }],
  ['another landmark', { landmark: 'Lake' }, { landmark: 'Park', alias_name: 'Bengaluru' }],
  ['another locality', { alias_name: 'Oak', locality: 'HSR' }, { alias_name: 'Oak', locality: 'BTM' }],
  ['another PIN code', {}, { pin_code: 560001, alias_name: 'Bengaluru' }],
  ['another type', {}, { property_type: 'apartment', alias_name: 'Bengaluru' }],
  ['other amenities', { common_amenities: ['Lift'] }, { alias_name: 'Bengaluru', common_amenities: ['Gym'] }],
])('a property is another one with %s', (_, file, existing) => {
  expect(toIdentity({ ...house, ...file })).not.toBe(toIdentity(toStored(existing)))
})

/** How many properties an import creates of three equal ones in a file, with how many different keys. */
async function importThree(existing: number) {
  const keys: string[] = []
  const found = Array.from({ length: existing }, (_, index) => toStored({ id: index + 1, alias_name: 'Oak' }))
  const get = async (id: number) => ({ ...toStored({ id }), property_units: [] })
  const properties = {
    iterate: () => ({ toArray: async () => found }),
    get,
    create: async (_: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
      keys.push(idempotencyKey)
      return get(100)
    },
  }
  const context = { client: async () => ({ properties }), printNote: () => {} } as unknown as Context
  const plan = { ...house, alias_name: 'Oak', property_units: [] }
  const errors = await importProperties(context, [
    { plan, line: 2, unitLines: [] },
    { plan, line: 3, unitLines: [] },
    { plan, line: 4, unitLines: [] },
  ])
  expect(errors).toEqual([])
  return [keys.length, new Set(keys).size]
}

test.each([
  [0, 3],
  [1, 2],
  [2, 1],
  [3, 0],
  [4, 0],
])('of three equal properties in a file, where %d exist, %d are created', async (existing, created) => {
  expect(await importThree(existing)).toEqual([created, created])
})

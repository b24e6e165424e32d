import { beforeAll, describe, expect, test } from 'bun:test'
import { createUnit, signInUser, type TestResponse, type TestUser } from '../../../support/users'
import { testServer } from '../../../support/server'
import { propertyShape, unitShape } from './shapes'

const server = testServer()
const toResult = ({ status, body }: TestResponse) => [status, body]
const listIds = ({ body }: TestResponse) => body.data.map(({ id }: { id: number }) => id)
let owner: TestUser
let properties: any[]
beforeAll(async () => {
  owner = await signInUser(server)
  const more = [
    { alias_name: 'Cedar', pin_code: 682001 },
    { alias_name: 'Acacia', property_type: 'pg' },
    { alias_name: 'Banyan', society_building: '100% Green_House', pin_code: 110001 },
    { alias_name: 'Acacia', locality: 'Whitefield' },
    { alias_name: 'Date\\Palm', pin_code: 682001, property_type: 'pg' },
  ]
  properties = []
  for (const each of more)
    properties.push(
      (await owner.call('POST', '/properties', { pin_code: 560048, property_type: 'apartment', ...each }))
        .body.data,
    )
})

test('200: a property by number and by UUID in any case, with its units', async () => {
  const { property, unit } = await createUnit(owner)
  for (const id of [property.id, property.property_id, property.property_id.toUpperCase()]) {
    const response = await owner.call('GET', `/properties/${id}`)
    expect(toResult(response)).toEqual([
      200,
      {
        success: true,
        data: {
          ...propertyShape({
            society_building: 'White House',
            alias_name: 'White House',
            id: property.id,
            landlord_id: owner.id,
          }),
          property_units: [unitShape({ id: unit.id, property_id: property.id })],
        },
      },
    ])
  }
  await owner.call('DELETE', `/properties/${property.id}`)
})

describe('the list', () => {
  test('200: has the newest properties first, without their units', async () => {
    const { status, body } = await owner.call('GET', '/properties')
    expect([status, body.metadata]).toEqual([200, { page: 1, limit: 50, total: 5, total_pages: 1 }])
    expect(body.data.map(({ id }: any) => id)).toEqual(properties.map(({ id }) => id).toReversed())
    expect(body.data.at(-1)).toEqual(
      propertyShape({
        alias_name: 'Cedar',
        pin_code: 682001,
        district: 'Ernakulam',
        city: 'Kochi',
        state: 'Kerala',
        landlord_id: owner.id,
      }),
    )
    expect(Object.keys(body).toSorted()).toEqual(['data', 'metadata', 'success'])
  })

  test('200: is empty for a manager without own properties', async () => {
    const manager = await signInUser(server)
    const other = await signInUser(server)
    await createUnit(other, { managed_by_id: manager.id })
    expect((await manager.call('GET', '/properties')).body).toEqual({
      success: true,
      data: [],
      metadata: { page: 1, limit: 50, total: 0, total_pages: 0 },
    })
  })

  test.each<[field: string, order: number[]]>([
    ['id', [0, 1, 2, 3, 4]],
    ['alias_name', [1, 3, 2, 0, 4]],
    ['city', [1, 3, 0, 4, 2]],
    ['pin_code', [2, 1, 3, 0, 4]],
    ['created_at', [0, 1, 2, 3, 4]],
    ['updated_at', [0, 1, 2, 3, 4]],
  ])('can be sorted by %s in both directions, then by id', async (field, order) => {
    const expected = order.map(index => properties[index].id)
    expect(listIds(await owner.get(`/properties?sort=${field}`))).toEqual(expected)
    expect(listIds(await owner.get(`/properties?sort=-${field}`))).toEqual(expected.toReversed())
  })
})

test.each<[filter: string, expected: number[]]>([
  ['q=acac', [1, 3]],
  ['q=ACACIA', [1, 3]],
  ['q=whitefield', [3]],
  ['q=kochi', [0, 4]],
  ['q=100%25%20Green_', [2]],
  ['q=%25', [2]],
  ['q=_', [2]],
  ['q=%5C', [4]],
  ['q=nothing', []],
  ['q=%27%3B--', []],
  ['property_type=pg', [1, 4]],
  ['pin_code=682001&property_type=pg', [4]],
  ['pin_code=999999', []],
  ['unknown=1', [0, 1, 2, 3, 4]],
])('200: the list with %s', async (filter, expected) => {
  const response = await owner.get(`/properties?sort=id&${filter}`)
  expect(listIds(response)).toEqual(expected.map(index => properties[index].id))
  expect(response.body.metadata.total).toBe(expected.length)
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { createUnit, type TestResponse, type TestUser } from '../../../support/users'
import { enveloped } from '../../http/forms'
import { createOwnedUnit } from './fixtures'

const server = testServer()

const MISSING_ID = 2_147_483_647
const MISSING_UUID = '00000000-0000-4000-8000-000000000000'

describe.each<[method: string, body: unknown]>([
  ['GET', undefined],
  ['PATCH', {}],
  ['DELETE', undefined],
])('404: %s', (method, body) => {
  test("names what is not found: the property, or the unit of a property of one's own", async () => {
    const { landlord, property, unit, units, path } = await createOwnedUnit(server)
    const foreign = await createOwnedUnit(server)
    const { unit: elsewhere } = await createUnit(landlord)
    const { data: deleted } = await landlord.post(units, { unit_name: 'B' })
    await landlord.delete(`${units}/${deleted.id}`)
    const cases: [property: number | string, unit: number | string, noun: string][] = [
      [MISSING_ID, unit.id, 'Property'],
      [foreign.property.id, foreign.unit.id, 'Property'],
      [foreign.property.property_id, foreign.unit.property_unit_id, 'Property'],
      [property.id, MISSING_UUID, 'Property unit'],
      [property.id, elsewhere.id, 'Property unit'],
      [property.property_id, elsewhere.property_unit_id, 'Property unit'],
      [property.property_id, deleted.id, 'Property unit'],
      [property.id, deleted.property_unit_id, 'Property unit'],
    ]
    for (const [propertyId, unitId, noun] of cases) {
      const response = await landlord.call(method, `/properties/${propertyId}/units/${unitId}`, body)
      // A read looks for both at once.
      const message = `${method === 'GET' ? 'Property unit' : noun} not found`
      expect([propertyId, unitId, response.body]).toEqual([propertyId, unitId, enveloped(404, message)])
    }
    expect((await landlord.get(path)).status).toBe(200)
  })
})

// The lists only read, so they share one property.
const list = {} as { landlord: TestUser; units: string; created: { id: number }[] }

beforeAll(async () => {
  const first = await createOwnedUnit(server, { unit_name: 'B', area_sqft: 500, floor_number: 3 })
  const created = [first.unit]
  const others = [
    { unit_name: 'A', area_sqft: 700, floor_number: 1, is_available: false },
    { unit_name: 'C 50%', area_sqft: 500, floor_number: 2 },
    { unit_name: 'A', area_sqft: 600, floor_number: 1 },
  ]
  for (const body of others) created.push((await first.landlord.post(first.units, body)).data)
  Object.assign(list, { landlord: first.landlord, units: first.units, created })
})

const getList = (query: string) => list.landlord.get(`${list.units}?${query}`)

const toPositions = ({ data }: TestResponse) =>
  data.map(({ id }: { id: number }) => list.created.findIndex(unit => unit.id === id))

describe('GET /properties/:id/units', () => {
  test('200: lists the units in the order of their creation, and counts them', async () => {
    const response = await list.landlord.get(list.units)

    const metadata = { page: 1, limit: 50, total: 4, total_pages: 1 }
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ success: true, data: list.created, metadata })
  })

  const sorts: [field: string, positions: number[]][] = [
    ['id', [0, 1, 2, 3]],
    ['unit_name', [1, 3, 0, 2]],
    ['area_sqft', [0, 2, 3, 1]],
    ['floor_number', [1, 3, 2, 0]],
    ['created_at', [0, 1, 2, 3]],
    ['updated_at', [0, 1, 2, 3]],
  ]
  test.each(sorts)('200: sorts by %s both ways, ties by id, and in pages', async (field, positions) => {
    expect(toPositions(await getList(`sort=${field}`))).toEqual(positions)
    expect(toPositions(await getList(`sort=-${field}`))).toEqual(positions.toReversed())
    expect(toPositions(await getList(`sort=${field}&limit=3&page=2`))).toEqual(positions.slice(3))
  })

  const filters: [query: string, positions: number[]][] = [
    ['q=a', [1, 3]],
    ['q=%25', [2]],
    ['is_available=true', [0, 2, 3]],
    ['is_available=false', [1]],
    ['is_available=true&q=a', [3]],
  ]
  test.each(filters)('200: filters by %s', async (query, positions) => {
    const response = await getList(query)

    expect(toPositions(response)).toEqual(positions)
    expect(response.body.metadata.total).toBe(positions.length)
  })
})

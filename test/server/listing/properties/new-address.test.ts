import { expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { createLandlord, createProperty } from '../../../support/users'

const server = testServer()

test('400: a new address while other landlords have units in the building', async () => {
  const [creator, other] = [await createLandlord(server), await createLandlord(server)]
  const { property, path } = await createProperty(creator)
  const units = `/properties/${property.property_id}/units`
  const { data: unit } = await other.post(units, { unit_name: 'B-7' })
  const others = { alias_name: 'Mine', common_amenities: ['Lift'], road_name: property.road_name }

  const { status, error } = await creator.patch(path, { road_name: 'Scam Road' })
  expect([status, error.reason]).toEqual([400, 'address_in_use'])
  expect((await creator.patch(path, others)).status).toBe(200)

  expect((await other.delete(`${units}/${unit.id}`)).status).toBe(200)
  expect((await creator.patch(path, { road_name: 'Scam Road' })).status).toBe(200)
})

import { expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { createManager, signInUser } from '../../../support/users'
import { broken } from '../../http/forms'
import { unitShape } from '../properties/shapes'
import { createOwnedUnit, fullUnit } from './fixtures'

const server = testServer()

test('201: a unit needs only a name; null counts as a missing field', async () => {
  const { landlord, property, units } = await createOwnedUnit(server)
  const ids = { property_id: property.id, landlord_id: landlord.id, managed_by_id: landlord.id }
  const nulls = Object.fromEntries(Object.keys(fullUnit).map(name => [name, null]))
  for (const given of [{}, { ...nulls, managed_by_id: null }]) {
    const { status, body } = await landlord.post(units, { ...given, unit_name: 'A-102' })
    expect([status, body]).toEqual([201, { success: true, data: unitShape({ unit_name: 'A-102', ...ids }) }])
  }
})

test('201: a unit has every field and the manager', async () => {
  const { landlord, property } = await createOwnedUnit(server)
  const manager = await createManager(server)

  const response = await landlord.post(`/properties/${property.property_id}/units`, {
    ...fullUnit,
    managed_by_id: manager.id,
  })

  const ids = { property_id: property.id, landlord_id: landlord.id, managed_by_id: manager.id }
  expect(response.status).toBe(201)
  expect(response.body).toEqual({ success: true, data: unitShape({ ...fullUnit, ...ids }) })
})

test.each<[field: string, values: unknown[]]>([
  ['area_sqft', [0.01, 1, 9_999_999]],
  ['floor_number', [-20, 0, 300]],
])('201: %s may be %j', async (field, values) => {
  const { landlord, units } = await createOwnedUnit(server)
  for (const value of values) {
    const { data } = await landlord.post(units, { unit_name: 'X', [field]: value })
    expect(data[field]).toBe(value)
  }
})

test('400: an unknown or inactive manager, in a new unit and in a change', async () => {
  const { landlord, units, path } = await createOwnedUnit(server)
  const inactive = await signInUser(server)
  const users = server.db.updateTable('users').set({ is_active: false })
  await users.where('id', '=', inactive.id).execute()

  for (const managed_by_id of [2_000_000_000, inactive.id])
    for (const { status, body, error } of [
      await landlord.post(units, { unit_name: 'X', managed_by_id }),
      await landlord.patch(path, { managed_by_id }),
    ]) {
      expect([status, body]).toEqual([400, broken('managed_by_id')])
      expect(error.message).toContain(String(managed_by_id))
    }
  expect((await landlord.get(units)).body.metadata.total).toBe(1)
})

import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { createManager, signInUser } from '../../support/users'
import { broken } from '../http/forms'
import { getPlace, unitShape } from '../properties/shapes'
import { createOwnedUnit, fullUnit } from './fixtures'

const server = testServer()

describe('POST /properties/:id/units', () => {
  test('201: a unit needs only a name', async () => {
    const { landlord, property, units } = await createOwnedUnit(server)

    const response = await landlord.post(units, { unit_name: 'A-102' })

    const ids = { property_id: property.id, landlord_id: landlord.id, managed_by_id: landlord.id }
    expect(response.status).toBe(201)
    expect(response.body).toEqual({ success: true, data: unitShape({ unit_name: 'A-102', ...ids }) })
  })

  test('201: stores every field and the manager, and ignores the fields that the server owns', async () => {
    const { landlord, property } = await createOwnedUnit(server)
    const manager = await createManager(server)
    const serverFields = { landlord_id: manager.id, id: 1, property_id: 1, is_active: false }
    const body = { ...fullUnit, managed_by_id: manager.id, ...serverFields }

    const response = await landlord.post(`/properties/${property.property_id}/units`, body)

    const ids = { property_id: property.id, landlord_id: landlord.id, managed_by_id: manager.id }
    expect(response.status).toBe(201)
    expect(response.body).toEqual({ success: true, data: unitShape({ ...fullUnit, ...ids }) })
  })

  test('201: null in an optional field counts as a missing field', async () => {
    const { landlord, units } = await createOwnedUnit(server)
    const nulls = Object.fromEntries(Object.keys(fullUnit).map(name => [name, null]))

    const { data } = await landlord.post(units, { ...nulls, managed_by_id: null, unit_name: 'X' })

    expect(data).toEqual(unitShape({ unit_name: 'X', managed_by_id: landlord.id }))
  })

  const validValues: [field: string, values: unknown[]][] = [
    ['room_type', ['1rk', '1bhk', '2bhk', '3bhk', '4bhk', '5bhk', 'other']],
    ['furnishing_type', ['fully_furnished', 'semi_furnished', 'unfurnished']],
    ['area_sqft', [0.01, 1, 9_999_999]],
    ['floor_number', [-20, 0, 300]],
  ]
  test.each(validValues)('201: %s may be %j', async (field, values) => {
    const { landlord, units } = await createOwnedUnit(server)
    for (const value of values) {
      const { data } = await landlord.post(units, { unit_name: 'X', [field]: value })
      expect(data[field]).toBe(value)
    }
  })
})

describe('400: a new unit', () => {
  const invalidValues: [field: string, values: unknown[]][] = [
    ['unit_name', [undefined, null, '', ' ', 1, 'x'.repeat(256), 'a\0b']],
    ['room_type', ['6bhk', '', 2, '2BHK']],
    ['furnishing_type', ['x', 1]],
    ['furniture_included', ['', 1, 'x'.repeat(5001)]],
    ['area_sqft', [0, -1, '100', 1.005, 10_000_000, true]],
    ['floor_number', [1.5, '1', -21, 301]],
    ['is_available', ['true', 1]],
    ['unit_notes', ['', [], 'x'.repeat(5001)]],
    ['unit_amenities', ['x', [1], [''], Array(101).fill('x')]],
    ['managed_by_id', [0, -1, 1.5, '1', 2_147_483_648, 2_000_000_000]],
  ]
  test.each(invalidValues)('with an invalid %s names the field', async (field, values) => {
    const { landlord, units } = await createOwnedUnit(server)
    for (const value of values) {
      const { status, body } = await landlord.post(units, { unit_name: 'X', [field]: value })
      expect([value, status, body]).toEqual([value, 400, broken(getPlace(field, value))])
    }
    expect((await landlord.get(units)).body.metadata.total).toBe(1)
  })

  test('names an inactive manager, as a change of a unit does', async () => {
    const { landlord, units, path } = await createOwnedUnit(server)
    const inactive = await signInUser(server)
    await getKysely(server.em())
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', inactive.id)
      .execute()

    const responses = [
      await landlord.post(units, { unit_name: 'X', managed_by_id: inactive.id }),
      await landlord.patch(path, { managed_by_id: inactive.id }),
    ]

    for (const { status, body, error } of responses) {
      expect([status, body]).toEqual([400, broken('managed_by_id')])
      expect(error.message).toContain(String(inactive.id))
    }
  })
})

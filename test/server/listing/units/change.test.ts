import { describe, expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { createDraft, createManager, createTenant, signInUser } from '../../../support/users'
import { createOwnedUnit, fullUnit, type AgreementStatus } from './fixtures'

const server = testServer()
const anyTime = { updated_at: expect.any(String) }

describe('200: a change of a unit', () => {
  test('without fields changes nothing', async () => {
    const { landlord, unit, path } = await createOwnedUnit(server, fullUnit)
    const { body } = await landlord.patch(path, {})
    expect(body).toEqual({ success: true, data: { ...unit, ...anyTime } })
  })

  test('of one field leaves the others, and null clears it', async () => {
    const { landlord, unit, path } = await createOwnedUnit(server, fullUnit)
    const changes: [field: string, value: unknown, cleared?: unknown][] = [
      ['unit_name', 'Z'],
      ['room_type', '1rk', null],
      ['furnishing_type', 'unfurnished', null],
      ['furniture_included', 'Fans', null],
      ['area_sqft', 99.5, null],
      ['floor_number', 9, null],
      ['is_available', false, true],
      ['unit_notes', 'x', null],
      ['unit_amenities', ['x'], null],
    ]
    let expected = { ...unit, ...anyTime }
    for (const [field, value, cleared] of changes) {
      expected = { ...expected, [field]: value }
      expect((await landlord.patch(path, { [field]: value })).data).toEqual(expected)
      expect((await landlord.get(path)).data).toEqual(expected)
      if (cleared === undefined) continue
      expected = { ...expected, [field]: cleared }
      expect((await landlord.patch(path, { [field]: null })).data).toEqual(expected)
    }
  })
})

test('200: the landlord appoints a manager, another one, and with null none', async () => {
  const { landlord, path } = await createOwnedUnit(server)
  const [first, second] = [await createManager(server), await createManager(server)]
  for (const managed_by_id of [first.id, second.id, null]) {
    const { data } = await landlord.patch(path, { managed_by_id })
    expect(data.managed_by_id).toBe(managed_by_id ?? landlord.id)
  }
  for (const former of [first, second]) expect((await former.get(path)).status).toBe(404)
})

test.each<[status: AgreementStatus, isAvailable: boolean]>([
  ['DRAFT', true],
  ['PENDING', true],
  ['ACTIVE', false],
  ['TERMINATED', true],
  ['COMPLETED', true],
])('a unit with an agreement that is %s has is_available %p', async (status, isAvailable) => {
  const landlord = await signInUser(server)
  const { property, unit, agreement } = await createDraft(landlord, [await createTenant(server)])
  const path = `/properties/${property.id}/units/${unit.id}`
  const agreements = server.db.updateTable('agreements').set({ status })
  await agreements.where('id', '=', agreement.id).execute()

  const { data: withUnits } = await landlord.get(`/properties/${property.id}`)
  const available = await landlord.get(`/properties/${property.id}/units?is_available=true`)

  expect((await landlord.get(path)).data.is_available).toBe(isAvailable)
  expect(withUnits.property_units[0].is_available).toBe(isAvailable)
  expect(available.body.metadata.total).toBe(isAvailable ? 1 : 0)
  expect((await landlord.patch(path, { is_available: true })).data.is_available).toBe(isAvailable)
})

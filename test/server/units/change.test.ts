import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { createDraft, createManager, createTenant, signInUser } from '../../support/users'
import { broken } from '../http/forms'
import { getPlace } from '../properties/shapes'
import { createOwnedUnit, fullUnit, type AgreementStatus } from './fixtures'

const server = testServer()
const anyTime = { updated_at: expect.any(String) }

describe('PATCH /properties/:id/units/:unitId', () => {
  const serverFields = {
    id: 1,
    property_unit_id: crypto.randomUUID(),
    property_id: 1,
    landlord_id: 1,
    is_active: false,
    created_at: '2000-01-01',
    nonsense: 1,
  }
  const emptyChanges: [what: string, change: object][] = [
    ['an empty body', {}],
    ['fields that the server owns', serverFields],
  ]
  test.each(emptyChanges)('200: %s changes nothing', async (_, change) => {
    const { landlord, unit, path } = await createOwnedUnit(server, fullUnit)

    const response = await landlord.patch(path, change)

    expect(response.status).toBe(200)
    expect(response.body).toEqual({ success: true, data: { ...unit, ...anyTime } })
  })

  const changes: [field: string, value: unknown][] = [
    ['unit_name', 'Z'],
    ['room_type', '1rk'],
    ['furnishing_type', 'unfurnished'],
    ['furniture_included', 'Fans'],
    ['area_sqft', 99.5],
    ['floor_number', 9],
    ['is_available', true],
    ['unit_notes', 'x'],
    ['unit_amenities', ['x']],
  ]
  test.each(changes)('200: changes %s alone', async (field, value) => {
    const { landlord, unit, path } = await createOwnedUnit(server, fullUnit)
    const changed = { ...unit, [field]: value, ...anyTime }

    expect((await landlord.patch(path, { [field]: value })).data).toEqual(changed)
    expect((await landlord.get(path)).data).toEqual(changed)
  })

  const cleared: [field: string, value: unknown][] = [
    ['room_type', null],
    ['furnishing_type', null],
    ['furniture_included', null],
    ['area_sqft', null],
    ['floor_number', null],
    ['is_available', true],
    ['unit_notes', null],
    ['unit_amenities', null],
  ]
  test.each(cleared)('200: null sets %s to %p', async (field, value) => {
    const { landlord, path } = await createOwnedUnit(server, fullUnit)

    expect((await landlord.patch(path, { [field]: null })).data[field]).toBe(value)
  })
})

describe('an invalid change of a unit', () => {
  const invalid: [field: string, value: unknown][] = [
    ['unit_name', null],
    ['unit_name', ''],
    ['room_type', 'x'],
    ['area_sqft', 0],
    ['floor_number', 0.5],
    ['is_available', 'no'],
    ['unit_amenities', [1]],
    ['managed_by_id', 0],
    ['managed_by_id', 2_000_000_000],
  ]
  test.each(invalid)('400: %s %j changes nothing', async (field, value) => {
    const { landlord, unit, path } = await createOwnedUnit(server, fullUnit)

    const { status, body } = await landlord.patch(path, { unit_notes: 'changed', [field]: value })

    expect([status, body]).toEqual([400, broken(getPlace(field, value))])
    expect((await landlord.get(path)).data).toEqual(unit)
  })
})

describe('the managed_by_id of a unit', () => {
  test('200: the landlord appoints a manager, another one, and with null none', async () => {
    const { landlord, path } = await createOwnedUnit(server)
    const [first, second] = [await createManager(server), await createManager(server)]
    for (const managed_by_id of [first.id, second.id, null]) {
      const { data } = await landlord.patch(path, { managed_by_id })
      expect(data.managed_by_id).toBe(managed_by_id ?? landlord.id)
    }
    for (const former of [first, second]) expect((await former.get(path)).status).toBe(404)
  })

  test('200: a manager sends it back as it is; 403: as another', async () => {
    const { landlord, path } = await createOwnedUnit(server)
    const [manager, another] = [await createManager(server), await createManager(server)]
    await landlord.patch(path, { managed_by_id: manager.id })

    const same = await manager.patch(path, { managed_by_id: manager.id, unit_notes: 'painted' })
    const other = await manager.patch(path, { managed_by_id: another.id })

    expect([same.status, same.data.unit_notes, other.status]).toEqual([200, 'painted', 403])
  })
})

const availability: [status: AgreementStatus, isAvailable: boolean][] = [
  ['DRAFT', true],
  ['PENDING', true],
  ['ACTIVE', false],
  ['TERMINATED', true],
  ['COMPLETED', true],
]
test.each(availability)(
  'a unit with an agreement that is %s has is_available %p',
  async (status, isAvailable) => {
    const landlord = await signInUser(server)
    const { property, unit, agreement } = await createDraft(landlord, [await createTenant(server)])
    const path = `/properties/${property.id}/units/${unit.id}`
    await getKysely(server.em())
      .updateTable('agreements')
      .set({ status })
      .where('id', '=', agreement.id)
      .execute()

    const { data: withUnits } = await landlord.get(`/properties/${property.id}`)
    const available = await landlord.get(`/properties/${property.id}/units?is_available=true`)

    expect((await landlord.get(path)).data.is_available).toBe(isAvailable)
    expect(withUnits.property_units[0].is_available).toBe(isAvailable)
    expect(available.body.metadata.total).toBe(isAvailable ? 1 : 0)
    expect((await landlord.patch(path, { is_available: true })).data.is_available).toBe(isAvailable)
  },
)

const tenancies: [status: AgreementStatus, answer: number][] = [
  ['DRAFT', 400],
  ['PENDING', 400],
  ['ACTIVE', 400],
  ['TERMINATED', 200],
  ['COMPLETED', 200],
]
test.each(tenancies)('a tenant of an agreement that is %s as manager: %d', async (status, answer) => {
  const landlord = await signInUser(server)
  const tenant = await createTenant(server)
  const { property, unit, agreement } = await createDraft(landlord, [tenant])
  await getKysely(server.em())
    .updateTable('agreements')
    .set({ status })
    .where('id', '=', agreement.id)
    .execute()

  const path = `/properties/${property.id}/units/${unit.id}`
  expect((await landlord.patch(path, { managed_by_id: tenant.id })).status).toBe(answer)
})

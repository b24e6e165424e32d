import { describe, expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import { createManager, signInUser } from '../../../support/users'
import { broken } from '../../http/forms'
import { allFields, propertyShape, unitShape } from './shapes'

const time = clock(new Date('2026-03-01T10:00:00.123Z'))
const server = testServer({ overrides: { now: time.now } })
const base = { pin_code: 560048, property_type: 'apartment' }
const create = async (changes: object) =>
  (await signInUser(server)).post('/properties', { ...base, ...changes })

describe('201: a property', () => {
  test('needs only a PIN code and a type; the other fields have defaults, and so has null', async () => {
    const nulls = Object.fromEntries(Object.keys(allFields).map(name => [name, null]))
    for (const given of [{}, { ...nulls, district: null, city: null, state: null, property_units: null }]) {
      const { status, body } = await create({ ...given, ...base })
      expect([status, body]).toEqual([
        201,
        { success: true, data: { ...propertyShape(), property_units: [] } },
      ])
      expect(Date.parse(body.data.property_approved_at)).toBe(time.now().getTime())
      expect(body.data.created_at).toBe(body.data.property_approved_at)
    }
  })

  test('has every field of the request, of the type that it names', async () => {
    const { data } = await create(allFields)
    expect(data).toEqual({ ...propertyShape(allFields), property_units: [] })
    for (const property_type of ['gated_community_villa', 'independent_house', 'commercial', 'pg'])
      expect((await create({ property_type })).data.property_type).toBe(property_type)
  })

  test.each([
    ['the building', { society_building: 'White House', locality: 'Whitefield' }, 'White House'],
    ['the locality, without a building', { locality: 'Whitefield' }, 'Whitefield'],
    ['the alias of the request', { society_building: 'White House', alias_name: 'Home' }, 'Home'],
  ])('has an alias that is %s', async (_, given, alias) => {
    expect((await create(given)).data.alias_name).toBe(alias)
  })

  test('is returned with all its units, as they are read later', async () => {
    const [landlord, manager] = [await signInUser(server), await createManager(server)]
    const managed = { unit_name: 'A-102', managed_by_id: manager.id, room_type: '2bhk', is_available: false }
    const { data } = await landlord.post('/properties', {
      ...base,
      property_units: [{ unit_name: 'A-101' }, { ...managed, landlord_id: manager.id }],
    })
    expect(data.landlord_id).toBe(landlord.id)
    const shared = { landlord_id: landlord.id, property_id: data.id }
    expect(data.property_units).toEqual([
      unitShape({ ...shared, managed_by_id: landlord.id }),
      unitShape({ ...shared, ...managed }),
    ])
    expect((await landlord.get(`/properties/${data.id}`)).data).toEqual(data)
  })
})

describe('a PIN code', () => {
  const given = { city: 'Newtown', district: 'Newland', state: 'Kerala' }

  test('that is known sets city, district and state', async () => {
    const { data } = await create({ ...given, pin_code: 682001 })
    expect(data).toMatchObject({ city: 'Kochi', district: 'Ernakulam', state: 'Kerala' })
  })

  test('that is unknown needs city, district and state of the request', async () => {
    const { data } = await create({ ...given, pin_code: 999999 })
    expect(data).toMatchObject({ pin_code: 999999, ...given, alias_name: 'Newtown' })
  })

  test.each([
    [{}, ['city', 'district', 'state']],
    [{ city: 'Newtown' }, ['district', 'state']],
    [{ city: 'Newtown', state: 'Kerala', district: null }, ['district']],
  ])('400: that is unknown with %j names what is missing', async (some, missing) => {
    const { status, body } = await create({ pin_code: 999999, ...some })
    expect([status, body]).toEqual([400, broken(...missing)])
  })
})

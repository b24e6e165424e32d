import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { signInUser, type TestResponse } from '../../support/users'
import { broken, enveloped } from '../http/forms'
import { NOWHERE, getPlace } from './shapes'

const server = testServer()
const toResult = ({ status, body }: TestResponse) => [status, body]
const allFields = {
  pin_code: 560048,
  property_type: 'apartment',
  society_building: 'White House',
  survey_number: '12/3',
  road_name: 'ITPL Road',
  locality: 'Whitefield',
  landmark: 'Lake',
  alias_name: 'Home',
  country: 'Bharat',
  common_amenities: ['lift'],
}
async function createFixture(more: Record<string, unknown> = {}) {
  const owner = await signInUser(server)
  const { data } = await owner.call('POST', '/properties', { ...allFields, ...more })
  return {
    owner,
    data,
    path: `/properties/${data.id}`,
    patch: (change: unknown) => owner.call('PATCH', `/properties/${data.id}`, change),
  }
}

describe('200: a change', () => {
  test('without fields changes nothing', async () => {
    const { owner, data, path, patch } = await createFixture()
    expect(toResult(await patch({}))).toEqual([
      200,
      { success: true, data: { ...data, updated_at: expect.any(String) } },
    ])
    expect((await owner.call('GET', path)).body.data).toMatchObject(allFields)
  })

  for (const [field, value] of Object.entries({
    property_type: 'pg',
    society_building: 'Black House',
    survey_number: '9',
    road_name: 'MG Road',
    locality: 'Hoodi',
    landmark: 'Temple',
    alias_name: 'Away',
    country: 'India',
    common_amenities: ['pool', 'null'],
  })) {
    test(`of ${field} leaves the other fields`, async () => {
      const { owner, data, path, patch } = await createFixture()
      const changed = { ...data, [field]: value, updated_at: expect.any(String) }
      expect(toResult(await patch({ [field]: value }))).toEqual([200, { success: true, data: changed }])
      expect((await owner.call('GET', path)).body.data).toEqual(changed)
    })
  }

  for (const [field, cleared] of Object.entries({
    society_building: null,
    survey_number: null,
    road_name: null,
    locality: null,
    landmark: null,
    common_amenities: null,
    alias_name: 'White House',
    country: 'India',
  })) {
    test(`to null clears ${field}${cleared ? `, which has a default` : ''}`, async () => {
      const { data, patch } = await createFixture()
      expect((await patch({ [field]: null })).body.data).toEqual({
        ...data,
        [field]: cleared,
        updated_at: expect.any(String),
      })
    })
  }
})

describe('200: the server', () => {
  test('ignores fields that clients cannot set', async () => {
    const { data, patch } = await createFixture()
    const other = await signInUser(server)
    const owned = {
      id: 1,
      property_id: crypto.randomUUID(),
      landlord_id: other.id,
      property_approved: false,
      property_approved_at: null,
      property_approved_by: other.id,
      is_active: false,
      created_at: '2000-01-01',
      updated_at: '2000-01-01',
      property_units: [{ unit_name: 'X' }],
      nonsense: 1,
    }
    expect((await patch(owned)).body.data).toEqual({ ...data, updated_at: expect.any(String) })
  })

  test('updates updated_at', async () => {
    const { data, patch } = await createFixture()
    await Bun.sleep(5)
    expect(Date.parse((await patch({ landmark: 'x' })).body.data.updated_at)).toBeGreaterThan(
      Date.parse(data.updated_at),
    )
  })
})

describe('a changed PIN code', () => {
  test('200: sets city, district and state, which clients cannot change', async () => {
    const { patch } = await createFixture()
    expect((await patch({ pin_code: 682001, city: 'Paris' })).body.data).toMatchObject({
      pin_code: 682001,
      city: 'Kochi',
      district: 'Ernakulam',
      state: 'Kerala',
    })
    expect((await patch({ city: 'Paris', district: 'Seine', state: 'France' })).body.data).toMatchObject({
      city: 'Kochi',
      district: 'Ernakulam',
      state: 'Kerala',
    })
    expect((await patch({ city: null })).body.data.city).toBe('Kochi')
  })

  test('400: an unknown one needs city, district and state', async () => {
    const { owner, path, patch } = await createFixture()
    expect(toResult(await patch({ pin_code: 999999 }))).toEqual([400, broken('city', 'district', 'state')])
    expect(toResult(await patch({ pin_code: 999999, city: 'Newtown', district: null }))).toEqual([
      400,
      broken('district', 'state'),
    ])
    expect((await owner.call('GET', path)).body.data).toMatchObject({ pin_code: 560048, city: 'Bengaluru' })
    expect(
      (await patch({ pin_code: 999999, city: 'Newtown', district: 'Newland', state: 'Goa' })).body.data,
    ).toMatchObject({ city: 'Newtown', district: 'Newland', state: 'Goa' })
    expect((await patch({ city: 'Oldtown' })).body.data).toMatchObject({
      city: 'Oldtown',
      district: 'Newland',
      state: 'Goa',
    })
    expect(toResult(await patch({ state: null }))).toEqual([400, broken('state')])
    expect(toResult(await patch({ pin_code: 999998 }))).toEqual([400, broken('city', 'district', 'state')])
  })
})

describe('a rejected change', () => {
  for (const [field, value] of [
    ['pin_code', null],
    ['pin_code', '560048'],
    ['pin_code', 1],
    ['property_type', null],
    ['property_type', 'x'],
    ['alias_name', ''],
    ['alias_name', 1],
    ['society_building', 'x'.repeat(256)],
    ['common_amenities', ['']],
    ['common_amenities', 'x'],
    ['country', ''],
  ] as const) {
    test(`400: ${field} ${JSON.stringify(value).slice(0, 20)}`, async () => {
      const { owner, data, path, patch } = await createFixture()
      expect(toResult(await patch({ landmark: 'changed', [field]: value }))).toEqual([
        400,
        broken(getPlace(field, value)),
      ])
      expect((await owner.call('GET', path)).body.data).toEqual(data)
    })
  }

  test('404: an unknown id or a deleted property', async () => {
    const { owner, data, path } = await createFixture()
    for (const method of ['PATCH', 'DELETE'])
      for (const id of NOWHERE)
        expect([
          id,
          (await owner.call(method, `/properties/${id}`, method === 'PATCH' ? {} : undefined)).status,
        ]).toEqual([id, 404])
    expect(toResult(await owner.call('DELETE', path))).toEqual([
      200,
      { success: true, data: { message: expect.any(String) } },
    ])
    for (const id of [data.id, data.property_id])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect(
          toResult(await owner.call(method, `/properties/${id}`, method === 'PATCH' ? {} : undefined)),
        ).toEqual([404, enveloped(404, 'Property not found')])
  })
})

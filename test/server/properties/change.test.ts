import { describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { createDraft, createUnit, signInUser, agreementTerms, type TestResponse } from '../../support/users'
import { server } from '../../support/server'
import { broken, enveloped } from '../http/forms'
import { NOWHERE, placeOf } from './shapes'

const it = server()
const seen = ({ status, body }: TestResponse) => [status, body]
const full = {
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
async function property(more: Record<string, unknown> = {}) {
  const owner = await signInUser(it.url)
  const {
    body: { data },
  } = await owner.call('POST', '/properties', { ...full, ...more })
  return {
    owner,
    data,
    path: `/properties/${data.id}`,
    patch: (change: unknown) => owner.call('PATCH', `/properties/${data.id}`, change),
  }
}

describe('changing a property', () => {
  test('200: `{}` changes nothing', async () => {
    const { owner, data, path, patch } = await property()
    expect(seen(await patch({}))).toEqual([
      200,
      { success: true, data: { ...data, updated_at: expect.any(String) } },
    ])
    expect((await owner.call('GET', path)).body.data).toMatchObject(full)
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
    test(`200: ${field} alone, the rest stays`, async () => {
      const { owner, data, path, patch } = await property()
      const changed = { ...data, [field]: value, updated_at: expect.any(String) }
      expect(seen(await patch({ [field]: value }))).toEqual([200, { success: true, data: changed }])
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
    test(`200: null clears ${field}${cleared ? `, which has a default` : ''}`, async () => {
      const { data, patch } = await property()
      expect((await patch({ [field]: null })).body.data).toEqual({
        ...data,
        [field]: cleared,
        updated_at: expect.any(String),
      })
    })
  }

  test('200: what the server owns is ignored', async () => {
    const { data, patch } = await property()
    const other = await signInUser(it.url)
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

  test('200: updated_at moves', async () => {
    const { data, patch } = await property()
    await Bun.sleep(5)
    expect(Date.parse((await patch({ landmark: 'x' })).body.data.updated_at)).toBeGreaterThan(
      Date.parse(data.updated_at),
    )
  })

  test('a changed PIN code is looked up again, whatever the payload says', async () => {
    const { patch } = await property()
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

  test('a PIN code that is unknown needs city, district and state of its own', async () => {
    const { owner, path, patch } = await property()
    expect(seen(await patch({ pin_code: 999999 }))).toEqual([400, broken('city', 'district', 'state')])
    expect(seen(await patch({ pin_code: 999999, city: 'Newtown', district: null }))).toEqual([
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
    expect(seen(await patch({ state: null }))).toEqual([400, broken('state')])
    expect(seen(await patch({ pin_code: 999998 }))).toEqual([400, broken('city', 'district', 'state')])
  })

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
      const { owner, data, path, patch } = await property()
      expect(seen(await patch({ landmark: 'changed', [field]: value }))).toEqual([
        400,
        broken(placeOf(field, value)),
      ])
      expect((await owner.call('GET', path)).body.data).toEqual(data)
    })
  }

  test('404: an id that names nothing, a deleted one', async () => {
    const { owner, data, path } = await property()
    for (const method of ['PATCH', 'DELETE'])
      for (const id of NOWHERE)
        expect([
          id,
          (await owner.call(method, `/properties/${id}`, method === 'PATCH' ? {} : undefined)).status,
        ]).toEqual([id, 404])
    expect(seen(await owner.call('DELETE', path))).toEqual([
      200,
      { success: true, data: { message: expect.any(String) } },
    ])
    for (const id of [data.id, data.property_id])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect(
          seen(await owner.call(method, `/properties/${id}`, method === 'PATCH' ? {} : undefined)),
        ).toEqual([404, enveloped(404, 'Property not found')])
  })
})

describe('deleting a property', () => {
  test('takes its units and drafts with it, everywhere', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const {
      property: { id, property_id },
      unit,
      agreement,
    } = await createDraft(owner, [tenant])
    expect((await owner.call('DELETE', `/properties/${property_id}`)).status).toBe(200)
    for (const path of [
      `/properties/${id}`,
      `/properties/${id}/units`,
      `/properties/${id}/units/${unit.id}`,
      `/agreements/${agreement.id}`,
      `/agreements/${agreement.id}/signatures`,
    ])
      expect([path, (await owner.call('GET', path)).status]).toEqual([path, 404])
    expect((await tenant.call('GET', `/agreements/${agreement.id}`)).status).toBe(404)
    for (const path of ['/properties', '/agreements', '/tenants'])
      expect((await owner.call('GET', path)).body).toMatchObject({ data: [], metadata: { total: 0 } })
    expect((await tenant.call('GET', '/agreements')).body.data).toEqual([])
    expect((await owner.call('POST', `/properties/${property_id}/units`, { unit_name: 'B' })).status).toBe(
      404,
    )
    expect((await owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))).status).toBe(404)
    expect((await owner.call('PATCH', `/agreements/${agreement.id}`, {})).status).toBe(404)
    expect(
      (await owner.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: tenant.id })).status,
    ).toBe(404)
    const rows = await getKysely(it.em())
      .selectFrom('properties')
      .where('id', '=', id)
      .select('is_active')
      .execute()
    expect(rows).toEqual([{ is_active: false }])
  })

  for (const [status, answer] of [
    ['DRAFT', 200],
    ['PENDING', 400],
    ['ACTIVE', 400],
    ['TERMINATED', 200],
    ['COMPLETED', 200],
  ] as const) {
    test(`${answer}: with an agreement that is ${status}`, async () => {
      const owner = await signInUser(it.url)
      const tenant = await signInUser(it.url)
      const { property, unit, agreement } = await createDraft(owner, [tenant])
      await getKysely(it.em())
        .updateTable('agreements')
        .set({ status })
        .where('id', '=', agreement.id)
        .execute()
      const gone = await owner.call('DELETE', `/properties/${property.id}`)
      expect(gone.status).toBe(answer)
      if (answer === 400) {
        expect(gone.body).toEqual(enveloped(400))
        expect((await owner.call('GET', `/properties/${property.id}/units/${unit.id}`)).status).toBe(200)
      }
      const kept = await owner.call('GET', `/agreements/${agreement.id}`)
      expect([
        kept.status,
        (await tenant.call('GET', `/agreements/${agreement.id}`)).status,
        (await owner.call('GET', '/agreements')).body.data.length,
      ]).toEqual(status === 'DRAFT' ? [404, 404, 0] : [200, 200, 1])
      if (status === 'TERMINATED')
        expect((await owner.call('POST', `/agreements/${agreement.id}/complete`)).status).toBe(200)
    })
  }
})

describe('a building of several landlords', () => {
  async function shared() {
    const creator = await signInUser(it.url)
    const other = await signInUser(it.url)
    const { property, unit } = await createUnit(creator)
    const {
      body: { data: theirs },
    } = await other.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'B-202' })
    return { creator, other, property, unit, theirs }
  }

  test('201 by its UUID, 404 by its number until one has a unit in it', async () => {
    const { property } = await createUnit(await signInUser(it.url))
    const other = await signInUser(it.url)
    expect((await other.call('GET', `/properties/${property.property_id}`)).status).toBe(404)
    expect(seen(await other.call('POST', `/properties/${property.id}/units`, { unit_name: 'B' }))).toEqual([
      404,
      enveloped(404, 'Property not found'),
    ])
    expect(
      (await other.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'B' })).body.data,
    ).toMatchObject({ landlord_id: other.id, managed_by_id: other.id, property_id: property.id })
    expect((await other.call('POST', `/properties/${property.id}/units`, { unit_name: 'C' })).status).toBe(
      201,
    )
  })

  test('each sees the building in the list, and own units only', async () => {
    const { creator, other, property, unit, theirs } = await shared()
    for (const [person, own, foreign] of [
      [creator, unit, theirs],
      [other, theirs, unit],
    ] as const) {
      expect((await person.call('GET', '/properties')).body.data).toMatchObject([{ id: property.id }])
      expect(
        (await person.call('GET', `/properties/${property.id}`)).body.data.property_units.map(
          ({ id }: any) => id,
        ),
      ).toEqual([own.id])
      expect((await person.call('GET', `/properties/${property.id}/units`)).body).toMatchObject({
        data: [{ id: own.id }],
        metadata: { total: 1 },
      })
      for (const [method, body] of [
        ['GET', undefined],
        ['PATCH', {}],
        ['DELETE', undefined],
      ] as const)
        expect(
          (await person.call(method, `/properties/${property.id}/units/${foreign.id}`, body)).status,
        ).toBe(404)
      const tenant = await signInUser(it.url)
      expect(seen(await person.call('POST', '/agreements', agreementTerms(foreign.id, [tenant.id])))).toEqual(
        [404, enveloped(404, 'Property unit not found')],
      )
    }
  })

  test('only its creator changes it', async () => {
    const { creator, other, property } = await shared()
    expect(seen(await other.call('PATCH', `/properties/${property.id}`, { alias_name: 'Mine' }))).toEqual([
      403,
      enveloped(403),
    ])
    expect(seen(await other.call('DELETE', `/properties/${property.id}`))).toEqual([403, enveloped(403)])
    expect((await creator.call('PATCH', `/properties/${property.id}`, { alias_name: 'Mine' })).status).toBe(
      200,
    )
  })

  test('400: it is not deleted while another landlord has a unit in it', async () => {
    const { creator, other, property, unit, theirs } = await shared()
    expect(seen(await creator.call('DELETE', `/properties/${property.id}`))).toEqual([400, enveloped(400)])
    expect((await creator.call('GET', `/properties/${property.id}/units/${unit.id}`)).status).toBe(200)
    expect((await other.call('DELETE', `/properties/${property.id}/units/${theirs.id}`)).status).toBe(200)
    expect((await other.call('GET', `/properties/${property.id}`)).status).toBe(404)
    expect((await creator.call('DELETE', `/properties/${property.id}`)).status).toBe(200)
  })

  test('404 by its UUID once it is deleted', async () => {
    const creator = await signInUser(it.url)
    const other = await signInUser(it.url)
    const { property } = await createUnit(creator)
    await creator.call('DELETE', `/properties/${property.id}`)
    expect(
      (await other.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'B' })).status,
    ).toBe(404)
  })
})

import { beforeAll, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import {
  createDraft,
  createUnit,
  signInUser,
  agreementTerms,
  type TestResponse,
  type TestUser,
} from '../../support/users'
import { server } from '../../support/server'
import { broken, enveloped } from '../http/forms'
import { NOWHERE, placeOf, unitShape } from '../properties/shapes'

const it = server()
const seen = ({ status, body }: TestResponse) => [status, body]
const full = {
  unit_name: 'A-102',
  room_type: '2bhk',
  furnishing_type: 'semi_furnished',
  furniture_included: 'Beds, wardrobes',
  area_sqft: 1050.75,
  floor_number: -1,
  is_available: false,
  unit_notes: 'Corner',
  unit_amenities: ['balcony', 'null', '{}'],
}
async function home(more: Record<string, unknown> = {}) {
  const owner = await signInUser(it.url)
  const { property, unit } = await createUnit(owner, more)
  return {
    owner,
    property,
    unit,
    units: `/properties/${property.id}/units`,
    path: `/properties/${property.id}/units/${unit.id}`,
  }
}

describe('adding a unit', () => {
  test('201: needs a name alone', async () => {
    const { owner, property, units } = await home()
    expect(seen(await owner.call('POST', units, { unit_name: 'A-102' }))).toEqual([
      201,
      {
        success: true,
        data: unitShape({
          unit_name: 'A-102',
          property_id: property.id,
          landlord_id: owner.id,
          managed_by_id: owner.id,
        }),
      },
    ])
  })

  test('201: has every field as it was given, and a manager', async () => {
    const { owner, property } = await home()
    const manager = await signInUser(it.url)
    expect(
      seen(
        await owner.call('POST', `/properties/${property.property_id}/units`, {
          ...full,
          managed_by_id: manager.id,
          landlord_id: manager.id,
          id: 1,
          property_id: 1,
          is_active: false,
        }),
      ),
    ).toEqual([
      201,
      {
        success: true,
        data: unitShape({
          ...full,
          property_id: property.id,
          landlord_id: owner.id,
          managed_by_id: manager.id,
        }),
      },
    ])
  })

  test('201: null for every optional field is as not given', async () => {
    const { owner, units } = await home()
    expect(
      (
        await owner.call('POST', units, {
          ...Object.fromEntries(Object.keys(full).map(name => [name, null])),
          managed_by_id: null,
          unit_name: 'X',
        })
      ).body.data,
    ).toEqual(unitShape({ unit_name: 'X', managed_by_id: owner.id }))
  })

  for (const [field, values] of Object.entries({
    room_type: ['1rk', '1bhk', '2bhk', '3bhk', '4bhk', '5bhk', 'other'],
    furnishing_type: ['fully_furnished', 'semi_furnished', 'unfurnished'],
    area_sqft: [0.01, 1, 9_999_999],
    floor_number: [-20, 0, 300],
  })) {
    test(`201: ${field} may be ${values.join(', ')}`, async () => {
      const { owner, units } = await home()
      for (const value of values)
        expect((await owner.call('POST', units, { unit_name: 'X', [field]: value })).body.data[field]).toBe(
          value,
        )
    })
  }

  for (const [field, values] of Object.entries({
    unit_name: [undefined, null, '', ' ', 1, 'x'.repeat(256), 'a\0b'],
    room_type: ['6bhk', '', 2, '2BHK'],
    furnishing_type: ['x', 1],
    furniture_included: ['', 1, 'x'.repeat(5001)],
    area_sqft: [0, -1, '100', 1.005, 10_000_000, true],
    floor_number: [1.5, '1', -21, 301],
    is_available: ['true', 1],
    unit_notes: ['', [], 'x'.repeat(5001)],
    unit_amenities: ['x', [1], [''], Array(101).fill('x')],
    managed_by_id: [0, -1, 1.5, '1', 2_147_483_648, 2_000_000_000],
  })) {
    test(`400: ${field} ${JSON.stringify(values).slice(0, 60)}`, async () => {
      const { owner, units } = await home()
      for (const value of values)
        expect([value, ...seen(await owner.call('POST', units, { unit_name: 'X', [field]: value }))]).toEqual(
          [value, 400, broken(placeOf(field, value))],
        )
      expect((await owner.call('GET', units)).body.metadata.total).toBe(1)
    })
  }

  test('400: an inactive manager is named', async () => {
    const { owner, units, path } = await home()
    const inactive = await signInUser(it.url)
    await getKysely(it.em())
      .updateTable('users')
      .set({ is_active: false })
      .where('id', '=', inactive.id)
      .execute()
    for (const answer of [
      await owner.call('POST', units, { unit_name: 'X', managed_by_id: inactive.id }),
      await owner.call('PATCH', path, { managed_by_id: inactive.id }),
    ]) {
      expect(seen(answer)).toEqual([400, broken('managed_by_id')])
      expect(answer.body.error.message).toContain(String(inactive.id))
    }
  })
})

describe('404: a unit', () => {
  for (const [method, body] of [
    ['GET', undefined],
    ['PATCH', {}],
    ['DELETE', undefined],
  ] as const) {
    test(`${method} of one that names nothing, of another property's, of somebody else's, of a deleted one`, async () => {
      const { owner, property, unit, units, path } = await home()
      const elsewhere = await createUnit(owner)
      const stranger = await signInUser(it.url)
      for (const id of [...NOWHERE, elsewhere.unit.id, elsewhere.unit.property_unit_id])
        expect([id, (await owner.call(method, `${units}/${id}`, body)).status]).toEqual([id, 404])
      for (const id of NOWHERE)
        expect([id, (await owner.call(method, `/properties/${id}/units/${unit.id}`, body)).status]).toEqual([
          id,
          404,
        ])
      expect(seen(await stranger.call(method, path, body))).toEqual([404, enveloped(404)])
      await owner.call('DELETE', path)
      for (const id of [unit.id, unit.property_unit_id])
        expect(
          seen(await owner.call(method, `/properties/${property.property_id}/units/${id}`, body)),
        ).toEqual([404, enveloped(404, 'Property unit not found')])
    })
  }

  test('the list of a property that names nothing or is somebody else’s', async () => {
    const { property } = await home()
    const stranger = await signInUser(it.url)
    for (const id of [...NOWHERE, property.id, property.property_id])
      expect([id, (await stranger.call('GET', `/properties/${id}/units`)).status]).toEqual([id, 404])
  })
})

describe('the list', () => {
  let owner: TestUser
  let units: string
  let made: any[]
  beforeAll(async () => {
    const first = await home({ unit_name: 'B', area_sqft: 500, floor_number: 3 })
    owner = first.owner
    units = first.units
    made = [first.unit]
    for (const each of [
      { unit_name: 'A', area_sqft: 700, floor_number: 1, is_available: false },
      { unit_name: 'C 50%', area_sqft: 500, floor_number: 2 },
      { unit_name: 'A', area_sqft: 600, floor_number: 1 },
    ])
      made.push((await owner.call('POST', units, each)).body.data)
  })
  const ids = ({ body }: TestResponse) =>
    body.data.map(({ id }: { id: number }) => made.findIndex(each => each.id === id))

  test('200: in the order of their making, with what they are and how many', async () => {
    const answer = await owner.call('GET', units)
    expect(seen(answer)).toEqual([
      200,
      { success: true, data: made, metadata: { page: 1, limit: 50, total: 4, total_pages: 1 } },
    ])
  })

  for (const [field, order] of [
    ['id', [0, 1, 2, 3]],
    ['unit_name', [1, 3, 0, 2]],
    ['area_sqft', [0, 2, 3, 1]],
    ['floor_number', [1, 3, 2, 0]],
    ['created_at', [0, 1, 2, 3]],
    ['updated_at', [0, 1, 2, 3]],
  ] as const) {
    test(`sorted by ${field} both ways, ties by id, and in pages`, async () => {
      expect(ids(await owner.call('GET', `${units}?sort=${field}`))).toEqual([...order])
      expect(ids(await owner.call('GET', `${units}?sort=-${field}`))).toEqual(order.toReversed())
      expect(ids(await owner.call('GET', `${units}?sort=${field}&limit=3&page=2`))).toEqual(order.slice(3))
    })
  }

  for (const [filter, expected] of [
    ['q=a', [1, 3]],
    ['q=%25', [2]],
    ['is_available=true', [0, 2, 3]],
    ['is_available=false', [1]],
    ['is_available=true&q=a', [3]],
  ] as const) {
    test(`filtered by ${filter}`, async () => {
      const answer = await owner.call('GET', `${units}?${filter}`)
      expect([ids(answer), answer.body.metadata.total]).toEqual([[...expected], expected.length])
    })
  }

  for (const [filter, field] of [
    ['page=0', 'page'],
    ['limit=101', 'limit'],
    ['sort=landlord_id', 'sort'],
    ['is_available=yes', 'is_available'],
    ['is_available=1', 'is_available'],
    ['is_available=', 'is_available'],
    ['q=', 'q'],
  ] as const) {
    test(`400: ${filter}`, async () => {
      expect(seen(await owner.call('GET', `${units}?${filter}`))).toEqual([400, broken(field)])
    })
  }
})

describe('changing a unit', () => {
  test('200: `{}` changes nothing, what the server owns is ignored', async () => {
    const { owner, unit, path } = await home(full)
    for (const change of [
      {},
      {
        id: 1,
        property_unit_id: crypto.randomUUID(),
        property_id: 1,
        landlord_id: 1,
        is_active: false,
        created_at: '2000-01-01',
        nonsense: 1,
      },
    ])
      expect(seen(await owner.call('PATCH', path, change))).toEqual([
        200,
        { success: true, data: { ...unit, updated_at: expect.any(String) } },
      ])
  })

  for (const [field, value, cleared] of [
    ['unit_name', 'Z', undefined],
    ['room_type', '1rk', null],
    ['furnishing_type', 'unfurnished', null],
    ['furniture_included', 'Fans', null],
    ['area_sqft', 99.5, null],
    ['floor_number', 9, null],
    ['is_available', true, true],
    ['unit_notes', 'x', null],
    ['unit_amenities', ['x'], null],
  ] as const) {
    test(`200: ${field} alone${cleared === undefined ? '' : `; null ${cleared === null ? 'clears it' : 'is its default'}`}`, async () => {
      const { owner, unit, path } = await home(full)
      const changed = { ...unit, [field]: value, updated_at: expect.any(String) }
      expect((await owner.call('PATCH', path, { [field]: value })).body.data).toEqual(changed)
      expect((await owner.call('GET', path)).body.data).toEqual(changed)
      if (cleared !== undefined)
        expect((await owner.call('PATCH', path, { [field]: null })).body.data[field]).toBe(cleared)
    })
  }

  for (const [field, value] of [
    ['unit_name', null],
    ['unit_name', ''],
    ['room_type', 'x'],
    ['area_sqft', 0],
    ['floor_number', 0.5],
    ['is_available', 'no'],
    ['unit_amenities', [1]],
    ['managed_by_id', 0],
    ['managed_by_id', 2_000_000_000],
  ] as const) {
    test(`400: ${field} ${JSON.stringify(value)}`, async () => {
      const { owner, unit, path } = await home(full)
      expect(seen(await owner.call('PATCH', path, { unit_notes: 'changed', [field]: value }))).toEqual([
        400,
        broken(placeOf(field, value)),
      ])
      expect((await owner.call('GET', path)).body.data).toEqual(unit)
    })
  }

  test('200: the landlord names a manager, another one, and with null nobody', async () => {
    const { owner, path } = await home()
    const first = await signInUser(it.url)
    const second = await signInUser(it.url)
    for (const managed_by_id of [first.id, second.id, null])
      expect((await owner.call('PATCH', path, { managed_by_id })).body.data.managed_by_id).toBe(
        managed_by_id ?? owner.id,
      )
    for (const former of [first, second]) expect((await former.call('GET', path)).status).toBe(404)
  })
})

describe('the manager of a unit', () => {
  async function managed() {
    const manager = await signInUser(it.url)
    const place = await home({ managed_by_id: manager.id })
    await place.owner.call('POST', place.units, { unit_name: 'unmanaged' })
    return { ...place, manager }
  }

  test('reads the property and the managed units alone', async () => {
    const { manager, property, unit, units } = await managed()
    expect((await manager.call('GET', `/properties/${property.id}`)).body.data).toMatchObject({
      id: property.id,
      property_units: [{ id: unit.id }],
    })
    expect((await manager.call('GET', units)).body).toMatchObject({
      data: [{ id: unit.id }],
      metadata: { total: 1 },
    })
  })

  test('changes those units, but not who manages them', async () => {
    const { manager, owner, unit, path } = await managed()
    expect(
      (await manager.call('PATCH', path, { unit_notes: 'Painted', managed_by_id: manager.id })).body.data,
    ).toMatchObject({ unit_notes: 'Painted', managed_by_id: manager.id, landlord_id: owner.id })
    for (const managed_by_id of [null, owner.id, 2_000_000_000])
      expect(seen(await manager.call('PATCH', path, { unit_notes: 'x', managed_by_id }))).toEqual([
        403,
        enveloped(403),
      ])
    expect((await owner.call('GET', path)).body.data).toMatchObject({ id: unit.id, unit_notes: 'Painted' })
  })

  test('403 for everything else; 404 for units that others manage', async () => {
    const { manager, owner, property, units, path } = await managed()
    const other = (await owner.call('GET', `${units}?q=unmanaged`)).body.data[0]
    for (const [method, where, body] of [
      ['DELETE', path],
      ['POST', units, { unit_name: 'X' }],
      ['PATCH', `/properties/${property.id}`, {}],
      ['DELETE', `/properties/${property.property_id}`],
    ] as const)
      expect([where, ...seen(await manager.call(method, where, body))]).toEqual([where, 403, enveloped(403)])
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', {}],
      ['DELETE', undefined],
    ] as const)
      expect((await manager.call(method, `${units}/${other.id}`, body)).status).toBe(404)
  })

  test('draws up and ends agreements, which belong to the landlord', async () => {
    const { manager, owner, unit } = await managed()
    const tenant = await signInUser(it.url)
    const {
      status,
      body: { data },
    } = await manager.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))
    expect([status, data.landlord_id]).toEqual([201, owner.id])
    expect((await manager.call('GET', '/agreements')).body.data).toMatchObject([{ id: data.id }])
    expect((await manager.call('DELETE', `/agreements/${data.id}`)).status).toBe(200)
  })

  test('has no more to do with it once the unit is deleted', async () => {
    const { manager, owner, unit, property, path } = await managed()
    const tenant = await signInUser(it.url)
    const {
      body: { data },
    } = await owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))
    await getKysely(it.em())
      .updateTable('agreements')
      .set({ status: 'TERMINATED' })
      .where('id', '=', data.id)
      .execute()
    await owner.call('DELETE', path)
    expect((await manager.call('GET', `/properties/${property.id}`)).status).toBe(404)
    expect([
      (await manager.call('GET', `/agreements/${data.id}`)).status,
      (await manager.call('GET', '/agreements')).body.data,
    ]).toEqual([404, []])
    expect([
      (await owner.call('GET', `/agreements/${data.id}`)).status,
      (await owner.call('GET', '/agreements')).body.data.length,
    ]).toEqual([200, 1])
  })
})

describe('deleting a unit', () => {
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
      const path = `/properties/${property.id}/units/${unit.id}`
      await getKysely(it.em())
        .updateTable('agreements')
        .set({ status })
        .where('id', '=', agreement.id)
        .execute()
      expect(seen(await owner.call('DELETE', path))).toEqual([
        answer,
        answer === 200 ? { success: true, data: { message: expect.any(String) } } : enveloped(400),
      ])
      expect((await owner.call('GET', `/properties/${property.id}`)).body.data.property_units).toHaveLength(
        answer === 200 ? 0 : 1,
      )
      expect((await owner.call('GET', `/agreements/${agreement.id}`)).status).toBe(
        status === 'DRAFT' ? 404 : 200,
      )
    })
  }
})

test('a unit is unavailable while it has an ACTIVE agreement, whatever the landlord says', async () => {
  const owner = await signInUser(it.url)
  const tenant = await signInUser(it.url)
  const { property, unit, agreement } = await createDraft(owner, [tenant])
  const path = `/properties/${property.id}/units/${unit.id}`
  const available = async () => [
    (await owner.call('GET', path)).body.data.is_available,
    (await owner.call('GET', `/properties/${property.id}`)).body.data.property_units[0].is_available,
    (await owner.call('GET', `/properties/${property.id}/units?is_available=true`)).body.metadata.total === 1,
  ]
  for (const [status, free] of [
    ['DRAFT', true],
    ['PENDING', true],
    ['ACTIVE', false],
    ['TERMINATED', true],
    ['COMPLETED', true],
  ] as const) {
    await getKysely(it.em())
      .updateTable('agreements')
      .set({ status })
      .where('id', '=', agreement.id)
      .execute()
    expect([status, ...(await available())]).toEqual([status, free, free, free])
    expect((await owner.call('PATCH', path, { is_available: true })).body.data.is_available).toBe(free)
  }
})

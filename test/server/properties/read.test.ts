import { beforeAll, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { createUnit, signInUser, type TestResponse, type TestUser } from '../../support/users'
import { server } from '../../support/server'
import { broken, enveloped } from '../http/forms'
import { NOWHERE, propertyShape, unitShape } from './shapes'

const it = server()
const seen = ({ status, body }: TestResponse) => [status, body]
const ids = ({ body }: TestResponse) => body.data.map(({ id }: { id: number }) => id)
let owner: TestUser
let made: any[]
beforeAll(async () => {
  owner = await signInUser(it.url)
  const more = [
    { alias_name: 'Cedar', pin_code: 682001 },
    { alias_name: 'Acacia', property_type: 'pg' },
    { alias_name: 'Banyan', society_building: '100% Green_House', pin_code: 110001 },
    { alias_name: 'Acacia', locality: 'Whitefield' },
    { alias_name: 'Date\\Palm', pin_code: 682001, property_type: 'pg' },
  ]
  made = []
  for (const each of more)
    made.push(
      (await owner.call('POST', '/properties', { pin_code: 560048, property_type: 'apartment', ...each }))
        .body.data,
    )
})

describe('getting a property', () => {
  test('200: by number and by UUID in any case, with its units', async () => {
    const { property, unit } = await createUnit(owner)
    for (const id of [property.id, property.property_id, property.property_id.toUpperCase()]) {
      const answer = await owner.call('GET', `/properties/${id}`)
      expect(seen(answer)).toEqual([
        200,
        {
          success: true,
          data: {
            ...propertyShape({
              society_building: 'White House',
              alias_name: 'White House',
              id: property.id,
              landlord_id: owner.id,
            }),
            property_units: [unitShape({ id: unit.id, property_id: property.id })],
          },
        },
      ])
    }
    await owner.call('DELETE', `/properties/${property.id}`)
  })

  test('404: an id that names nothing, one of somebody else, a deleted one', async () => {
    const other = await signInUser(it.url)
    const { property: gone } = await createUnit(owner)
    await owner.call('DELETE', `/properties/${gone.id}`)
    for (const id of [...NOWHERE, gone.id, gone.property_id])
      expect([id, ...seen(await owner.call('GET', `/properties/${id}`))]).toEqual([
        id,
        404,
        enveloped(404, expect.stringMatching(/^(Property|Path) not found$/)),
      ])
    for (const id of [made[0].id, made[0].property_id])
      expect(seen(await other.call('GET', `/properties/${id}`))).toEqual([
        404,
        enveloped(404, 'Property not found'),
      ])
  })
})

describe('the list', () => {
  test('200: newest first, exactly the properties without their units, and how many', async () => {
    const { status, body } = await owner.call('GET', '/properties')
    expect([status, body.metadata]).toEqual([200, { page: 1, limit: 50, total: 5, total_pages: 1 }])
    expect(body.data.map(({ id }: any) => id)).toEqual(made.map(({ id }) => id).toReversed())
    expect(body.data.at(-1)).toEqual(
      propertyShape({
        alias_name: 'Cedar',
        pin_code: 682001,
        district: 'Ernakulam',
        city: 'Kochi',
        state: 'Kerala',
        landlord_id: owner.id,
      }),
    )
    expect(Object.keys(body).toSorted()).toEqual(['data', 'metadata', 'success'])
  })

  test("is empty for somebody without properties; a manager's holds none of those managed", async () => {
    const manager = await signInUser(it.url)
    const other = await signInUser(it.url)
    await createUnit(other, { managed_by_id: manager.id })
    expect((await manager.call('GET', '/properties')).body).toEqual({
      success: true,
      data: [],
      metadata: { page: 1, limit: 50, total: 0, total_pages: 0 },
    })
  })

  for (const [field, order] of [
    ['id', [0, 1, 2, 3, 4]],
    ['alias_name', [1, 3, 2, 0, 4]],
    ['city', [1, 3, 0, 4, 2]],
    ['pin_code', [2, 1, 3, 0, 4]],
    ['created_at', [0, 1, 2, 3, 4]],
    ['updated_at', [0, 1, 2, 3, 4]],
  ] as const) {
    test(`sorted by ${field} both ways, ties by id`, async () => {
      const expected = order.map(index => made[index].id)
      expect(ids(await owner.call('GET', `/properties?sort=${field}`))).toEqual(expected)
      expect(ids(await owner.call('GET', `/properties?sort=-${field}`))).toEqual(expected.toReversed())
    })
  }

  test('in pages that together are the whole', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map(page => owner.call('GET', `/properties?sort=alias_name&limit=2&page=${page}`)),
    )
    expect(pages.map(({ body }) => body.data.length)).toEqual([2, 2, 1, 0])
    expect(pages.map(({ body }) => body.metadata)).toEqual(
      [1, 2, 3, 4].map(page => ({ page, limit: 2, total: 5, total_pages: 3 })),
    )
    expect(pages.flatMap(ids)).toEqual(ids(await owner.call('GET', '/properties?sort=alias_name')))
  })

  for (const [filter, expected] of [
    ['q=acac', [1, 3]],
    ['q=ACACIA', [1, 3]],
    ['q=whitefield', [3]],
    ['q=kochi', [0, 4]],
    ['q=100%25%20Green_', [2]],
    ['q=%25', [2]],
    ['q=_', [2]],
    ['q=%5C', [4]],
    ['q=nothing', []],
    ['q=%27%3B--', []],
    ['property_type=pg', [1, 4]],
    ['pin_code=682001', [0, 4]],
    ['pin_code=682001&property_type=pg', [4]],
    ['pin_code=999999', []],
    ['unknown=1', [0, 1, 2, 3, 4]],
  ] as const) {
    test(`filtered by ${filter}`, async () => {
      const answer = await owner.call('GET', `/properties?sort=id&${filter}`)
      expect(ids(answer)).toEqual(expected.map(index => made[index].id))
      expect(answer.body.metadata.total).toBe(expected.length)
    })
  }

  for (const [filter, field] of [
    ...['0', '-1', '1.5', 'x', '', '1000001', '1e2', '01x', '99999999999999999999'].map(page => [
      `page=${page}`,
      'page',
    ]),
    ...['0', '101', 'x', '', '-5', '2.5'].map(limit => [`limit=${limit}`, 'limit']),
    ...['nonsense', '', 'landlord_id', '--id', '+id', 'ID', 'id;drop', 'constructor'].map(sort => [
      `sort=${encodeURIComponent(sort)}`,
      'sort',
    ]),
    ['q=', 'q'],
    ['q=%20', 'q'],
    [`q=${'x'.repeat(101)}`, 'q'],
    ['q=%00', 'q'],
    ['property_type=x', 'property_type'],
    ['pin_code=1', 'pin_code'],
    ['pin_code=x', 'pin_code'],
    ['pin_code=', 'pin_code'],
  ] as const) {
    test(`400: ${filter.slice(0, 40)}`, async () => {
      expect(seen(await owner.call('GET', `/properties?${filter}`))).toEqual([400, broken(field!)])
    })
  }
})

describe('the search', () => {
  const search = (person: TestUser, parameters: Record<string, string | number>) =>
    person.call(
      'GET',
      `/properties/search?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`,
    )
  const building = async (society_building: string, pin_code: number, more: Record<string, unknown> = {}) =>
    (
      await (
        await signInUser(it.url)
      ).call('POST', '/properties', { pin_code, property_type: 'apartment', society_building, ...more })
    ).body.data

  test('200: shows the building and nobody’s identity, to anybody', async () => {
    const property = await building('Prestige Shantiniketan', 560066, {
      locality: 'Hoodi',
      alias_name: 'Ours',
      common_amenities: ['pool'],
    })
    const {
      society_building,
      survey_number,
      road_name,
      locality,
      landmark,
      pin_code,
      district,
      city,
      state,
      country,
      property_type,
      property_id,
    } = property
    expect(
      seen(await search(await signInUser(it.url), { name: 'prestige shantiniketan', pin_code: 560066 })),
    ).toEqual([
      200,
      {
        success: true,
        metadata: { page: 1, limit: 10, total: 1, total_pages: 1 },
        data: [
          {
            property_id,
            society_building,
            survey_number,
            road_name,
            locality,
            landmark,
            pin_code,
            district,
            city,
            state,
            country,
            property_type,
            score: 1,
          },
        ],
      },
    ])
  })

  test('finds names that are similar by at least 0.3, at exactly this PIN code, best first', async () => {
    const exact = await building('Green Meadows', 411001)
    const near = await building('Green Medows Phase 2', 411001)
    await building('Green Meadows', 411002)
    await building('Skyline Towers', 411001)
    const { body } = await search(owner, { name: 'Green Meadows', pin_code: 411001 })
    expect(body.data.map(({ property_id }: any) => property_id)).toEqual([
      exact.property_id,
      near.property_id,
    ])
    for (const { score } of body.data) expect(score).toBeWithin(0.3, 1.0001)
    expect((await search(owner, { name: 'xyz', pin_code: 411001 })).body.data).toEqual([])
  })

  test('a similar locality counts for it', async () => {
    const far = await building('Sunrise Residency', 600001, { locality: 'Parrys' })
    const close = await building('Sunrise Residency', 600001, { locality: 'George Town' })
    const found = async (locality?: string) =>
      (await search(owner, { name: 'Sunrise Residency', pin_code: 600001, ...(locality && { locality }) }))
        .body.data
    expect((await found()).map(({ property_id }: any) => property_id)).toEqual([
      far.property_id,
      close.property_id,
    ])
    const scored = await found('Georgetown')
    expect(scored.map(({ property_id }: any) => property_id)).toEqual([close.property_id, far.property_id])
    expect(scored[0].score).toBeGreaterThan(scored[1].score)
  })

  test('answers at most 10', async () => {
    for (let index = 0; index < 12; index++) await building('Lake View', 700001)
    const { body } = await search(owner, { name: 'Lake View', pin_code: 700001 })
    expect([body.data.length, body.metadata]).toEqual([10, { page: 1, limit: 10, total: 10, total_pages: 1 }])
  })

  test('does not find what was deleted', async () => {
    const person = await signInUser(it.url)
    const {
      body: { data },
    } = await person.call('POST', '/properties', {
      pin_code: 302001,
      property_type: 'pg',
      society_building: 'Amber Court',
    })
    await person.call('DELETE', `/properties/${data.id}`)
    expect((await search(owner, { name: 'Amber Court', pin_code: 302001 })).body.data).toEqual([])
  })

  test('has no trouble with the special characters of a pattern', async () => {
    for (const name of ['%', '_', "'", '\\', '"', '💥', 'x'.repeat(255), "'; drop table users; --"])
      expect((await search(owner, { name, pin_code: 411001 })).status).toBe(200)
    expect((await getKysely(it.em()).selectFrom('users').select('id').limit(1).execute()).length).toBe(1)
  })

  for (const [parameters, fields] of [
    ['', ['name', 'pin_code']],
    ['name=x', ['pin_code']],
    ['pin_code=560048', ['name']],
    ['name=&pin_code=560048', ['name']],
    ['name=%20&pin_code=560048', ['name']],
    ['name=x&pin_code=56004', ['pin_code']],
    ['name=x&pin_code=x', ['pin_code']],
    ['name=x&pin_code=560048&locality=', ['locality']],
    [`name=${'x'.repeat(256)}&pin_code=560048`, ['name']],
  ] as const) {
    test(`400: ?${parameters.slice(0, 50)}`, async () => {
      expect(seen(await owner.call('GET', `/properties/search?${parameters}`))).toEqual([
        400,
        broken(...fields),
      ])
    })
  }
})

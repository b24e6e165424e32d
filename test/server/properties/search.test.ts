import { beforeAll, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { signInUser, type TestResponse, type TestUser } from '../../support/users'
import { broken } from '../http/forms'

const server = testServer()
const seen = ({ status, body }: TestResponse) => [status, body]
let owner: TestUser
beforeAll(async () => {
  owner = await signInUser(server)
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
        await signInUser(server)
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
      seen(await search(await signInUser(server), { name: 'prestige shantiniketan', pin_code: 560066 })),
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
    const person = await signInUser(server)
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
    expect((await getKysely(server.em()).selectFrom('users').select('id').limit(1).execute()).length).toBe(1)
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

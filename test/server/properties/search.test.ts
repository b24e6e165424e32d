import { beforeAll, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { signInUser, type TestResponse, type TestUser } from '../../support/users'
import { broken } from '../http/forms'

const server = testServer()
const toResult = ({ status, body }: TestResponse) => [status, body]
let owner: TestUser
beforeAll(async () => {
  owner = await signInUser(server)
})

const search = (person: TestUser, parameters: Record<string, string | number>) =>
  person.call(
    'GET',
    `/properties/search?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]))}`,
  )
const createBuilding = async (
  society_building: string,
  pin_code: number,
  more: Record<string, unknown> = {},
) =>
  (
    await (
      await signInUser(server)
    ).call('POST', '/properties', { pin_code, property_type: 'apartment', society_building, ...more })
  ).body.data

const PUBLIC_FIELDS = [
  'property_id',
  'society_building',
  'survey_number',
  'road_name',
  'locality',
  'landmark',
  'pin_code',
  'district',
  'city',
  'state',
  'country',
  'property_type',
]

describe('the search', () => {
  test('200: shows a building without personal data to every user', async () => {
    const property = await createBuilding('Prestige Shantiniketan', 560066, {
      locality: 'Hoodi',
      alias_name: 'Ours',
      common_amenities: ['pool'],
    })
    const publicData = Object.fromEntries(PUBLIC_FIELDS.map(field => [field, property[field]]))
    expect(
      toResult(await search(await signInUser(server), { name: 'prestige shantiniketan', pin_code: 560066 })),
    ).toEqual([
      200,
      {
        success: true,
        metadata: { page: 1, limit: 10, total: 1, total_pages: 1 },
        data: [{ ...publicData, score: 1 }],
      },
    ])
  })

  test('finds names with a similarity of at least 0.3 at the same PIN code, best first', async () => {
    const exact = await createBuilding('Green Meadows', 411001)
    const near = await createBuilding('Green Medows Phase 2', 411001)
    await createBuilding('Green Meadows', 411002)
    await createBuilding('Skyline Towers', 411001)
    const { body } = await search(owner, { name: 'Green Meadows', pin_code: 411001 })
    expect(body.data.map(({ property_id }: any) => property_id)).toEqual([
      exact.property_id,
      near.property_id,
    ])
    for (const { score } of body.data) expect(score).toBeWithin(0.3, 1.0001)
    expect((await search(owner, { name: 'xyz', pin_code: 411001 })).body.data).toEqual([])
  })
})

describe('the results', () => {
  test('rank a similar locality higher', async () => {
    const far = await createBuilding('Sunrise Residency', 600001, { locality: 'Parrys' })
    const close = await createBuilding('Sunrise Residency', 600001, { locality: 'George Town' })
    const findBuildings = async (locality?: string) =>
      (await search(owner, { name: 'Sunrise Residency', pin_code: 600001, ...(locality && { locality }) }))
        .body.data
    expect((await findBuildings()).map(({ property_id }: any) => property_id)).toEqual([
      far.property_id,
      close.property_id,
    ])
    const scored = await findBuildings('Georgetown')
    expect(scored.map(({ property_id }: any) => property_id)).toEqual([close.property_id, far.property_id])
    expect(scored[0].score).toBeGreaterThan(scored[1].score)
  })
  test('are at most 10', async () => {
    for (let index = 0; index < 12; index++) await createBuilding('Lake View', 700001)
    const { body } = await search(owner, { name: 'Lake View', pin_code: 700001 })
    expect([body.data.length, body.metadata]).toEqual([10, { page: 1, limit: 10, total: 10, total_pages: 1 }])
  })

  test('have no deleted properties', async () => {
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

  test('200: the name can have special characters of patterns', async () => {
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
      expect(toResult(await owner.call('GET', `/properties/search?${parameters}`))).toEqual([
        400,
        broken(...fields),
      ])
    })
  }
})

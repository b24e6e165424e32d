import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { createProperty, signInUser } from '../../support/users'

const server = testServer()

/** Lists buildings at a PIN code of their own, and returns a search there. */
async function createBuildings(
  pin_code: number,
  buildings: { society_building: string; locality?: string }[],
) {
  const landlord = await signInUser(server)
  for (const building of buildings) await createProperty(landlord, { pin_code, ...building })

  type Found = { society_building: string; locality: string; score: number }
  const search = async (query: Record<string, string>): Promise<Found[]> => {
    const parameters = new URLSearchParams({ ...query, pin_code: String(pin_code) })
    return (await landlord.get(`/properties/search?${parameters}`)).data
  }
  return { landlord, search }
}

test('a name counts from a similarity of 0.3, the best one first', async () => {
  const names = ['The White Palace', 'Whitehall', 'White Horse Estate', 'Whitefield', 'White House', 'White']
  const { search } = await createBuildings(
    560001,
    names.map(society_building => ({ society_building })),
  )

  const found = await search({ name: 'White House' })

  // Similarities of 0.29, 0.28 and 0.26 are too little.
  expect(found.map(({ society_building, score }) => [society_building, score])).toEqual([
    ['White House', 1],
    ['White', 0.5],
    ['White Horse Estate', 0.4286],
  ])
})

test('the locality is a quarter of the score', async () => {
  const { search } = await createBuildings(560002, [
    { society_building: 'White', locality: 'Hoodi' },
    { society_building: 'White House', locality: 'Jayanagar' },
    { society_building: 'White House' },
  ])

  const found = await search({ name: 'White House', locality: 'Hoodi' })

  expect(found.map(({ score }) => score)).toEqual([0.75, 0.75, 0.625])
})

test('equal scores are sorted by id, whatever the order in the table', async () => {
  const { landlord, search } = await createBuildings(560003, [])
  const place = { pin_code: 560003, city: 'Bengaluru', district: 'Bengaluru Urban', state: 'Karnataka' }
  for (const id of [9003, 9001, 9002])
    await getKysely(server.em())
      .insertInto('properties')
      .values({
        ...place,
        id,
        landlord_id: landlord.id,
        alias_name: 'Ours',
        property_type: 'pg',
        society_building: 'White House',
        locality: String(id),
      })
      .execute()

  const found = await search({ name: 'White House' })

  expect(found.map(({ locality }) => locality)).toEqual(['9001', '9002', '9003'])
})

test('of a long name the first hundred characters are compared', async () => {
  const name = 'The White House of the Rao family '.repeat(3).slice(0, 100)
  const other = 'something else entirely '.repeat(6)
  const building = { society_building: `${name}${other}`, locality: `${name}${other}` }
  const { search } = await createBuildings(560078, [building])
  for (const query of [{ name }, { name: `${name}${'quite other words '.repeat(8)}` }])
    expect(await search({ ...query, locality: name })).toMatchObject([{ score: 1 }])
})

import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { createProperty, signInUser } from '../../support/users'

const server = testServer()

/** Lists buildings at a PIN code of their own, and returns a search there as names and scores. */
async function createBuildings(
  pin_code: number,
  buildings: { society_building: string; locality?: string }[],
) {
  const landlord = await signInUser(server)
  const paths: string[] = []
  for (const building of buildings)
    paths.push((await createProperty(landlord, { pin_code, ...building })).path)

  type Found = { society_building: string; score: number; property_id: string }
  const search = async (query: Record<string, string>): Promise<Found[]> => {
    const parameters = new URLSearchParams({ ...query, pin_code: String(pin_code) })
    return (await landlord.get(`/properties/search?${parameters}`)).data
  }
  return { landlord, paths, search }
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

test('equal scores are sorted by age, also after a change of the older building', async () => {
  const { landlord, paths, search } = await createBuildings(560003, [
    { society_building: 'White House', locality: 'First' },
    { society_building: 'White House', locality: 'Second' },
    { society_building: 'White House', locality: 'Third' },
  ])
  const before = await search({ name: 'White House' })

  for (const path of paths.slice(0, 2)) await landlord.patch(path, { landmark: 'The old well' })

  const toIds = (found: { property_id: string }[]) => found.map(({ property_id }) => property_id)
  expect(toIds(await search({ name: 'White House' }))).toEqual(toIds(before))
})

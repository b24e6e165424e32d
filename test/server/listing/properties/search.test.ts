import { describe, expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { createProperty, signInUser } from '../../../support/users'
import { toTimestamps } from '../../../support/timestamps'

const server = testServer()

type Building = { society_building: string; locality?: string } & Record<string, unknown>
type Found = { property_id: string; society_building: string; locality: string; score: number }

/** Lists buildings at a PIN code of their own, and returns a search there. */
async function createBuildings(pin_code: number, buildings: Building[]) {
  const landlord = await signInUser(server)
  const properties = []
  for (const building of buildings)
    properties.push((await createProperty(landlord, { pin_code, ...building })).property)
  const reader = await signInUser(server)
  const find = (query: Record<string, string>) =>
    reader.get(`/properties/search?${new URLSearchParams({ ...query, pin_code: String(pin_code) })}`)
  const search = async (query: Record<string, string>): Promise<Found[]> => (await find(query)).data
  return { landlord, properties, find, search }
}

const listNames = (found: Found[]) => found.map(({ society_building }) => society_building)

test('200: shows a building without personal data to every user', async () => {
  const { properties, find } = await createBuildings(560066, [
    { society_building: 'Prestige', locality: 'Hoodi', alias_name: 'Ours', common_amenities: ['pool'] },
  ])
  const shown = `property_id society_building survey_number road_name locality landmark
    pin_code district city state country property_type`.split(/\s+/)
  const building = Object.fromEntries(shown.map(name => [name, properties[0][name]]))

  const { body } = await find({ name: 'prestige' })

  expect(body).toEqual({
    success: true,
    metadata: { page: 1, limit: 10, total: 1, total_pages: 1 },
    data: [{ ...building, score: 1 }],
  })
})

test('a name counts from a similarity of 0.3, the best one first, at the same PIN code', async () => {
  const names = ['The White Palace', 'Whitehall', 'White Horse Estate', 'Whitefield', 'White House', 'White']
  await createBuildings(560009, [{ society_building: 'White House' }])
  const buildings = names.map(society_building => ({ society_building }))
  const { search } = await createBuildings(560001, buildings)

  const found = await search({ name: 'White House' })

  // Similarities of 0.29, 0.28 and 0.26 are too little.
  expect(found.map(({ society_building, score }) => [society_building, score])).toEqual([
    ['White House', 1],
    ['White', 0.5],
    ['White Horse Estate', 0.4286],
  ])
  expect(await search({ name: 'xyz' })).toEqual([])
})

test.each([
  ['Devanagari', 110001, 'शांति निवास', 'शान्ति निवास', 'कृष्ण कुंज'],
  ['Bengali', 700019, 'শান্তি নিবাস', 'শান্তি নিবাশ', 'কৃষ্ণ কুঞ্জ'],
  ['Gurmukhi', 141001, 'ਸ਼ਾਂਤੀ ਨਿਵਾਸ', 'ਸ਼ਾਤੀ ਨਿਵਾਸ', 'ਕ੍ਰਿਸ਼ਨ ਭਵਨ'],
  ['Gujarati', 380001, 'શાંતિ નિવાસ', 'શાન્તિ નિવાસ', 'કૃષ્ણ કુંજ'],
  ['Oriya', 751001, 'ଶାନ୍ତି ନିବାସ', 'ଶାନ୍ତୀ ନିବାସ', 'କୃଷ୍ଣ କୁଞ୍ଜ'],
  ['Tamil', 600004, 'அன்பு இல்லம்', 'அன்பு இல்லம', 'கிருஷ்ண பவன்'],
  ['Telugu', 500001, 'శాంతి నిలయం', 'శాంతినిలయం', 'కృష్ణ భవన్'],
  ['Kannada', 560004, 'ಶಾಂತಿ ನಿಲಯ', 'ಶಾನ್ತಿ ನಿಲಯ', 'ಕೃಷ್ಣ ಭವನ'],
  ['Malayalam', 682001, 'ശാന്തി ഭവൻ', 'ശാന്തി ഭവനം', 'കൃഷ്ണ കൃപ'],
  ['Perso-Arabic', 190001, 'آشیانہ منزل', 'آشیانہ منزلیں', 'قلعہ نور'],
  ['Meetei Mayek', 795001, 'ꯁꯥꯟꯇꯤ ꯌꯨꯝ', 'ꯁꯥꯟꯇꯤ', 'ꯀꯔꯤ ꯐꯝ'],
  ['Ol Chiki', 814101, 'ᱥᱟᱱᱛᱤ ᱚᱲᱟᱜ', 'ᱥᱟᱱᱛᱤ ᱚᱲᱟ', 'ᱢᱟᱨᱟᱝ ᱵᱩᱨᱩ'],
])('a name in %s is found, also misspelt, and others are not', async (_, pin_code, name, misspelt, other) => {
  const buildings = [name, other].map(society_building => ({ society_building }))
  const { search } = await createBuildings(pin_code, buildings)

  expect(await search({ name })).toMatchObject([{ society_building: name, score: 1 }])
  const [found, ...others] = await search({ name: misspelt })
  expect([found?.society_building, others]).toEqual([name, []])
  expect(found!.score).toBeGreaterThanOrEqual(0.5)
})

test('the locality is a quarter of the score', async () => {
  const { search } = await createBuildings(560002, [
    { society_building: 'White House', locality: 'Jayanagar' },
    { society_building: 'White', locality: 'Hoodi' },
    { society_building: 'White House' },
    { society_building: 'White House', locality: 'Hoodi' },
  ])

  const found = await search({ name: 'White House', locality: 'Hoodi' })

  expect(found.map(({ score }) => score)).toEqual([1, 0.75, 0.75, 0.625])
  expect(found[0]!.locality).toBe('Hoodi')
})

test('equal scores are sorted by id, whatever the order in the table', async () => {
  const { landlord, search } = await createBuildings(560003, [])
  const place = { pin_code: 560003, city: 'Bengaluru', district: 'Bengaluru Urban', state: 'Karnataka' }
  const shared = { ...place, landlord_id: landlord.id, alias_name: 'Ours', society_building: 'White House' }
  const rows = [1_900_000_003, 1_900_000_001, 1_900_000_002].map(id => ({
    ...shared,
    id,
    property_type: 'pg' as const,
    locality: String(id),
    ...toTimestamps(),
  }))
  await server.db.insertInto('properties').values(rows).execute()

  const found = await search({ name: 'White House' })

  expect(found.map(({ locality }) => locality.at(-1))).toEqual(['1', '2', '3'])
})

describe('the results', () => {
  test('are at most 10, of buildings that are not deleted', async () => {
    const buildings = Array.from({ length: 12 }, (_, index) => ({ society_building: `Lake View ${index}` }))
    const { landlord, properties, find } = await createBuildings(700001, buildings)
    await landlord.delete(`/properties/${properties[3].id}`)

    const { body } = await find({ name: 'Lake View 3' })

    expect(body.metadata).toEqual({ page: 1, limit: 10, total: 10, total_pages: 1 })
    expect(body.data).toHaveLength(10)
    expect(listNames(body.data)).not.toContain('Lake View 3')
  })

  test('of a long name are those of the first hundred characters', async () => {
    const name = 'The White House of the Rao family '.repeat(3).slice(0, 100)
    const other = 'something else entirely '.repeat(6)
    const building = { society_building: `${name}${other}`, locality: `${name}${other}` }
    const { search } = await createBuildings(560078, [building])
    for (const query of [{ name }, { name: `${name}${'quite other words '.repeat(8)}` }])
      expect(await search({ ...query, locality: name })).toMatchObject([{ score: 1 }])
  })

  test('are the same however a name is written', async () => {
    const { search } = await createBuildings(682002, [{ society_building: 'ഭവൻ', locality: 'রা\u09df' }])
    const query = { name: 'ഭവന്\u200d', locality: 'রা\u09af\u09bc' }
    expect(await search(query)).toMatchObject([{ score: 1 }])
  })

  test('200: are found by any characters, also those of patterns', async () => {
    const { find } = await createBuildings(411001, [{ society_building: 'Green Meadows' }])
    for (const name of [
      'Sunrise, Phase 2',
      '[1]',
      '{"a":1}',
      'a+b&c',
      '%',
      '_',
      "'",
      '\\',
      '"',
      '💥',
      'x'.repeat(255),
      "'; drop table users; --",
    ])
      expect((await find({ name })).status).toBe(200)
  })
})

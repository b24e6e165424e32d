import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { agreementTerms, createLandlord, createProperty, signInUser } from '../../support/users'

const time = clock(new Date('2026-11-22T06:30:00Z'))
const server = testServer({ env: { ADDRESS_LIMIT_PER_PROPERTY: '1' }, overrides: { now: time.now } })
// In development, as in tests, each limit counts twenty times.
const LIMIT = 20

async function createBuildings() {
  const creator = await createLandlord(server)
  const [first, second] = [await createProperty(creator), await createProperty(creator)]
  const move = (path: string, road_name: string) => creator.patch(path, { road_name })
  return { first, second, move }
}

/** Adds a unit of another landlord with a draft. */
async function addDraft({ property }: { property: { property_id: string } }) {
  const [other, tenant] = [await createLandlord(server), await signInUser(server)]
  const { data: unit } = await other.post(`/properties/${property.property_id}/units`, { unit_name: 'B-7' })
  const { data: draft } = await other.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const path = `/agreements/${draft.id}`
  const countNotes = async () => {
    const { data } = await other.get(`${path}/timeline`)
    return data.events.filter(({ type }: { type: string }) => type === 'address_changed').length
  }
  return { countNotes, remove: () => other.delete(path) }
}

test('429: drafts of others note only so many new addresses of a building a day', async () => {
  const { first, second, move } = await createBuildings()
  const { countNotes } = await addDraft(first)
  await addDraft(second)
  for (let n = 1; n <= LIMIT; n++) expect((await move(first.path, `Road ${n}`)).status).toBe(200)

  const { status, error, headers } = await move(first.path, 'Scam Road')

  expect([status, error?.reason, headers.get('retry-after')]).toEqual([
    429,
    'too_many_address_changes',
    '86400',
  ])
  expect(await countNotes()).toBe(LIMIT)
  expect((await move(first.path, `Road ${LIMIT}`)).status).toBe(200) // the address that it has
  expect((await move(second.path, 'Lake Road')).status).toBe(200)
  time.advance(86_400_000)
  expect((await move(first.path, 'Lake Road')).status).toBe(200)
})

test('a building without drafts of others moves as often as its creator likes', async () => {
  const { first, move } = await createBuildings()
  const { remove } = await addDraft(first)
  expect((await remove()).status).toBe(200)

  for (let n = 1; n <= LIMIT + 1; n++) expect((await move(first.path, `Road ${n}`)).status).toBe(200)
})

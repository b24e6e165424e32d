import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { agreementTerms, createLandlord, createProperty, signInUser } from '../../support/users'

const server = testServer()

/** A building in which another landlord has a unit. */
async function createSharedBuilding() {
  const [creator, other] = [await createLandlord(server), await createLandlord(server)]
  const { property, path } = await createProperty(creator)
  const { data: unit } = await other.post(`/properties/${property.property_id}/units`, { unit_name: 'B-7' })
  const listNews = async () => {
    const { data } = await other.get('/dashboard')
    return data.recent_activity.filter(({ type }: { type: string }) => type === 'property_updated')
  }
  return { creator, other, unit, property, path, listNews }
}

test('a new address of a building is told to its other landlords', async () => {
  const { creator, property, path, listNews } = await createSharedBuilding()

  expect((await creator.patch(path, { road_name: 'Scam Road', pin_code: 110001 })).status).toBe(200)

  expect(await listNews()).toEqual([
    expect.objectContaining({
      type: 'property_updated',
      message: 'The address of a building with units of yours was changed',
      entity_id: property.id,
    }),
  ])
})

test('the other landlords do not learn who the creator is', async () => {
  const { creator, path, listNews, other } = await createSharedBuilding()

  expect((await creator.patch(path, { road_name: 'Scam Road' })).status).toBe(200)

  expect(await listNews()).toMatchObject([{ actor_id: null }])
  const { data } = await other.get('/auth/me/export')
  expect(data.activities.filter(({ actor_id }: { actor_id: number }) => actor_id === creator.id)).toEqual([])
})

test('a later address of a building replaces the news of the one before', async () => {
  const { creator, path, listNews } = await createSharedBuilding()

  for (const road_name of ['Scam Road', 'Main Road', 'Lake Road'])
    expect((await creator.patch(path, { road_name })).status).toBe(200)

  expect(await listNews()).toHaveLength(1)
})

test('a new address is not told to a landlord who has left the building', async () => {
  const { creator, other, unit, path, listNews } = await createSharedBuilding()
  await other.delete(`${path}/units/${unit.id}`)

  expect((await creator.patch(path, { road_name: 'Scam Road' })).status).toBe(200)

  expect(await listNews()).toEqual([])
})

test('what is not part of the address is not told', async () => {
  const { creator, path, listNews } = await createSharedBuilding()

  expect((await creator.patch(path, { alias_name: 'Mine', common_amenities: ['Lift'] })).status).toBe(200)

  expect(await listNews()).toEqual([])
})

test('400: a new address while another landlord has an agreement that is being signed', async () => {
  const { creator, other, unit, path } = await createSharedBuilding()
  const tenant = await signInUser(server)
  const { data: agreement } = await other.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  await other.post(`/agreements/${agreement.id}/sign`, { signer_id: other.id })

  const { status, error } = await creator.patch(path, { road_name: 'Scam Road' })
  expect([status, error.reason]).toEqual([400, 'address_in_use'])
  expect((await creator.patch(path, { alias_name: 'Mine' })).status).toBe(200)

  await other.post(`/agreements/${agreement.id}/terminate`)
  expect((await creator.patch(path, { road_name: 'Scam Road' })).status).toBe(200)
})

async function createDraftInBuilding() {
  const building = await createSharedBuilding()
  const { other, unit } = building
  const tenant = await signInUser(server)
  const { data: agreement } = await other.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const path = `/agreements/${agreement.id}`
  return {
    ...building,
    draft: path,
    sign: () => other.post(`${path}/sign`, { signer_id: other.id }),
    listEvents: async () => (await other.get(`${path}/timeline`)).data,
  }
}

test('400: a draft of another landlord is not signed with a new address, until it is saved again', async () => {
  const { creator, other, path, draft, sign, listEvents } = await createDraftInBuilding()
  expect((await creator.patch(path, { road_name: 'Scam Road' })).status).toBe(200)

  const { status, error } = await sign()

  expect([status, error.reason]).toEqual([400, 'address_changed'])
  const { events, intact } = await listEvents()
  expect(intact).toBe(true)
  expect(events.at(-1)).toMatchObject({ type: 'address_changed', actor_id: null, details: {} })
  expect((await other.patch(draft, {})).status).toBe(200)
  expect((await sign()).status).toBe(200)
})

test('what is not part of the address leaves a draft as it is', async () => {
  const { creator, path, sign } = await createDraftInBuilding()

  expect((await creator.patch(path, { alias_name: 'Mine' })).status).toBe(200)

  expect((await sign()).status).toBe(200)
})

test('a new address leaves an agreement that has ended as it is', async () => {
  const { creator, other, path, draft, sign, listEvents } = await createDraftInBuilding()
  await sign()
  await other.post(`${draft}/terminate`)

  expect((await creator.patch(path, { road_name: 'Scam Road' })).status).toBe(200)

  expect((await listEvents()).events.at(-1).type).toBe('terminated')
})

test('the creator, who changed the address, can sign drafts of their own', async () => {
  const { creator, property, path } = await createDraftInBuilding()
  const tenant = await signInUser(server)
  const terms = agreementTerms(property.property_units[0].id, [tenant.id])
  const { data: draft } = await creator.post('/agreements', terms)

  expect((await creator.patch(path, { road_name: 'New Road' })).status).toBe(200)

  expect((await creator.post(`/agreements/${draft.id}/sign`, { signer_id: creator.id })).status).toBe(200)
})

test('400: the address changes while the first request is being sent', async () => {
  const { creator, path, sign } = await createDraftInBuilding()
  const { signing } = server.deps
  const initiate: typeof signing.initiate = async request => {
    expect((await creator.patch(path, { road_name: 'Scam Road' })).status).toBe(200)
    return signing.initiate(request)
  }
  server.deps.signing = { ...signing, initiate }

  const { status, error } = await sign().finally(() => (server.deps.signing = signing))

  expect([status, error.reason]).toEqual([400, 'address_changed'])
})

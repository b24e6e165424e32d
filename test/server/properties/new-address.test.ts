import { expect, test } from 'bun:test'
import type { Property } from '../../../db/entities'
import { toAddressText } from '../../../server/properties/address-changes'
import { testServer } from '../../support/server'
import { agreementTerms, createLandlord, createProperty, createTenant } from '../../support/users'
import { propertyShape } from './shapes'

const server = testServer()

/** A building in which another landlord has a unit with a draft. */
async function createDraftInBuilding() {
  const [creator, other] = [await createLandlord(server), await createLandlord(server)]
  const { property, path } = await createProperty(creator)
  const { data: unit } = await other.post(`/properties/${property.property_id}/units`, { unit_name: 'B-7' })
  const tenant = await createTenant(server)
  const { data: agreement } = await other.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const draft = `/agreements/${agreement.id}`
  const sign = () => other.post(`${draft}/sign`, { signer_id: other.id })
  return { creator, other, path, draft, sign }
}

test('400: a new address while another landlord has an agreement that is being signed', async () => {
  const { creator, other, path, draft, sign } = await createDraftInBuilding()
  await sign()

  const { status, error } = await creator.patch(path, { road_name: 'Scam Road' })
  expect([status, error.reason]).toEqual([400, 'address_in_use'])
  expect((await creator.patch(path, { alias_name: 'Mine', common_amenities: ['Lift'] })).status).toBe(200)

  await other.post(`${draft}/terminate`)
  expect((await creator.patch(path, { road_name: 'Scam Road' })).status).toBe(200)
})

test('400: a draft of another landlord is not signed with a new address, until it is saved again', async () => {
  const { creator, other, path, draft, sign } = await createDraftInBuilding()
  expect((await creator.patch(path, { road_name: 'Scam Road' })).status).toBe(200)

  const { status, error } = await sign()

  expect([status, error.reason]).toEqual([400, 'address_changed'])
  const { data } = await other.get(`${draft}/timeline`)
  expect(data.intact).toBe(true)
  expect(data.events.at(-1)).toMatchObject({ type: 'address_changed', actor_id: null, details: {} })
  expect((await other.patch(draft, {})).status).toBe(200)
  expect((await sign()).status).toBe(200)
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

test('an address is another one with another part, but not with another alias, amenities or a part cleared', () => {
  const property = propertyShape() as unknown as Property
  const change = (field: string) => toAddressText({ ...property, [field]: 'other' } as Property)
  const unchanged = toAddressText(property)
  const parts = `society_building survey_number road_name locality landmark pin_code
    city district state country property_type`
  for (const field of parts.split(/\s+/)) expect([field, change(field)]).not.toEqual([field, unchanged])
  for (const field of ['alias_name', 'common_amenities', 'landlord_id'])
    expect([field, change(field)]).toEqual([field, unchanged])
  const { landmark: _, ...rest } = property
  expect(toAddressText(rest as Property)).toBe(unchanged)
})

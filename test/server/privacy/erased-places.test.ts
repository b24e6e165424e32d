import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { createProperty, sendRequest, signInUser, type TestUser } from '../../support/users'

const server = testServer()
const db = () => getKysely(server.em())

async function erase(user: TestUser) {
  await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: user.phone } })
  expect((await user.call('DELETE', '/auth/me', { otp: '123456' })).status).toBe(200)
}

const address = {
  society_building: 'Palm Court',
  survey_number: '12/4',
  road_name: 'Main Road',
  locality: 'Hoodi',
  landmark: 'behind the temple',
}
const place = { ...address, alias_name: 'Ours', common_amenities: ['lift'] }

/** A property of one landlord in which another has a unit. */
async function createSharedProperty() {
  const [creator, other] = [await signInUser(server), await signInUser(server)]
  const { property } = await createProperty(creator, place)
  const { data: unit } = await other.post(`/properties/${property.property_id}/units`, { unit_name: 'C' })
  const readProperty = () => {
    const columns = ['is_active', 'is_listed', ...(Object.keys(place) as (keyof typeof place)[])] as const
    const row = db().selectFrom('properties').where('id', '=', property.id).select(columns)
    return row.executeTakeFirstOrThrow()
  }
  return { creator, other, unitPath: `/properties/${property.id}/units/${unit.id}`, readProperty }
}

test('a building in which others have only deleted units is erased', async () => {
  const { creator, other, unitPath, readProperty } = await createSharedProperty()
  await other.delete(unitPath)

  await erase(creator)

  const forgotten = Object.fromEntries(Object.keys(place).map(field => [field, null]))
  const expected = { ...forgotten, is_active: false, alias_name: 'Erased' }
  expect(await readProperty()).toMatchObject(expected)
})

test('a building with units of others keeps its address, but is no longer listed', async () => {
  const { creator, other, unitPath, readProperty } = await createSharedProperty()

  await erase(creator)

  const expected = { ...place, is_active: true, is_listed: false, alias_name: 'Palm Court' }
  expect(await readProperty()).toEqual(expected)
  expect((await other.get(unitPath)).status).toBe(200)
})

test('a unit keeps no text of its landlord, and one that the user managed is its landlord’s again', async () => {
  const [user, other] = [await signInUser(server), await signInUser(server)]
  const texts = {
    unit_name: 'Asha’s',
    unit_notes: 'Ring twice',
    furniture_included: 'her piano',
    unit_amenities: ['her garden'],
  }
  const own = await createProperty(user, { property_units: [texts] })
  const managed = await createProperty(other, { property_units: [{ ...texts, managed_by_id: user.id }] })

  await erase(user)

  const readUnit = (propertyId: number) =>
    db()
      .selectFrom('property_units')
      .where('property_id', '=', propertyId)
      .select(['is_active', 'managed_by_id', ...(Object.keys(texts) as (keyof typeof texts)[])])
      .executeTakeFirstOrThrow()
  expect(await readUnit(own.property.id)).toEqual({
    is_active: false,
    managed_by_id: user.id,
    unit_name: 'Erased',
    unit_notes: null,
    furniture_included: null,
    unit_amenities: null,
  })
  expect(await readUnit(managed.property.id)).toEqual({ ...texts, is_active: true, managed_by_id: other.id })
})

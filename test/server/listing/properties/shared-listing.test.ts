import { describe, expect, test } from 'bun:test'
import { interrupt } from '../../../support/locks'
import { testServer } from '../../../support/server'
import {
  agreementTerms,
  completeSigning,
  createLandlord,
  createManager,
  createProperty,
  createTenant,
  createUnit,
  signInUser,
  type TestUser,
} from '../../../support/users'
import { enveloped } from '../../http/forms'
import { toTimestamps } from '../../../support/timestamps'

const server = testServer()
const ALIAS = 'Zebra den'

/** A building of one landlord, in which another one has a unit. */
async function createSharedBuilding() {
  const [creator, other] = [await createLandlord(server), await createLandlord(server)]
  const society_building = `Tower ${crypto.randomUUID()}`
  const { data } = await creator.post('/properties', {
    pin_code: 560048,
    property_type: 'apartment',
    society_building,
    alias_name: ALIAS,
    property_units: [{ unit_name: 'A' }],
  })
  const { property_units, ...property } = data
  const { data: otherUnit } = await other.post(`/properties/${property.property_id}/units`, {
    unit_name: 'B',
  })
  const path = `/properties/${property.id}`
  return { creator, other, property, unit: property_units[0], otherUnit, path, society_building }
}

const countProperties = async (user: TestUser) => (await user.get('/dashboard')).data.stats.total_properties

const search = async (user: TestUser, name: string) =>
  (await user.get(`/properties/search?pin_code=560048&name=${name}`)).data.filter(
    (candidate: { society_building: string }) => candidate.society_building === name,
  )

test('201: a landlord adds the first unit by the UUID of the building; 404: by its number', async () => {
  const { property } = await createProperty(await signInUser(server), { property_units: [] })
  const other = await signInUser(server)
  const add = (id: number | string) => other.post(`/properties/${id}/units`, { unit_name: 'B' })
  expect((await other.get(`/properties/${property.property_id}`)).status).toBe(404)
  expect((await add(property.id)).body).toEqual(enveloped(404, 'Property not found'))

  expect((await add(property.property_id)).data).toMatchObject({
    landlord_id: other.id,
    managed_by_id: other.id,
    property_id: property.id,
  })
  expect((await add(property.id)).status).toBe(201)
})

test('a landlord sees the building in the list, and only their own units', async () => {
  const { creator, other, unit, otherUnit, path, property } = await createSharedBuilding()
  const tenant = await createTenant(server)
  for (const [person, own, foreign] of [
    [creator, unit, otherUnit],
    [other, otherUnit, unit],
  ] as const) {
    expect((await person.get('/properties')).data).toMatchObject([{ id: property.id }])
    const { data } = await person.get(path)
    expect(data.property_units.map(({ id }: { id: number }) => id)).toEqual([own.id])
    const { body } = await person.get(`${path}/units`)
    expect(body).toMatchObject({ data: [{ id: own.id }], metadata: { total: 1 } })

    const target = `${path}/units/${foreign.id}`
    const refused = [await person.get(target), await person.patch(target), await person.delete(target)]
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404])
    const drawn = await person.post('/agreements', agreementTerms(foreign.id, [tenant.id]))
    expect(drawn.body).toEqual(enveloped(404, 'Property unit not found'))
  }
})

test('a shared building leaves the list of a landlord whose only unit in it is deleted', async () => {
  const { other, otherUnit, path } = await createSharedBuilding()
  await other.delete(`${path}/units/${otherUnit.id}`)
  expect((await other.get('/properties')).data).toEqual([])
  expect((await other.get(path)).status).toBe(404)
})

test('400: a new address while other landlords have units in the building', async () => {
  const { creator, other, property, otherUnit, path } = await createSharedBuilding()
  const others = { alias_name: 'Mine', common_amenities: ['Lift'], road_name: property.road_name }

  for (const change of [
    { road_name: 'Scam Road' },
    { city: 'Scamville' },
    { district: 'Scam' },
    { pin_code: 682001 },
  ]) {
    const { status, error } = await creator.patch(path, change)
    expect([status, error.reason]).toEqual([400, 'address_in_use'])
  }
  expect((await creator.patch(path, others)).status).toBe(200)

  expect((await other.delete(`${path}/units/${otherUnit.id}`)).status).toBe(200)
  expect((await creator.patch(path, { road_name: 'Scam Road' })).status).toBe(200)
})

describe("the creator's alias and id", () => {
  test("are hidden from the creator's manager once the unit that they managed is deleted", async () => {
    const { creator, other, unit, otherUnit, path, society_building } = await createSharedBuilding()
    const manager = await createManager(server)
    await creator.patch(`${path}/units/${unit.id}`, { managed_by_id: manager.id })
    await other.patch(`${path}/units/${otherUnit.id}`, { managed_by_id: manager.id })
    expect((await manager.get(path)).data).toMatchObject({ alias_name: ALIAS, landlord_id: creator.id })

    await creator.delete(`${path}/units/${unit.id}`)

    const { data } = await manager.get(path)
    expect(data).toMatchObject({ alias_name: society_building, landlord_id: null })
  })

  test('are hidden from another landlord and their manager', async () => {
    const { other, otherUnit, property, path, society_building } = await createSharedBuilding()
    const manager = await createManager(server)
    await other.patch(`${path}/units/${otherUnit.id}`, { managed_by_id: manager.id })
    const shown = { ...property, alias_name: society_building, landlord_id: null }

    expect((await other.get('/properties')).data).toEqual([shown])
    for (const user of [other, manager])
      for (const id of [property.id, property.property_id])
        expect((await user.get(`/properties/${id}`)).data).toEqual({
          ...shown,
          property_units: [expect.objectContaining({ id: otherUnit.id })],
        })
  })

  test('are not found by a search of the list, nor by its order', async () => {
    const { creator, other, property } = await createSharedBuilding()
    await other.post('/properties', { pin_code: 560048, property_type: 'pg', alias_name: 'Yard' })

    const { data: found } = await other.get('/properties?q=Zebra')
    const { data: sorted } = await other.get('/properties?sort=alias_name')

    expect(found).toEqual([])
    expect(sorted.map(({ alias_name }: { alias_name: string }) => alias_name[0])).toEqual(['T', 'Y'])
    expect((await creator.get('/properties?q=zebra')).data).toMatchObject([{ id: property.id }])
  })
})

describe("200: the creator's deletion of a shared building", () => {
  test('removes the listing, the units and their drafts for the creator', async () => {
    const { creator, unit, property, path } = await createSharedBuilding()
    const tenant = await createTenant(server)
    const { data: draft } = await creator.post('/agreements', agreementTerms(unit.id, [tenant.id]))

    expect((await creator.delete(path)).status).toBe(200)

    const gone = [path, `/properties/${property.property_id}`, `${path}/units`, `/agreements/${draft.id}`]
    for (const each of gone) expect([each, (await creator.get(each)).status]).toEqual([each, 404])
    expect((await creator.get('/properties')).body.metadata.total).toBe(0)
    expect(await countProperties(creator)).toBe(0)
    expect((await creator.patch(path, { alias_name: 'Mine' })).status).toBe(404)
    expect((await creator.delete(path)).status).toBe(404)
    expect((await creator.post(`${path}/units`, { unit_name: 'C' })).status).toBe(404)
  })

  test('leaves the building to the others, with their agreements', async () => {
    const { creator, other, otherUnit, property, path, society_building } = await createSharedBuilding()
    const tenant = await createTenant(server)
    const { data: agreement } = await other.post('/agreements', agreementTerms(otherUnit.id, [tenant.id]))
    await completeSigning(other, agreement.id, other.id)

    expect((await creator.delete(path)).status).toBe(200)

    expect((await other.get(path)).data).toMatchObject({
      alias_name: society_building,
      landlord_id: null,
      is_active: true,
      property_units: [{ id: otherUnit.id }],
    })
    expect((await other.get('/properties')).body.metadata.total).toBe(1)
    expect(await countProperties(other)).toBe(1)
    expect((await other.get(`/agreements/${agreement.id}`)).data.status).toBe('PENDING')
    expect(await search(other, society_building)).toMatchObject([{ property_id: property.property_id }])
    expect((await other.patch(path, { landmark: 'x' })).body).toEqual(enveloped(403))
    expect((await other.delete(path)).body).toEqual(enveloped(403))
  })
})

describe('a building that its creator has left', () => {
  test('takes the creator back by its UUID, as any landlord', async () => {
    const { creator, property, path, society_building } = await createSharedBuilding()
    await creator.delete(path)

    const added = await creator.post(`/properties/${property.property_id}/units`, { unit_name: 'C' })

    expect(added.status).toBe(201)
    expect((await creator.get(path)).data).toMatchObject({
      alias_name: society_building,
      landlord_id: null,
      property_units: [{ unit_name: 'C' }],
    })
    expect((await creator.patch(path, { alias_name: 'Mine' })).status).toBe(403)
    expect((await creator.post(`${path}/units`, { unit_name: 'D' })).status).toBe(201)
  })

  test('404: is gone once the last unit is deleted', async () => {
    const { creator, other, otherUnit, property, path, society_building } = await createSharedBuilding()
    await creator.delete(path)
    await other.delete(`${path}/units/${otherUnit.id}`)

    expect(await search(other, society_building)).toEqual([])
    const response = await other.post(`/properties/${property.property_id}/units`, { unit_name: 'C' })
    expect(response.status).toBe(404)
    expect((await other.get('/properties')).body.metadata.total).toBe(0)
  })

  test('stays if another landlord adds the first unit at the same time', async () => {
    const [creator, other] = [await signInUser(server), await signInUser(server)]
    const { property } = await createUnit(creator)
    const path = `/properties/${property.id}`

    const deleted = await interrupt(server, {
      lock: async tx => {
        await tx.selectFrom('properties').where('id', '=', property.id).select('id').forShare().execute()
        const owner = { landlord_id: other.id, managed_by_id: other.id }
        await tx
          .insertInto('property_units')
          .values({ ...owner, property_id: property.id, unit_name: 'B', ...toTimestamps() })
          .execute()
      },
      start: () => creator.delete(path),
    })

    expect(deleted.status).toBe(200)
    expect((await other.get(path)).data).toMatchObject({ id: property.id, property_units: [{}] })
  })
})

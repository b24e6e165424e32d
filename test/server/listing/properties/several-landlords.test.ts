import { describe, expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { agreementTerms, createProperty, createTenant, createUnit, signInUser } from '../../../support/users'
import { enveloped } from '../../http/forms'

const server = testServer()

async function createSharedBuilding() {
  const [creator, other] = [await signInUser(server), await signInUser(server)]
  const { property, unit } = await createUnit(creator)
  const added = await other.post(`/properties/${property.property_id}/units`, { unit_name: 'B-202' })
  return { creator, other, property, unit, otherUnit: added.data, path: `/properties/${property.id}` }
}

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

describe('a shared building', () => {
  test('leaves the list of a landlord whose only unit in it is deleted', async () => {
    const { other, otherUnit, path } = await createSharedBuilding()
    await other.delete(`${path}/units/${otherUnit.id}`)
    expect((await other.get('/properties')).data).toEqual([])
    expect((await other.get(path)).status).toBe(404)
  })
})

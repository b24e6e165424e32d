import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import {
  agreementTerms,
  createProperty,
  createUnit,
  signInUser,
  type TestResponse,
} from '../../support/users'
import { enveloped } from '../http/forms'

const server = testServer()
const toResult = ({ status, body }: TestResponse) => [status, body]

async function createSharedBuilding() {
  const creator = await signInUser(server)
  const other = await signInUser(server)
  const { property, unit } = await createUnit(creator)
  const { data: otherUnit } = await other.call('POST', `/properties/${property.property_id}/units`, {
    unit_name: 'B-202',
  })
  return { creator, other, property, unit, otherUnit }
}

describe('a landlord of a shared building', () => {
  test('201: adds the first unit by the UUID of the building; 404: by its number', async () => {
    const { property } = await createUnit(await signInUser(server))
    const other = await signInUser(server)
    expect((await other.call('GET', `/properties/${property.property_id}`)).status).toBe(404)
    expect(
      toResult(await other.call('POST', `/properties/${property.id}/units`, { unit_name: 'B' })),
    ).toEqual([404, enveloped(404, 'Property not found')])
    expect(
      (await other.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'B' })).body.data,
    ).toMatchObject({ landlord_id: other.id, managed_by_id: other.id, property_id: property.id })
    expect((await other.call('POST', `/properties/${property.id}/units`, { unit_name: 'C' })).status).toBe(
      201,
    )
  })

  test('201: adds a unit to a building that is listed without any', async () => {
    const [creator, other] = [await signInUser(server), await signInUser(server)]
    const { property } = await createProperty(creator, { property_units: [] })
    const { status } = await other.post(`/properties/${property.property_id}/units`, { unit_name: 'B' })
    expect(status).toBe(201)
  })

  test('sees the building in the list, and only their own units', async () => {
    const { creator, other, property, unit, otherUnit } = await createSharedBuilding()
    for (const [person, own, foreign] of [
      [creator, unit, otherUnit],
      [other, otherUnit, unit],
    ] as const) {
      expect((await person.call('GET', '/properties')).body.data).toMatchObject([{ id: property.id }])
      expect(
        (await person.call('GET', `/properties/${property.id}`)).body.data.property_units.map(
          ({ id }: any) => id,
        ),
      ).toEqual([own.id])
      expect((await person.call('GET', `/properties/${property.id}/units`)).body).toMatchObject({
        data: [{ id: own.id }],
        metadata: { total: 1 },
      })
      for (const [method, body] of [
        ['GET', undefined],
        ['PATCH', {}],
        ['DELETE', undefined],
      ] as const)
        expect(
          (await person.call(method, `/properties/${property.id}/units/${foreign.id}`, body)).status,
        ).toBe(404)
      const tenant = await signInUser(server)
      expect(
        toResult(await person.call('POST', '/agreements', agreementTerms(foreign.id, [tenant.id]))),
      ).toEqual([404, enveloped(404, 'Property unit not found')])
    }
  })
})

describe('a shared building', () => {
  test('403: is changed only by its creator', async () => {
    const { creator, other, property } = await createSharedBuilding()
    expect(toResult(await other.call('PATCH', `/properties/${property.id}`, { alias_name: 'Mine' }))).toEqual(
      [403, enveloped(403)],
    )
    expect(toResult(await other.call('DELETE', `/properties/${property.id}`))).toEqual([403, enveloped(403)])
    expect((await creator.call('PATCH', `/properties/${property.id}`, { alias_name: 'Mine' })).status).toBe(
      200,
    )
  })

  test('404: has no UUID after its deletion', async () => {
    const creator = await signInUser(server)
    const other = await signInUser(server)
    const { property } = await createUnit(creator)
    await creator.call('DELETE', `/properties/${property.id}`)
    expect(
      (await other.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'B' })).status,
    ).toBe(404)
  })
})

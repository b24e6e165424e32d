import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { agreementTerms, createUnit, signInUser, type TestResponse } from '../../support/users'
import { enveloped } from '../http/forms'

const server = testServer()
const seen = ({ status, body }: TestResponse) => [status, body]

describe('a building of several landlords', () => {
  async function shared() {
    const creator = await signInUser(server)
    const other = await signInUser(server)
    const { property, unit } = await createUnit(creator)
    const {
      body: { data: theirs },
    } = await other.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'B-202' })
    return { creator, other, property, unit, theirs }
  }

  test('201 by its UUID, 404 by its number until one has a unit in it', async () => {
    const { property } = await createUnit(await signInUser(server))
    const other = await signInUser(server)
    expect((await other.call('GET', `/properties/${property.property_id}`)).status).toBe(404)
    expect(seen(await other.call('POST', `/properties/${property.id}/units`, { unit_name: 'B' }))).toEqual([
      404,
      enveloped(404, 'Property not found'),
    ])
    expect(
      (await other.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'B' })).body.data,
    ).toMatchObject({ landlord_id: other.id, managed_by_id: other.id, property_id: property.id })
    expect((await other.call('POST', `/properties/${property.id}/units`, { unit_name: 'C' })).status).toBe(
      201,
    )
  })

  test('each sees the building in the list, and own units only', async () => {
    const { creator, other, property, unit, theirs } = await shared()
    for (const [person, own, foreign] of [
      [creator, unit, theirs],
      [other, theirs, unit],
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
      expect(seen(await person.call('POST', '/agreements', agreementTerms(foreign.id, [tenant.id])))).toEqual(
        [404, enveloped(404, 'Property unit not found')],
      )
    }
  })

  test('only its creator changes it', async () => {
    const { creator, other, property } = await shared()
    expect(seen(await other.call('PATCH', `/properties/${property.id}`, { alias_name: 'Mine' }))).toEqual([
      403,
      enveloped(403),
    ])
    expect(seen(await other.call('DELETE', `/properties/${property.id}`))).toEqual([403, enveloped(403)])
    expect((await creator.call('PATCH', `/properties/${property.id}`, { alias_name: 'Mine' })).status).toBe(
      200,
    )
  })

  test('400: it is not deleted while another landlord has a unit in it', async () => {
    const { creator, other, property, unit, theirs } = await shared()
    expect(seen(await creator.call('DELETE', `/properties/${property.id}`))).toEqual([400, enveloped(400)])
    expect((await creator.call('GET', `/properties/${property.id}/units/${unit.id}`)).status).toBe(200)
    expect((await other.call('DELETE', `/properties/${property.id}/units/${theirs.id}`)).status).toBe(200)
    expect((await other.call('GET', `/properties/${property.id}`)).status).toBe(404)
    expect((await creator.call('DELETE', `/properties/${property.id}`)).status).toBe(200)
  })

  test('404 by its UUID once it is deleted', async () => {
    const creator = await signInUser(server)
    const other = await signInUser(server)
    const { property } = await createUnit(creator)
    await creator.call('DELETE', `/properties/${property.id}`)
    expect(
      (await other.call('POST', `/properties/${property.property_id}/units`, { unit_name: 'B' })).status,
    ).toBe(404)
  })
})

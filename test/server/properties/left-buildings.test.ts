import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { createProperty, signInUser } from '../../support/users'

const server = testServer()

test("a landlord whose only unit in another's building is deleted does not list the building any more", async () => {
  const [creator, landlord] = [await signInUser(server), await signInUser(server)]
  const { property } = await createProperty(creator)
  const { data: unit } = await landlord.post(`/properties/${property.property_id}/units`, { unit_name: 'C' })
  const listIds = async () => (await landlord.get('/properties')).data.map(({ id }: { id: number }) => id)
  expect(await listIds()).toEqual([property.id])

  await landlord.delete(`/properties/${property.id}/units/${unit.id}`)

  expect(await listIds()).toEqual([])
  expect((await landlord.get(`/properties/${property.id}`)).status).toBe(404)
})

import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { createLandlord, createUnit } from '../../support/users'

const server = testServer()
const MISSING_ID = 2_147_483_647
const MISSING_UUID = '00000000-0000-4000-8000-000000000000'
const propertyNotFound = [404, 'Property not found']
const unitNotFound = [404, 'Property unit not found']

async function createUnits() {
  const [landlord, other] = [await createLandlord(server), await createLandlord(server)]
  return { landlord, own: await createUnit(landlord), foreign: await createUnit(other) }
}
type Units = Awaited<ReturnType<typeof createUnits>>

describe.each([
  ['PATCH', { unit_notes: 'x' }],
  ['DELETE', undefined],
])('404: %s of a unit names what is not found:', (method, body) => {
  test.each<[string, (units: Units) => [property: number | string, unit: number | string], unknown[]]>([
    ['a property that does not exist', ({ own }) => [MISSING_ID, own.unit.id], propertyNotFound],
    [
      'a property of others, by its number',
      ({ foreign }) => [foreign.property.id, foreign.unit.id],
      propertyNotFound,
    ],
    [
      'a property of others, by its UUID',
      ({ foreign }) => [foreign.property.property_id, foreign.unit.id],
      propertyNotFound,
    ],
    ['a unit that does not exist', ({ own }) => [own.property.id, MISSING_UUID], unitNotFound],
    ['a unit of another property', ({ own, foreign }) => [own.property.id, foreign.unit.id], unitNotFound],
  ])('%s', async (_, choose, expected) => {
    const units = await createUnits()
    const [property, unit] = choose(units)

    const response = await units.landlord.call(method, `/properties/${property}/units/${unit}`, body)

    expect([response.status, response.error.message]).toEqual(expected)
  })
})

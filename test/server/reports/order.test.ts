import { expect, test } from 'bun:test'
import { startBooksServer, exampleTerms, type BooksServer } from '../../support/books/lease-fixture'
import {
  agreementTerms,
  completeSigning,
  createLandlord,
  createProperty,
  createTenant,
  type TestUser,
} from '../../support/users'

/** Two houses, created in the opposite order of their names, with two units each and a lease of each unit. */
async function createHouses(server: BooksServer) {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  const units: { id: number; unit_name: string }[] = []
  for (const society_building of ['Willow Court', 'Acacia Court']) {
    const property_units = [{ unit_name: 'B-2' }, { unit_name: 'A-1' }]
    const { property } = await createProperty(landlord, { society_building, property_units })
    units.push(...property.property_units)
  }
  for (const [index, { id }] of units.entries()) {
    const rent_amount = 10_000 * (1 + ((index + 1) % 4))
    const terms = agreementTerms(id, [tenant.id], { ...exampleTerms, rent_amount })
    const { data } = await landlord.post('/agreements', terms)
    for (const party of [landlord, tenant]) await completeSigning(party, data.id, party.id)
    const payment = { amount: 100, method: 'upi' }
    expect((await landlord.post(`/agreements/${data.id}/payments`, payment)).status).toBe(201)
  }
  return landlord
}

const readRows = async (landlord: TestUser, report: string) =>
  (await landlord.get(`/books/${report}`)).data.rows as Record<string, unknown>[]

test('the roll and the year are in the order of houses and units, the arrears begin with the highest', async () => {
  await using server = await startBooksServer('2026-12-15')
  const landlord = await createHouses(server)
  const names = [
    ['Acacia Court', 'A-1'],
    ['Acacia Court', 'B-2'],
    ['Willow Court', 'A-1'],
    ['Willow Court', 'B-2'],
  ]
  for (const report of ['rent-roll', 'annual']) {
    const rows = await readRows(landlord, report)
    expect(rows.map(row => [row.property_name, row.unit_name])).toEqual(names)
  }
  const arrears = await readRows(landlord, 'arrears')
  // 17 of 31 days of each rent, less what was paid
  expect(arrears.map(({ total }) => total)).toEqual([21_835.48, 16_351.61, 10_867.74, 5383.87])
})

import { expect, test } from 'bun:test'
import { createLease, exampleTerms, startBooksServer } from '../../support/books/lease-fixture'
import {
  agreementTerms,
  completeSigning,
  createManager,
  createTenant,
  type TestUser,
} from '../../support/users'

const REPORTS = ['/books/rent-roll?month=2026-12', '/books/arrears', '/books/annual?year=2026-27']
const readNames = (by: TestUser) =>
  Promise.all(REPORTS.map(async path => (await by.get(path)).data.rows.map((row: any) => row.property_name)))

test('the reports of others in a building have its own name, and those of its creator the alias', async () => {
  await using server = await startBooksServer('2026-12-20')
  const lease = await createLease(server)
  const { landlord: creator, property } = lease
  const [other, manager] = [await createManager(server), await createManager(server)]
  const society_building = 'Alpha Tower'
  await creator.patch(`/properties/${property.id}`, { alias_name: 'Zebra den', society_building })
  const { data: unit } = await other.post(`/properties/${property.property_id}/units`, { unit_name: 'B' })
  await other.patch(`/properties/${property.id}/units/${unit.id}`, { managed_by_id: manager.id })
  const tenant = await createTenant(server)
  const terms = agreementTerms(unit.id, [tenant.id], exampleTerms)
  const { data: agreement } = await other.post('/agreements', terms)
  for (const signer of [other, tenant]) await completeSigning(signer, agreement.id, signer.id)
  for (const [landlord, path] of [
    [creator, lease.path],
    [other, `/agreements/${agreement.id}`],
  ] as const)
    expect((await landlord.post(`${path}/payments`, { amount: 100, method: 'cash' })).status).toBe(201)

  expect(await readNames(creator)).toEqual([['Zebra den'], ['Zebra den'], ['Zebra den']])
  for (const by of [other, manager])
    expect(await readNames(by)).toEqual([[society_building], [society_building], [society_building]])
})

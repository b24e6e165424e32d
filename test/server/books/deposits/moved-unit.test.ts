import { expect, test } from 'bun:test'
import { endTenures } from '../../../../server/leases/agreements/tenures'
import { completeSigning } from '../../../support/users'
import { createLease, startBooksServer } from '../../../support/books/lease-fixture'

test('a lease moves to another unit with deposit and advance, and its own unit is free after its end', async () => {
  await using server = await startBooksServer('2027-03-01')
  const terms = { agreement_start_date: '2027-03-01', tenure_in_months: 1, auto_renew: true }
  const lease = await createLease(server, { ...terms, deposit_amount: 50_000 })
  const { landlord, property, unit, agreement } = lease
  await landlord.post(`${lease.path}/payments`, { amount: 80_000, method: 'upi' })
  const beds = `/properties/${property.id}/units`
  const { data: bed } = await landlord.post(beds, { unit_name: 'Bed 2' })
  const renewed = await landlord.post(`${lease.path}/renew`, { property_unit_id: bed.id })
  expect(renewed).toMatchObject({
    status: 201,
    data: {
      property_unit_id: bed.id,
      agreement_start_date: '2027-04-01',
      renews_agreement_id: agreement.agreement_id,
      deposit_moves: true,
    },
  })
  for (const party of [landlord, lease.tenant]) await completeSigning(party, renewed.data.id, party.id)
  const next = `/agreements/${renewed.data.id}`
  expect((await landlord.get(`${next}/deposit`)).data).toMatchObject({
    held: 50_000,
    from_previous: 50_000,
  })
  const { data: moved } = await landlord.get(`/payments?agreement_id=${renewed.data.id}`)
  expect(moved).toMatchObject([{ amount: 5000, source: 'renewal' }])
  const isFree = async (id: number) => (await landlord.get(`${beds}/${id}`)).data.is_available
  expect([await isFree(unit.id), await isFree(bed.id)]).toEqual([false, false])

  await server.goTo('2027-04-01')
  await endTenures(server.deps)
  const again = await lease.asLandlord()
  expect((await again.get(lease.path)).data).toMatchObject({
    status: 'TERMINATED',
    termination_date: '2027-03-31',
  })
  expect((await again.get(`${beds}/${unit.id}`)).data.is_available).toBe(true)
  expect((await again.get('/books/arrears')).data.total).toBe(0)
  const { data: annual } = await again.get('/books/annual?year=2026-27')
  const held = annual.rows.map((row: any) => [row.property_unit_id, row.deposits_held])
  expect(Object.fromEntries(held)).toEqual({ [unit.id]: 0, [bed.id]: 50_000 })
})

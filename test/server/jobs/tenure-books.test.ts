import { expect, test } from 'bun:test'
import { endTenures } from '../../../server/jobs/end-tenures'
import { findBrokenInvariants } from '../../support/books/invariants'
import { createLease, listCharges, startBooksServer } from '../../support/books/lease-fixture'

const terms = { agreement_start_date: '2026-12-01', tenure_in_months: 2, rent_due_day: 20 }

test('a lease that renews itself is charged for its next months', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { ...terms, auto_renew: true })
  await server.goTo('2027-01-31')
  expect(await listCharges(lease)).toHaveLength(2)
  server.setDay('2027-02-01')
  await endTenures(server.deps)
  await server.goTo('2027-02-13')
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-02-20 25000 25000 upcoming')
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a lease whose tenure ends is charged at once for all that it was let', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { ...terms, rent_in: 'arrears' })
  await server.goTo('2027-01-31')
  expect(await listCharges(lease)).toEqual(['rent 2027-01-20 25000 25000 overdue'])
  server.setDay('2027-02-01')
  await endTenures(server.deps)
  const all = ['rent 2027-01-20 25000 25000 overdue', 'rent 2027-02-20 25000 25000 upcoming']
  expect(await listCharges(lease)).toEqual(all)
  await server.goTo('2027-02-15')
  expect(await listCharges(lease)).toEqual(all)
})

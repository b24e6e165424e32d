import { expect, test } from 'bun:test'
import { endTenures } from '../../../server/leases/agreements/tenures'
import { findBrokenInvariants } from '../../support/books/invariants'
import {
  createLease,
  listCharges,
  startBooksServer,
  type BooksServer,
  type Lease,
} from '../../support/books/lease-fixture'

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

/** A lease of a month from 27 January that renews itself; its rent of 31,000 is due on a day. */
const createMonthly = (server: BooksServer, terms: object) =>
  createLease(server, {
    agreement_start_date: '2027-01-27',
    tenure_in_months: 1,
    rent_amount: 31_000,
    auto_renew: true,
    ...terms,
  })

async function goThrough(server: BooksServer, days: string[]) {
  for (const day of days) {
    server.setDay(day)
    await endTenures(server.deps)
    await server.goTo(day)
  }
}

async function listRents(lease: Lease) {
  const landlord = await lease.asLandlord()
  const { data } = await landlord.get(`/charges?agreement_id=${lease.agreement.id}&type=rent&sort=id`)
  const toText = ({ period_start, period_end, due_date, amount }: Record<string, unknown>) =>
    `${period_start} ${period_end} ${due_date} ${amount}`
  return data.map(toText)
}

test('a month that is posted once a lease has renewed itself has one rent', async () => {
  await using server = await startBooksServer('2027-01-20')
  const lease = await createMonthly(server, { rent_due_day: 28, agreement_start_date: '2027-01-15' })
  await goThrough(server, ['2027-02-15', '2027-02-21', '2027-03-15', '2027-03-22', '2027-04-15'])
  expect((await listRents(lease)).slice(0, 3)).toEqual([
    '2027-01-15 2027-01-31 2027-01-28 17000',
    '2027-02-01 2027-02-28 2027-02-28 31000',
    '2027-03-01 2027-03-31 2027-03-28 31000',
  ])
})

test('a lease that renews itself is charged whole months; if it ends, the other days are credited', async () => {
  await using server = await startBooksServer('2027-01-20')
  const leases = [
    await createMonthly(server, { rent_due_day: 3 }),
    await createMonthly(server, { rent_due_day: 3 }),
  ]
  const [ended, renewed] = leases as [Lease, Lease]
  await goThrough(server, ['2027-01-27', '2027-02-26'])
  const landlord = await ended.asLandlord()
  await landlord.post(`${ended.path}/terminate`, { termination_date: '2027-02-26' })
  await goThrough(server, ['2027-02-27', '2027-03-01'])
  expect(await listRents(renewed)).toEqual([
    '2027-01-27 2027-01-31 2027-01-27 5000',
    '2027-02-01 2027-02-28 2027-02-03 31000',
    '2027-03-01 2027-03-31 2027-03-03 31000',
  ])
  // 26 of 28 days.
  expect((await listCharges(ended)).at(-1)).toBe('rent 2027-02-03 31000 28785.71 overdue')
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a lease that is terminated after its tenure is charged the rent that rose meanwhile', async () => {
  await using server = await startBooksServer('2026-12-01')
  const change = { escalation_percent: 10, escalation_every_months: 2, auto_renew: true }
  const lease = await createLease(server, { ...terms, ...change })
  await server.goTo('2027-02-28')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, { termination_date: '2027-02-28' })
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-02-20 27500 27500 overdue')
})

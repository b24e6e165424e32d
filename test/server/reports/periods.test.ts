import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'

test.each([
  ['', '2027-01-01', '2027-01-31'],
  ['?from=2027-01-20', '2027-01-20', '2027-01-31'],
  ['?from=2027-03-10', '2027-03-10', '2027-03-31'],
  ['?to=2026-12-20', '2026-12-01', '2026-12-20'],
  ['?from=2026-12-15&to=2026-12-15', '2026-12-15', '2026-12-15'],
])('on 15 January the summary of "%s" is from %s to %s', async (query, from, to) => {
  await using server = await startBooksServer('2027-01-15')
  const { landlord } = await createLease(server)
  const { status, data } = await landlord.get(`/books/summary${query}`)
  expect({ status, from: data.from, to: data.to }).toEqual({ status: 200, from, to })
})

test('what falls due today is outstanding, and overdue tomorrow', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const readBalances = async () => (await (await lease.asLandlord()).get('/books/summary')).data.balances
  expect(await readBalances()).toMatchObject({ outstanding: 13_709.68, overdue: 0 })
  server.setDay('2026-12-16')
  expect(await readBalances()).toMatchObject({ outstanding: 13_709.68, overdue: 13_709.68 })
})

test('a payment counts on the last day of a period, and not once it was taken back', async () => {
  await using server = await startBooksServer('2027-03-31')
  const lease = await createLease(server, { agreement_start_date: '2027-03-31', deposit_amount: 40_000 })
  const { landlord, path } = lease
  const { data: payment } = await landlord.post(`${path}/payments`, { amount: 50_000, method: 'upi' })
  const readSums = async () => {
    const { data: annual } = await landlord.get('/books/annual?year=2026-27')
    const { data: summary } = await landlord.get('/books/summary?from=2027-03-31&to=2027-03-31')
    const { received, for_deposits, deposits_held, rows } = annual
    return [received, for_deposits, deposits_held, rows.length, summary.received]
  }
  expect(await readSums()).toEqual([50_000, 40_000, 40_000, 1, 50_000])
  await landlord.post(`/payments/${payment.id}/reverse`, { reason: 'Wrong lease' })
  expect(await readSums()).toEqual([0, 0, 0, 0, 0])
})

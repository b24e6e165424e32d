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

test.each(['advance', 'arrears'] as const)(
  'a lease that renews itself amid a month is charged for each of its days, in %s',
  async rent_in => {
    await using server = await startBooksServer('2027-01-20')
    const change = { agreement_start_date: '2027-01-27', tenure_in_months: 1, rent_due_day: 3, rent_in }
    const lease = await createLease(server, { ...change, rent_amount: 31_000, auto_renew: true })
    for (const day of ['2027-02-20', '2027-02-27', '2027-03-20', '2027-03-27', '2027-04-20']) {
      server.setDay(day)
      await endTenures(server.deps)
      await server.goTo(day)
    }
    const landlord = await lease.asLandlord()
    const charges = (await landlord.get(`/charges?agreement_id=${lease.agreement.id}&sort=id`)).data
    const periods = charges.map((charge: Record<string, unknown>) =>
      [charge.period_start, charge.period_end, charge.amount].join(' '),
    )
    expect(periods.slice(0, 6)).toEqual([
      '2027-01-27 2027-01-31 5000',
      '2027-02-01 2027-02-26 28785.71',
      '2027-02-27 2027-02-28 2214.29',
      '2027-03-01 2027-03-26 26000',
      '2027-03-27 2027-03-31 5000',
      '2027-04-01 2027-04-26 26866.67',
    ])
    expect(await findBrokenInvariants(server.em())).toEqual([])
  },
)

test('a lease that is terminated after its tenure is charged the rent that rose meanwhile', async () => {
  await using server = await startBooksServer('2026-12-01')
  const change = { escalation_percent: 10, escalation_every_months: 2, auto_renew: true }
  const lease = await createLease(server, { ...terms, ...change })
  await server.goTo('2027-02-28')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, { termination_date: '2027-02-28' })
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-02-20 27500 27500 overdue')
})

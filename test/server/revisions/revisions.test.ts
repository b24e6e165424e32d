import { expect, test } from 'bun:test'
import { createLease, listCharges, startBooksServer, type Lease } from '../../support/books/lease-fixture'
import { findBrokenInvariants } from '../../support/books/invariants'

async function revise(lease: Lease, rent_amount: number, effective_on: string) {
  const landlord = await lease.asLandlord()
  const proposed = await landlord.post(`${lease.path}/rent-revisions`, { rent_amount, effective_on })
  const decide = async (step: 'accept' | 'decline') =>
    (await lease.asTenant()).post(`${lease.path}/rent-revisions/${proposed.data.id}/${step}`)
  return { proposed, decide }
}

test('an accepted rent changes the schedule from its day on, a proposed or declined one does not', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const { proposed, decide } = await revise(lease, 30_000, '2027-04-01')
  expect(proposed.status).toBe(201)
  expect(proposed.data).toMatchObject({ status: 'proposed', source: 'landlord', rent_amount: 30_000 })
  expect(proposed.body.warnings).toBeUndefined()
  const total = async () => (await lease.landlord.get(`${lease.path}/schedule`)).data.total_rent
  expect(await total()).toBe(275_376.35)
  expect((await decide('accept')).data).toMatchObject({ status: 'accepted', decided_by_id: lease.tenant.id })
  expect(await total()).toBe(312_709.68) // 13,709.68 + 3 × 25,000 + 7 × 30,000 + 14/30 × 30,000
  expect((await decide('decline')).error.reason).toBe('revision_decided')

  const other = await revise(lease, 99_000, '2027-06-01')
  expect((await other.decide('decline')).data.status).toBe('declined')
  expect(await total()).toBe(312_709.68)
  const { data } = await lease.tenant.get(`${lease.path}/rent-revisions?sort=effective_on`)
  expect(data.map((each: any) => each.status)).toEqual(['accepted', 'declined'])
  const { events } = (await lease.landlord.get(`${lease.path}/timeline`)).data
  const [first, second] = [
    { rent_amount: 30_000, effective_on: '2027-04-01' },
    { rent_amount: 99_000, effective_on: '2027-06-01' },
  ]
  expect(events.slice(-4).map(({ type, actor_id, details }: any) => [type, actor_id, details])).toEqual([
    ['rent_proposed', lease.landlord.id, first],
    ['rent_accepted', lease.tenant.id, first],
    ['rent_proposed', lease.landlord.id, second],
    ['rent_declined', lease.tenant.id, second],
  ])
})

test('leases that are posted together are each charged the rent that was accepted for them', async () => {
  await using server = await startBooksServer()
  const leases = [await createLease(server), await createLease(server)]
  for (const [index, lease] of leases.entries()) {
    const { decide } = await revise(lease, 30_000 + index * 1000, '2027-03-01')
    expect((await decide('accept')).status).toBe(200)
  }
  await server.goTo('2027-03-05')
  const march = leases.map(async lease => (await listCharges(lease)).filter(each => each.includes('2027-03')))
  expect(await Promise.all(march)).toEqual([
    ['rent 2027-03-05 30000 30000 due'],
    ['rent 2027-03-05 31000 31000 due'],
  ])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a posted rent is corrected by a further charge, and both are pro-rated at the end', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2027-01-31')
  const { proposed, decide } = await revise(lease, 30_600, '2027-02-15')
  expect(proposed.body.warnings).toMatchObject([{ code: 'revision_notice_short' }])
  await decide('accept')
  const rents = (await listCharges(lease)).filter(each => each.includes('2027-02'))
  expect(rents).toEqual(['rent 2027-02-05 25000 25000 upcoming', 'rent 2027-02-05 2800 2800 upcoming'])
  expect((await revise(lease, 30_000, '2027-02-15')).proposed.error.reason).toBe('revision_exists')

  await server.goTo('2027-02-21')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, {})
  // 14 days of 25,000 and 7 of 30,600, of 28: 20,150.
  const open = (await listCharges(lease)).filter(each => each.includes('2027-02'))
  expect(open).toEqual(['rent 2027-02-05 25000 20150 overdue', 'rent 2027-02-05 2800 0 credited'])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('an accepted rent corrects no rent that was charged by hand for the same days', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const period = { period_start: '2027-02-01', period_end: '2027-02-28' }
  const terrace = { type: 'rent', amount: 500, due_date: '2027-02-05', ...period }
  expect((await lease.landlord.post(`${lease.path}/charges`, terrace)).status).toBe(201)
  await server.goTo('2027-01-31')
  const { decide } = await revise(lease, 30_600, '2027-02-15')
  expect((await decide('accept')).status).toBe(200)
  expect((await listCharges(lease)).filter(each => each.includes('2027-02')).toSorted()).toEqual([
    'rent 2027-02-05 25000 25000 upcoming',
    'rent 2027-02-05 2800 2800 upcoming',
    'rent 2027-02-05 500 500 upcoming',
  ])
})

test('rents that are accepted one after the other for a posted month are a further charge each', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2027-02-10')
  await (await revise(lease, 30_600, '2027-02-15')).decide('accept')
  await (await revise(lease, 33_400, '2027-02-22')).decide('accept')
  await (await revise(lease, 36_200, '2027-02-28')).decide('accept')
  const february = async () => (await listCharges(lease)).filter(each => each.includes('2027-02'))
  // 14 days of 5,600 more, 7 of another 2,800, and one of that; due on the day of their acceptance.
  expect(await february()).toEqual([
    'rent 2027-02-05 25000 25000 overdue',
    'rent 2027-02-10 2800 2800 due',
    'rent 2027-02-10 700 700 due',
    'rent 2027-02-10 100 100 due',
  ])
  await server.goTo('2027-02-21')
  await (await lease.asLandlord()).post(`${lease.path}/terminate`, {})
  expect((await february()).map(each => each.split(' ')[3])).toEqual(['20150', '0', '0', '0'])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a rent that was accepted for a later day holds from it, also when an earlier one follows', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2027-02-10')
  await (await revise(lease, 30_600, '2027-02-22')).decide('accept')
  await (await revise(lease, 28_000, '2027-02-15')).decide('accept')
  // 7 days of 5,600 more, and 7 of 3,000.
  expect((await listCharges(lease)).filter(each => each.includes('2027-02'))).toEqual([
    'rent 2027-02-05 25000 25000 overdue',
    'rent 2027-02-10 1400 1400 due',
    'rent 2027-02-10 750 750 due',
  ])
})

test('the days of the end are charged with the new rent where they cost more than the posted one', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2027-01-31')
  await (await revise(lease, 50_000, '2027-02-01')).decide('accept')
  await server.goTo('2027-02-21')
  await (await lease.asLandlord()).post(`${lease.path}/terminate`, {})
  const open = (await listCharges(lease)).filter(each => each.includes('2027-02'))
  expect(open).toEqual(['rent 2027-02-05 25000 25000 overdue', 'rent 2027-02-05 25000 12500 overdue'])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a posted rent is credited where the new one is less; what was paid of it becomes an advance', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2027-02-05')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 63_709.68, method: 'upi' })
  await (await revise(lease, 20_000, '2027-02-15')).decide('accept')
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-02-05 25000 0 paid')
  const [payment] = (await landlord.get(`/payments?agreement_id=${lease.agreement.id}`)).data
  expect(payment.unapplied_amount).toBe(2500)
  const { lines } = (await landlord.get(`${lease.path}/statement`)).data
  expect(lines.at(-1)).toMatchObject({ kind: 'credit', credit: 2500, date: '2027-02-05' })
  expect(lines.at(-1).description).toStartWith('Credit, correction: Rent')
  await server.goTo('2027-03-05')
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-03-05 20000 17500 due')
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('an escalation after an accepted rent raises that rent, also one that was written down before', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, {
    agreement_start_date: '2026-12-01',
    escalation_percent: 10,
    escalation_every_months: 2,
  })
  await server.goTo('2027-01-30')
  await (await revise(lease, 20_000, '2027-01-31')).decide('accept')
  expect((await listCharges(lease)).filter(each => each.includes('2027-02'))).toEqual([
    'rent 2027-02-05 27500 22000 upcoming',
  ])
  const { data } = await (await lease.asLandlord()).get(`${lease.path}/rent-revisions?sort=effective_on`)
  expect(data.map((each: any) => [each.effective_on, each.rent_amount, each.source])).toEqual([
    ['2027-01-31', 20_000, 'landlord'],
    ['2027-02-01', 22_000, 'escalation'],
  ])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test.each(['before', 'after'])(
  'an accepted rent takes the place of an escalation, proposed %s it',
  async when => {
    await using server = await startBooksServer()
    const terms = { agreement_start_date: '2026-12-01', escalation_percent: 10, escalation_every_months: 2 }
    const lease = await createLease(server, terms)
    const early = when === 'before' && (await revise(lease, 26_000, '2027-02-01'))
    await server.goTo('2027-01-30')
    const { decide } = early || (await revise(lease, 26_000, '2027-02-01'))
    expect((await decide('accept')).status).toBe(200)
    const february = (await listCharges(lease)).filter(each => each.includes('2027-02'))
    expect(february).toEqual(['rent 2027-02-05 27500 26000 upcoming'])
    await server.goTo('2027-03-30')
    expect((await listCharges(lease)).at(-1)).toBe('rent 2027-04-05 28600 28600 upcoming')
    const { data } = await (await lease.asLandlord()).get(`${lease.path}/rent-revisions?sort=effective_on`)
    expect(data.map((each: any) => [each.effective_on, each.rent_amount, each.source])).toEqual([
      ['2027-02-01', 26_000, 'landlord'],
      ['2027-04-01', 28_600, 'escalation'],
    ])
    expect(await findBrokenInvariants(server.em())).toEqual([])
  },
)

test('escalations from before the books began are computed, but not written down', async () => {
  await using server = await startBooksServer('2026-12-15')
  const terms = { escalation_percent: 1, escalation_every_months: 12, rent_amount: 10_000 }
  const tenure = { agreement_start_date: '2016-12-01', tenure_in_months: 132 }
  const lease = await createLease(server, { ...terms, ...tenure })
  const { data } = await lease.landlord.get(`${lease.path}/rent-revisions?sort=effective_on`)
  // The books begin on 1 December 2021: five years of 1 % after the start, then the sixth.
  expect(data.map((each: any) => [each.effective_on, each.rent_amount])).toEqual([
    ['2021-12-01', 10_510.1],
    ['2022-12-01', 10_615.2],
    ['2023-12-01', 10_721.35],
    ['2024-12-01', 10_828.56],
    ['2025-12-01', 10_936.85],
    ['2026-12-01', 11_046.22],
  ])
  expect((await listCharges(lease)).at(0)).toContain('rent 2021-12-05 10510.1 ')
})

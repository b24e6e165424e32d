import { expect, test } from 'bun:test'
import { postCharges } from '../../../server/jobs/post-charges'
import { startSecondInstance } from '../../support/server'
import { findBrokenInvariants } from '../../support/books/invariants'
import { createLease, listCharges, startBooksServer } from '../../support/books/lease-fixture'

test('the schedule shows the whole tenure', async () => {
  await using server = await startBooksServer()
  const { landlord, path } = await createLease(server)
  const { data } = await landlord.get(`${path}/schedule`)
  expect(data.total_rent).toBe(275376.35)
  expect(data.instalments).toHaveLength(12)
  expect(data.instalments[0]).toEqual({
    type: 'rent',
    description: 'Rent',
    period_start: '2026-12-15',
    period_end: '2026-12-31',
    due_date: '2026-12-15',
    amount: 13709.68,
    charge_id: null,
  })
  expect(data.instalments.at(-1)).toMatchObject({ period_end: '2027-11-14', amount: 11666.67 })
})

test('the schedule lists posted and projected instalments by the days on which they are due', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 100_000 })
  await server.goTo('2026-12-29')
  const { data } = await (await lease.asLandlord()).get(`${lease.path}/schedule`)
  const dueDates = data.instalments.map(({ due_date }: { due_date: string }) => due_date)
  expect(dueDates).toEqual(dueDates.toSorted())
  expect(data.instalments).toHaveLength(13)
  const posted = data.instalments.map(({ charge_id }: { charge_id: number | null }) => charge_id !== null)
  expect(posted.slice(0, 4)).toEqual([true, true, true, false])
})

test('the schedule has no charges that the landlord adds', async () => {
  await using server = await startBooksServer()
  const { landlord, path } = await createLease(server)
  const agreed = (await landlord.get(`${path}/schedule`)).data
  const water = { type: 'water', amount: 90, due_date: '2026-12-20' }
  expect((await landlord.post(`${path}/charges`, water)).status).toBe(201)
  expect((await landlord.get(`${path}/schedule`)).data).toEqual(agreed)
})

test('activation posts the deposit, and rent is posted seven days before it falls due', async () => {
  await using server = await startBooksServer('2026-12-07')
  const lease = await createLease(server, { deposit_amount: 100000 })
  expect(await listCharges(lease)).toEqual(['deposit 2026-12-15 100000 100000 upcoming'])
  await server.goTo('2026-12-08')
  const first = 'rent 2026-12-15 13709.68 13709.68'
  expect(await listCharges(lease)).toEqual(['deposit 2026-12-15 100000 100000 upcoming', `${first} upcoming`])
  await server.goTo('2026-12-28')
  expect(await listCharges(lease)).toHaveLength(2)
  await server.goTo('2026-12-29')
  expect(await listCharges(lease)).toEqual([
    'deposit 2026-12-15 100000 100000 overdue',
    `${first} overdue`,
    'rent 2027-01-05 25000 25000 upcoming',
  ])
})

test('activation posts what has begun although it falls due later, and the job posts it no second time', async () => {
  await using server = await startBooksServer('2026-12-01')
  const terms = { agreement_start_date: '2026-12-01', rent_due_day: 25 }
  const [advance, arrears] = [
    await createLease(server, terms),
    await createLease(server, { ...terms, rent_in: 'arrears' }),
  ]
  expect(await listCharges(advance)).toEqual(['rent 2026-12-25 25000 25000 upcoming'])
  expect(await listCharges(arrears)).toEqual(['rent 2027-01-25 25000 25000 upcoming'])
  await server.goTo('2027-01-17')
  expect(await listCharges(advance)).toHaveLength(1)
  await server.goTo('2027-01-18')
  expect((await listCharges(advance)).at(-1)).toBe('rent 2027-01-25 25000 25000 upcoming')
  await server.goTo('2027-02-17')
  expect(await listCharges(arrears)).toHaveLength(1)
  await server.goTo('2027-02-18')
  expect((await listCharges(arrears)).at(-1)).toBe('rent 2027-02-25 25000 25000 upcoming')
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('parking is charged with the rent, as a charge of the type other', async () => {
  await using server = await startBooksServer('2026-12-08')
  const lease = await createLease(server, { recurring_charges: [{ type: 'parking', amount: 1000 }] })
  expect(await listCharges(lease)).toEqual([
    'rent 2026-12-15 13709.68 13709.68 upcoming',
    'other 2026-12-15 548.39 548.39 upcoming',
  ])
  const [charge] = (await lease.landlord.get(`/charges?agreement_id=${lease.agreement.id}&type=other`)).data
  expect(charge).toMatchObject({ description: 'Parking', source: 'schedule' })
  await server.goTo('2026-12-29')
  expect(await listCharges(lease)).toHaveLength(4)
  const { data } = await (await lease.asLandlord()).get(`${lease.path}/schedule`)
  expect(data.instalments).toHaveLength(24)
  expect(data.total_rent).toBe(275_376.35)
})

test('a lease that was signed long before its start is posted seven days before it falls due', async () => {
  await using server = await startBooksServer('2026-06-01')
  const lease = await createLease(server)
  await server.goTo('2026-12-07')
  expect(await listCharges(lease)).toEqual([])
  await server.goTo('2026-12-08')
  expect(await listCharges(lease)).toEqual(['rent 2026-12-15 13709.68 13709.68 upcoming'])
})

test('a clock that jumps a year posts what each day would have, dated right', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { late_fee: 500, late_fee_grace_days: 5 })
  await server.goTo('2027-12-15')
  const charges = await listCharges(lease)
  expect(charges.filter(each => each.startsWith('rent'))).toHaveLength(12)
  expect(charges.filter(each => each.startsWith('late_fee'))).toHaveLength(12)
  expect(charges).toContain('late_fee 2027-01-11 500 500 overdue')
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('several instances post everything once', async () => {
  await using server = await startBooksServer()
  const second = await startSecondInstance(server)
  const lease = await createLease(server, {
    late_fee: 500,
    escalation_percent: 5,
    escalation_every_months: 3,
  })
  await server.goTo('2026-12-02')
  server.setDay('2027-06-20')
  const all = [server, second, server, second]
  await Promise.all(all.map(({ deps }) => postCharges(deps)))
  const charges = await listCharges(lease)
  expect(new Set(charges).size).toBe(charges.length)
  expect(charges.filter(each => each.startsWith('rent'))).toHaveLength(7)
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('an advance is applied when the next charge falls due, not before', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 20000, method: 'upi' })
  await server.goTo('2026-12-29')
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-01-05 25000 25000 upcoming')
  await server.goTo('2027-01-05')
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-01-05 25000 18709.68 due')
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test.each([
  ['2027-02-10', 'rent 2027-02-05 25000 8928.57 overdue'],
  ['2027-02-01', 'rent 2027-02-05 25000 892.86 upcoming'],
  ['2027-02-28', 'rent 2027-02-05 25000 25000 overdue'],
])('a termination on %s credits the days after it', async (day, last) => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo(day)
  const landlord = await lease.asLandlord()
  const ended = await landlord.post(`${lease.path}/terminate`, { termination_date: day })
  expect(ended.status).toBe(200)
  const rents = (await listCharges(lease)).filter(each => each.startsWith('rent 2027-02'))
  expect(rents).toEqual([last])
  await server.goTo('2027-06-01')
  expect((await listCharges(lease)).filter(each => each.endsWith('upcoming'))).toEqual([])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('what was credited of a rent before counts for the days after a termination', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await server.goTo('2027-02-10')
  const landlord = await lease.asLandlord()
  const [rent] = (await landlord.get('/charges?sort=-due_date')).data
  await landlord.post(`/charges/${rent.id}/credits`, { amount: 5000, reason: 'correction' })
  await landlord.post(`${lease.path}/terminate`, {})
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-02-05 25000 8928.57 overdue')
})

test('an escalation raises the rent within its month, and is written down', async () => {
  await using server = await startBooksServer('2026-12-01')
  const lease = await createLease(server, {
    agreement_start_date: '2026-12-01',
    tenure_in_months: 24,
    escalation_percent: 5,
    escalation_every_months: 11,
  })
  await server.goTo('2027-11-05')
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-11-05 26250 26250 due')
  await server.goTo('2028-10-05')
  expect((await listCharges(lease)).at(-1)).toBe('rent 2028-10-05 27562.5 27562.5 due')
})

test('a rent that rises within a posted month is written down with it, as the rent roll has it', async () => {
  await using server = await startBooksServer('2026-12-01')
  const lease = await createLease(server, { escalation_percent: 5, escalation_every_months: 6 })
  await server.goTo('2027-05-29')
  const landlord = await lease.asLandlord()
  // 14 days of 25,000 and 16 of 26,250.
  expect((await listCharges(lease)).at(-1)).toBe('rent 2027-06-05 25666.67 25666.67 upcoming')
  const { data } = await landlord.get(`${lease.path}/rent-revisions`)
  expect(data).toMatchObject([{ effective_on: '2027-06-15', rent_amount: 26_250, source: 'escalation' }])
  const roll = (await landlord.get('/books/rent-roll?month=2027-06')).data
  expect(roll.rows).toMatchObject([{ rent: 26_250, charged: 25_666.67 }])
})

test.each([
  ['2027-06-30', 'rent 2027-07-05 25666.67'],
  // 14 days of 25,000 and one of 26,250.
  ['2027-06-15', 'rent 2027-06-16 12541.67'],
])('an end of the lease on %s writes down the escalation of what it posts', async (day, last) => {
  await using server = await startBooksServer('2026-12-01')
  const terms = { rent_in: 'arrears', escalation_percent: 5, escalation_every_months: 6 }
  const lease = await createLease(server, terms)
  await server.goTo('2027-06-01')
  server.setDay(day)
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, {})
  expect((await listCharges(lease)).at(-1)).toStartWith(last)
  const { data } = await landlord.get(`${lease.path}/rent-revisions`)
  expect(data).toMatchObject([{ effective_on: '2027-06-15', rent_amount: 26_250 }])
})

test('books begin at most 60 months before they are opened; older dues are an opening balance', async () => {
  await using server = await startBooksServer('2026-12-10')
  const { landlord, agreement, path } = await createLease(server, {
    agreement_start_date: '1980-01-01',
    tenure_in_months: 600,
  })
  const rents = await landlord.get(`/charges?agreement_id=${agreement.id}&type=rent&sort=due_date&limit=1`)
  expect(rents.body.metadata.total).toBe(61)
  expect(rents.data[0]).toMatchObject({ period_start: '2021-12-01', due_date: '2021-12-05' })
  const opening = { type: 'opening_balance', amount: 100_000, due_date: '2020-01-01' }
  const { status, data } = await landlord.post(`${path}/charges`, opening)
  expect([status, data.source]).toEqual([201, 'opening'])
})

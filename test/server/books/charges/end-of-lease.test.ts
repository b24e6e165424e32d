import { expect, test } from 'bun:test'
import { createLease, listCharges, startBooksServer } from '../../../support/books/lease-fixture'

test('the schedule charges the last days in the name of the system; what is credited names who ended the lease', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server, { rent_in: 'arrears', billing_cycle: 'anniversary' })
  server.setDay('2027-01-20')
  const landlord = await lease.asLandlord()
  const end = (termination_date: string) => landlord.post(`${lease.path}/terminate`, { termination_date })
  expect((await end('2027-01-18')).status).toBe(200)
  const { data } = await landlord.get('/auth/me/export')
  const { charges, journals } = data.tables
  expect(charges.map(({ period_start, amount }: any) => [period_start, amount])).toEqual([
    ['2026-12-15', 25_000],
    ['2027-01-15', 3225.81],
  ])
  expect(journals.map(({ kind, actor_id }: any) => [kind, actor_id])).toEqual([
    ['charge', null],
    ['charge', null],
  ])

  const other = await createLease(server, { agreement_start_date: '2027-01-01' })
  await other.landlord.post(`${other.path}/terminate`, {})
  const { data: ended } = await other.landlord.get('/auth/me/export')
  const { journals: booked } = ended.tables
  expect(booked.map(({ kind, reason, actor_id }: any) => [kind, reason, actor_id])).toEqual([
    ['charge', null, null],
    ['credit', 'proration', other.landlord.id],
  ])
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
})

test.each([
  ['is due on the day of that decision', 20, '2027-02-10', '2027-01-18', 'rent 2027-02-10 14516.13'],
  ['is not due after the day that was agreed', 5, '2027-02-10', '2027-01-18', 'rent 2027-02-05 14516.13'],
  ['stays due on a day to come', 20, '2027-01-19', '2027-01-18', 'rent 2027-01-20 14516.13'],
])('a rent in arrears that a termination cuts %s', async (_, rent_due_day, today, termination_date, last) => {
  await using server = await startBooksServer()
  const terms = { agreement_start_date: '2027-01-01', rent_in: 'arrears', rent_due_day }
  const lease = await createLease(server, terms)
  server.setDay(today)
  await (await lease.asLandlord()).post(`${lease.path}/terminate`, { termination_date })
  expect((await listCharges(lease))[0]).toStartWith(last)
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

test('each of two recurring charges of one type is pro-rated by itself', async () => {
  await using server = await startBooksServer('2027-01-20')
  const lease = await createLease(server, {
    agreement_start_date: '2027-01-01',
    recurring_charges: [
      { type: 'parking', description: 'Parking', amount: 620 },
      { type: 'other', description: 'Internet', amount: 1240 },
    ],
  })
  await lease.landlord.post(`${lease.path}/terminate`, {})
  // 20 of 31 days
  expect((await listCharges(lease)).toSorted()).toEqual([
    'other 2027-01-05 1240 800 overdue',
    'other 2027-01-05 620 400 overdue',
    'rent 2027-01-05 25000 16129.03 overdue',
  ])
})

test('a charge by hand for the days of an instalment neither takes its place nor is pro-rated', async () => {
  await using server = await startBooksServer('2026-12-20')
  const lease = await createLease(server, { agreement_start_date: '2026-12-01' })
  const period = { period_start: '2027-01-01', period_end: '2027-01-31' }
  const body = { type: 'rent', description: 'Terrace', due_date: '2027-01-05', amount: 31_000, ...period }
  expect((await lease.landlord.post(`${lease.path}/charges`, body)).status).toBe(201)
  const readJanuary = async () =>
    (await listCharges(lease)).filter(each => each.includes('2027-01')).toSorted()
  expect((await lease.landlord.get(`${lease.path}/schedule`)).data.total_rent).toBe(275_000)
  await server.goTo('2027-01-10')
  expect(await readJanuary()).toEqual([
    'rent 2027-01-05 25000 25000 overdue',
    'rent 2027-01-05 31000 31000 overdue',
  ])
  await (await lease.asLandlord()).post(`${lease.path}/terminate`, {})
  // 10 of 31 days
  expect(await readJanuary()).toEqual([
    'rent 2027-01-05 25000 8064.52 overdue',
    'rent 2027-01-05 31000 31000 overdue',
  ])
})

test.each([
  ['is charged until the end of its tenure', {}, 6],
  ['that renews itself is charged until it is terminated', { auto_renew: true }, 8],
])('a lease whose tenure is over %s', async (_, terms, months) => {
  await using server = await startBooksServer('2026-08-31')
  const past = { agreement_start_date: '2026-01-01', tenure_in_months: 6 }
  const lease = await createLease(server, { ...past, ...terms })
  const { status, data } = await lease.landlord.post(`${lease.path}/terminate`, {})
  expect([status, data.termination_date]).toEqual([200, '2026-08-31'])
  const rents = await listCharges(lease)
  expect(rents).toHaveLength(months)
  expect(rents.at(-1)).toBe(`rent 2026-0${months}-05 25000 25000 overdue`)
  expect((await lease.landlord.get(`${lease.path}/schedule`)).data.total_rent).toBe(25_000 * months)
  const { data: roll } = await lease.landlord.get('/books/rent-roll?month=2026-08')
  expect(roll.rent).toBe(months === 8 ? 25_000 : 0)
})

test.each([
  ['2027-06-30', 'rent 2027-07-05 25666.67'],
  // 14 days of 25,000 and one of 26,250.
  ['2027-06-15', 'rent 2027-06-16 12541.67'],
])('an end of the lease on %s charges the last days with the rent that rose in them', async (day, last) => {
  await using server = await startBooksServer('2026-12-01')
  const terms = { rent_in: 'arrears', escalation_percent: 5, escalation_every_months: 6 }
  const lease = await createLease(server, terms)
  await server.goTo('2027-06-01')
  server.setDay(day)
  await (await lease.asLandlord()).post(`${lease.path}/terminate`, {})
  expect((await listCharges(lease)).at(-1)).toStartWith(last)
})

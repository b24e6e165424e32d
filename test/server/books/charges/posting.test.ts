import { expect, test } from 'bun:test'
import { postCharges } from '../../../../server/books/charges/daily-posting'
import { createLease, listCharges, startBooksServer } from '../../../support/books/lease-fixture'

test('the schedule shows what is posted and projected of the tenure, and no charges by hand', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 100_000 })
  const { landlord, path } = lease
  const water = { type: 'water', amount: 90, due_date: '2026-12-20' }
  expect((await landlord.post(`${path}/charges`, water)).status).toBe(201)
  const { total_rent, instalments } = (await landlord.get(`${path}/schedule`)).data
  expect(total_rent).toBe(275_376.35)
  expect(instalments).toHaveLength(13)
  expect(instalments[0]).toEqual({
    type: 'rent',
    description: 'Rent',
    period_start: '2026-12-15',
    period_end: '2026-12-31',
    due_date: '2026-12-15',
    amount: 13_709.68,
    charge_id: null,
  })
  expect(instalments.at(-1)).toMatchObject({ period_end: '2027-11-14', amount: 11_666.67 })

  await server.goTo('2026-12-29')
  const { data } = await (await lease.asLandlord()).get(`${path}/schedule`)
  const dueDates = data.instalments.map(({ due_date }: { due_date: string }) => due_date)
  expect(dueDates).toEqual(instalments.map(({ due_date }: { due_date: string }) => due_date))
  expect(dueDates).toEqual(dueDates.toSorted())
  const posted = data.instalments.map(({ charge_id }: { charge_id: number | null }) => charge_id !== null)
  expect(posted.slice(0, 4)).toEqual([true, true, true, false])
})

test('activation posts the deposit, and rent is posted seven days before it falls due', async () => {
  await using server = await startBooksServer('2026-06-01')
  const lease = await createLease(server, { deposit_amount: 100_000 })
  await server.goTo('2026-12-07')
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

test('runs of the job at the same time post everything once', async () => {
  await using server = await startBooksServer()
  const fee = { late_fee: 500, escalation_percent: 5, escalation_every_months: 3 }
  const lease = await createLease(server, fee)
  server.setDay('2027-06-20')
  await Promise.all(Array.from({ length: 4 }, () => postCharges(server.deps)))
  const charges = await listCharges(lease)
  expect(new Set(charges).size).toBe(charges.length)
  expect(charges.filter(each => each.startsWith('rent'))).toHaveLength(7)
  expect(charges.filter(each => each.startsWith('late_fee'))).toHaveLength(7)
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

test('429: more is posted by hand to a lease in a day than its statement may grow', async () => {
  await using server = await startBooksServer('2026-12-01')
  Object.assign(server.deps.config, { POSTING_LIMIT_PER_LEASE: 1, rateLimitMultiplier: 1 })
  const { landlord, path } = await createLease(server)
  const water = { type: 'water', amount: 90, due_date: '2026-12-20' }
  const post = async () => (await landlord.post(`${path}/charges`, water)).status
  expect([await post(), await post()]).toEqual([201, 429])
})

import { expect, test } from 'bun:test'
import { findBrokenInvariants } from '../../support/books/invariants'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'
import { setPan } from '../statements/fixtures'

const terms = { agreement_start_date: '2026-04-01', tenure_in_months: 24, rent_amount: 60_000 }

test("the tax of a year is suggested from March's rent, and what was deducted is recorded", async () => {
  await using server = await startBooksServer('2026-04-01')
  const lease = await createLease(server, terms)
  await setPan(lease.landlord)
  await server.goTo('2027-03-01')
  const tenant = await lease.asTenant()
  expect((await tenant.get(`${lease.path}/tds?year=2026-27`)).data).toEqual({
    agreement_id: lease.agreement.id,
    year: '2026-27',
    amount: 14_400,
    recorded: 0,
    landlord_pan: true,
    rate_percent: 2,
    is_limited: false,
    total_rent: 720_000,
    monthly_threshold: 50_000,
    deduct_from: { period_start: '2027-03-01', due_date: '2027-03-05', amount: 60_000 },
    section: '393(1)',
    statement_form: '141',
    certificate_form: '132',
  })
  const landlord = await lease.asLandlord()
  const paid = { amount: 45_600, tds_amount: 14_400, method: 'bank_transfer' }
  await landlord.post(`${lease.path}/payments`, paid)
  expect((await landlord.get(`${lease.path}/tds`)).data).toMatchObject({ year: '2026-27', recorded: 14_400 })
  const withoutPan = (await landlord.get(`${lease.path}/tds?landlord_pan=false`)).data
  expect(withoutPan).toMatchObject({ amount: 60_000, rate_percent: 20, is_limited: true })
})

test('tax of a payment that was taken back, or is only reported, is not recorded', async () => {
  await using server = await startBooksServer('2026-04-01')
  const { landlord, tenant, path } = await createLease(server, terms)
  const readRecorded = async () => (await landlord.get(`${path}/tds?year=2026-27`)).data.recorded
  const paid = { amount: 58_800, tds_amount: 1200, method: 'upi' }
  await tenant.post(`${path}/payments`, paid)
  expect(await readRecorded()).toBe(0)

  const { data } = await landlord.post(`${path}/payments`, paid)
  expect(await readRecorded()).toBe(1200)
  await landlord.post(`/payments/${data.id}/reverse`, { reason: 'Wrong lease' })
  expect(await readRecorded()).toBe(0)
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('tax is recorded for the year in which it was paid, from its first day to its last', async () => {
  await using server = await startBooksServer('2026-04-01')
  const lease = await createLease(server, terms)
  const pay = async (paid_on: string, tds_amount: number) => {
    const landlord = await lease.asLandlord()
    await landlord.post(`${lease.path}/payments`, { amount: 100, tds_amount, method: 'upi', paid_on })
    return landlord
  }
  await pay('2026-04-01', 10)
  server.setDay('2027-04-02')
  await pay('2027-03-31', 20)
  const landlord = await pay('2027-04-01', 40)
  const years = ['2026-27', '2027-28'].map(
    async year => (await landlord.get(`${lease.path}/tds?year=${year}`)).data.recorded,
  )
  expect(await Promise.all(years)).toEqual([30, 40])
})

test('nothing is suggested for rent of exactly 50,000, whatever maintenance comes with it', async () => {
  await using server = await startBooksServer('2026-04-01')
  const recurring_charges = [{ type: 'maintenance', amount: 5000 }]
  const lease = await createLease(server, { ...terms, rent_amount: 50_000, recurring_charges })
  const { data } = await lease.landlord.get(`${lease.path}/tds?year=2026-27`)
  expect(data).toMatchObject({ amount: 0, deduct_from: null, section: null })
  const refused = await lease.landlord.get(`${lease.path}/tds?year=2026`)
  expect(refused.status).toBe(400)
})

test("without the landlord's PAN the rate is 20 %, at most the last rent, unless the tenant knows it", async () => {
  await using server = await startBooksServer('2026-04-01')
  const { landlord, tenants, path } = await createLease(server, terms)
  const read = async (query = '') => (await tenants[0]!.get(`${path}/tds?year=2026-27${query}`)).data
  const limited = { amount: 60_000, rate_percent: 20, is_limited: true, landlord_pan: false }
  expect(await read()).toMatchObject(limited)
  const known = { amount: 14_400, rate_percent: 2, is_limited: false, landlord_pan: true }
  expect(await read('&landlord_pan=true')).toMatchObject(known)
  await setPan(landlord)
  expect(await read()).toMatchObject(known)
  expect(await read('&landlord_pan=false')).toMatchObject(limited)
  await setPan(landlord, null)
  expect(await read()).toMatchObject(limited)
})

test('rent that was credited is not taxed, and the tax is deducted from the last rent that is left', async () => {
  await using server = await startBooksServer('2026-04-01')
  const lease = await createLease(server, terms)
  await setPan(lease.landlord)
  await server.goTo('2026-06-30')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, {})
  const { data } = await landlord.get(`/charges?agreement_id=${lease.agreement.id}&sort=due_date`)
  const [april, , june] = data
  await landlord.post(`/charges/${april.id}/credits`, { amount: 10_000, reason: 'waiver' })
  await landlord.post(`/charges/${june.id}/credits`, { amount: 60_000, reason: 'waiver' })
  expect((await landlord.get(`${lease.path}/tds?year=2026-27`)).data).toMatchObject({
    total_rent: 110_000,
    amount: 2200,
    deduct_from: { period_start: '2026-05-01', amount: 60_000 },
  })
})

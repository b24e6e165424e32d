import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../../support/books/lease-fixture'
import { readPdfText } from '../../../support/pdf'
import { downloadPdf, setPan } from '../statements/fixtures'

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
})

test.each([
  ["of March in arrears, paid on 5 April 2027, counts in that March's year", 2026, '393(1)', '141', '132'],
  ['of a year earlier too, under the law of then', 2025, '194-IB', '26QC', '16C'],
])('the tax of a rent %s', async (_, first, section, statement_form, certificate_form) => {
  await using server = await startBooksServer(`${first}-04-01`)
  const start = { agreement_start_date: `${first}-04-01`, rent_in: 'arrears' }
  const lease = await createLease(server, { ...terms, ...start })
  await setPan(lease.landlord)
  await server.goTo(`${first + 1}-04-05`)
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 660_000, method: 'upi' })
  const paid = { amount: 45_600, tds_amount: 14_400, method: 'upi' }
  const { data } = await landlord.post(`${lease.path}/payments`, paid)
  const years = [first, first + 1].map(year => `${year}-${String(year + 1).slice(2)}`)
  const read = async (year?: string) => (await landlord.get(`${lease.path}/tds?year=${year}`)).data
  const names = { section, statement_form, certificate_form }
  expect(await read(years[0])).toMatchObject({ amount: 14_400, recorded: 14_400, ...names })
  expect((await read(years[1])).recorded).toBe(0)
  const { bytes } = await downloadPdf(server, landlord, `/payments/${data.id}/receipt`)
  expect(await readPdfText(bytes)).toContain(
    `${years[0]}, section ${section}, certificate in Form ${certificate_form}`,
  )
})

test.each([
  // Entered ahead of April's posting, and after it: 5,000 are in advance.
  ['with 5,000 in advance', '2026-03-05', 56_700, '2025-26'],
  ['with 5,000 in advance, entered later', '2026-04-05', 56_700, '2025-26'],
  ['with three months in advance', '2026-03-05', 216_700, '2025-26'],
  ['with three months in advance, entered later', '2026-06-05', 216_700, '2025-26'],
])("the tax of March's rent is of its year %s", async (_, entered, amount, year) => {
  await using server = await startBooksServer('2026-03-01')
  const terms = { agreement_start_date: '2026-03-01', tenure_in_months: 24, rent_amount: 55_000 }
  const lease = await createLease(server, terms)
  await setPan(lease.landlord)
  await server.goTo(entered)
  const paid = { amount, tds_amount: 3_300, method: 'upi', paid_on: '2026-03-05' }
  const { data } = await (await lease.asLandlord()).post(`${lease.path}/payments`, paid)
  for (const day of [entered, '2026-07-05']) {
    await server.goTo(day)
    const landlord = await lease.asLandlord()
    const read = async (of: string) => (await landlord.get(`${lease.path}/tds?year=${of}`)).data.recorded
    expect([await read('2025-26'), await read('2026-27')]).toEqual([3_300, 0])
    const { bytes } = await downloadPdf(server, landlord, `/payments/${data.id}/receipt`)
    expect(await readPdfText(bytes)).toContain(`${year}, section 194-IB`)
  }
})

test.each([
  ['most of it', 30_000, 40_000, [0, 100]],
  ['a tie, to the earlier year', 35_000, 35_000, [100, 0]],
])('the tax of a payment for two years goes by the rent: %s', async (_, march, april, recorded) => {
  await using server = await startBooksServer('2026-03-01')
  const lease = await createLease(server, { ...terms, agreement_start_date: '2026-03-01' })
  await server.goTo('2026-04-06')
  const landlord = await lease.asLandlord()
  const { data: rents } = await landlord.get(`/charges?agreement_id=${lease.agreement.id}&sort=due_date`)
  const amounts = [march, april]
  const allocations = amounts.map((amount, index) => ({ charge_id: rents[index].id, amount }))
  const paid = { amount: 69_900, tds_amount: 100, method: 'upi', allocations }
  await landlord.post(`${lease.path}/payments`, paid)
  const years = ['2025-26', '2026-27'].map(
    async year => (await landlord.get(`${lease.path}/tds?year=${year}`)).data.recorded,
  )
  expect(await Promise.all(years)).toEqual(recorded)
})

test('the suggestion counts rents by hand, and warns of a threshold for each of several tenants', async () => {
  await using server = await startBooksServer('2026-04-01')
  const lease = await createLease(server, { ...terms, rent_amount: 45_000 }, 2)
  const { landlord, path } = lease
  const read = () => landlord.get(`${path}/tds?year=2026-27&landlord_pan=true`)
  const { data, body } = await read()
  expect([data.amount, body.warnings]).toEqual([0, undefined])
  const rent = { type: 'rent', description: 'Terrace', amount: 6000, due_date: '2026-06-10' }
  await landlord.post(`${path}/charges`, rent)
  const suggested = await read()
  // 2 % of 12 × 45,000 + 6,000
  expect(suggested.data.amount).toBe(10_920)
  expect(suggested.body.warnings.map(({ code }: any) => code)).toEqual(['tds_per_payer'])
})

test('tax of what settles no rent is recorded for the year in which it was paid, to its last day', async () => {
  await using server = await startBooksServer('2026-04-01')
  const lease = await createLease(server, { ...terms, deposit_amount: 1000 })
  const deposit = `/charges?agreement_id=${lease.agreement.id}&type=deposit`
  const [{ id: charge_id }] = (await lease.landlord.get(deposit)).data
  const pay = async (paid_on: string, tds_amount: number) => {
    const landlord = await lease.asLandlord()
    const allocations = [{ charge_id, amount: 100 + tds_amount }]
    const payment = { amount: 100, tds_amount, method: 'upi', paid_on, allocations }
    await landlord.post(`${lease.path}/payments`, payment)
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

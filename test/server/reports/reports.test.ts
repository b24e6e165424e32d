import { afterEach, beforeAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import {
  createActiveAgreement,
  createLandlord,
  createTenant,
  createUnit,
  signInUser,
} from '../../support/users'
import { createLease, exampleTerms, booksServer } from '../../support/books/lease-fixture'

const TODAY = '2027-02-01'
const server = booksServer()
let house: Awaited<ReturnType<typeof createHouse>>
beforeAll(async () => {
  house = await createHouse()
}, 60_000)
afterEach(() => server.setDay(TODAY))

/** The balances of the accounts of the house's ledgers, a debit above zero. */
async function loadBalances() {
  const { rows } = await sql<{ account: string; balance: number }>`
    select account, sum(debit - credit) as balance
    from journal_lines line join journals journal on journal.id = line.journal_id
    where journal.agreement_id in (${house.first.agreement.id}, ${house.second.agreement.id})
    group by account`.execute(server.db)
  return new Map(rows.map(({ account, balance }) => [account, Number(balance)]))
}

/** A landlord with two leases, one of which paid a deposit and too much rent, and one vacant unit; 1 February 2027. */
async function createHouse() {
  const first = await createLease(server, { deposit_amount: 50_000 })
  const second = await createActiveAgreement(first.landlord, [await createTenant(server)], exampleTerms)
  const { unit: vacant } = await createUnit(first.landlord)
  await server.goTo('2027-01-10')
  let landlord = await first.asLandlord()
  await landlord.post(`${first.path}/payments`, { amount: 90_000, tds_amount: 1000, method: 'upi' })
  await landlord.post(`${second.path}/payments`, { amount: 5000, method: 'cash' })
  await server.goTo(TODAY)
  landlord = await signInUser(server, first.landlord.phone)
  return { landlord, first, second, vacant }
}

test('the summary has the charges of each month, and the balances of the ledgers', async () => {
  const { landlord } = house
  const { data } = await landlord.get('/books/summary?from=2026-12-01&to=2027-02-28')
  expect(data.months).toEqual([
    { month: '2026-12', charged: 77_419.36, credited: 0, paid: 68_709.68, outstanding: 8709.68, received: 0 },
    { month: '2027-01', charged: 50_000, credited: 0, paid: 25_000, outstanding: 25_000, received: 96_000 },
    { month: '2027-02', charged: 50_000, credited: 0, paid: 0, outstanding: 50_000, received: 0 },
  ])
  expect(data).toMatchObject({ charged: 177_419.36, paid: 93_709.68, outstanding: 83_709.68 })

  const ledgers = await loadBalances()
  expect(data.balances).toEqual({
    outstanding: ledgers.get('receivable')!,
    overdue: 33_709.68,
    advances: -ledgers.get('advance')!,
    deposits_held: -ledgers.get('deposit_held')!,
  })
  expect(data.balances).toMatchObject({ advances: 2290.32, deposits_held: 50_000 })
  const { data: month } = await landlord.get('/books/summary')
  expect([month.from, month.to, month.charged]).toEqual(['2027-02-01', '2027-02-28', 50_000])
  for (const [query, from, to] of [
    ['from=2027-01-20', '2027-01-20', '2027-02-28'],
    ['from=2027-03-10', '2027-03-10', '2027-03-31'],
    ['to=2026-12-20', '2026-12-01', '2026-12-20'],
  ]) {
    const { data: part } = await landlord.get(`/books/summary?${query}`)
    expect([part.from, part.to]).toEqual([from, to])
  }
  const refused = await landlord.get('/books/summary?from=2027-02-01&to=2027-01-01')
  expect([refused.status, refused.error.reason]).toEqual([400, 'to_before_from'])
})

test('the rent roll has a row for each lease of the month and for each vacant unit', async () => {
  const { landlord, first, second, vacant } = house
  const { data } = await landlord.get('/books/rent-roll?month=2026-12')
  const findRow = (id: number) => data.rows.find((each: any) => each.property_unit_id === id)
  expect(data.rows).toHaveLength(3)
  expect(findRow(first.unit.id)).toMatchObject({
    agreement_id: first.agreement.id,
    tenants: [{ id: first.tenant.id }],
    rent: 25_000,
    charged: 13_709.68,
    paid: 13_709.68,
    outstanding: 0,
  })
  expect(findRow(second.unit.id)).toMatchObject({ charged: 13_709.68, paid: 5000, outstanding: 8709.68 })
  expect(findRow(vacant.id)).toMatchObject({ agreement_id: null, tenants: [], rent: null, charged: 0 })
  expect(data).toMatchObject({ rent: 50_000, charged: 27_419.36, paid: 18_709.68, outstanding: 8709.68 })
  expect((await landlord.get('/books/rent-roll?month=2026-13')).status).toBe(400)
})

test('the arrears are by age, and add up to what is due', async () => {
  const { landlord, second } = house
  const { data } = await landlord.get('/books/arrears')
  const ages = { days_0_30: 25_000, days_31_60: 8709.68, days_61_90: 0, days_over_90: 0, total: 33_709.68 }
  expect(data).toMatchObject({ as_of: '2027-02-01', ...ages })
  expect(data.rows).toHaveLength(1)
  expect(data.rows[0]).toMatchObject({ agreement_id: second.agreement.id, unit_name: 'A-101', ...ages })
})

test('the annual books have what each unit brought in, to the last rupee', async () => {
  const { landlord, first, second } = house
  const { data } = await landlord.get('/books/annual?year=2026-27')
  const findRow = (id: number) => data.rows.find((each: any) => each.property_unit_id === id)
  expect(findRow(first.unit.id)).toMatchObject({
    received: 90_000,
    tds: 1000,
    rent_due: 38_709.68,
    rent_received: 38_709.68,
    for_deposits: 50_000,
    for_others: 0,
    refunded: 0,
    advances: 2290.32,
    deposits_held: 50_000,
  })
  expect(findRow(second.unit.id)).toMatchObject({ received: 5000, rent_received: 5000 })
  const { received, tds, from_deposit, rent_received, for_deposits, for_others, refunded, advances } = data
  const used = rent_received + for_deposits + for_others + refunded + advances
  expect(used).toBeCloseTo(received + tds + from_deposit, 2)
  expect((await landlord.get('/books/annual?year=2025-26')).data.received).toBe(0)
  expect((await landlord.get('/books/annual?year=2026-28')).status).toBe(400)
})

test("the books have nothing of others, and nothing of a tenant's own lease", async () => {
  const { first } = house
  const tenant = await first.asTenant()
  expect((await tenant.get('/books/summary')).data.balances.outstanding).toBe(0)
  for (const report of ['rent-roll', 'arrears', 'annual'])
    expect((await tenant.get(`/books/${report}`)).data.rows).toEqual([])
})

test('each landlord reads the name that they gave to a tenant whom they share', async () => {
  const tenant = await createTenant(server)
  const names = [
    { first_name: 'Ravi', last_name: 'Nair' },
    { first_name: 'Raghav', last_name: 'Menon' },
  ]
  const phones: string[] = []
  for (const name of names) {
    const landlord = await createLandlord(server)
    expect((await landlord.post('/tenants', { phone_number: tenant.phone, ...name })).status).toBe(201)
    await createActiveAgreement(landlord, [tenant], exampleTerms)
    phones.push(landlord.phone)
  }
  server.setDay('2027-02-02')
  for (const [index, { first_name, last_name }] of names.entries()) {
    const tenants = [{ id: tenant.id, name: `${first_name} ${last_name}` }]
    const landlord = await signInUser(server, phones[index])
    for (const report of ['rent-roll', 'arrears']) {
      const { status, data } = await landlord.get(`/books/${report}`)
      expect([report, status]).toEqual([report, 200])
      expect(data.rows.map((row: any) => row.tenants)).toEqual([tenants])
    }
  }
})

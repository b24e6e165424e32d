import { expect, test } from 'bun:test'
import type { RentRoll } from '@kiraya/sdk/contract'
import {
  createActiveAgreement,
  createManager,
  createTenant,
  createUnit,
  signInUser,
  type TestUser,
} from '../../support/users'
import { createLease, exampleTerms, startBooksServer, type Lease } from '../../support/books/lease-fixture'

async function readRoll(reader: TestUser, month: string) {
  const { status, data } = await reader.get(`/books/rent-roll?month=${month}`)
  expect(status).toBe(200)
  return data as RentRoll
}

/** Proposes a rent; what it returns accepts it. */
async function propose({ landlord, tenant, path }: Lease, rent_amount: number, effective_on: string) {
  const { data } = await landlord.post(`${path}/rent-revisions`, { rent_amount, effective_on })
  return async () => expect((await tenant.post(`${path}/rent-revisions/${data.id}/accept`)).status).toBe(200)
}

test.each([
  ['its first day', { rent_in: 'arrears' }, ['2026-11', '2026-12', '2027-01'], [false, true, true]],
  ['its last day', { billing_cycle: 'anniversary' }, ['2027-01', '2027-02', '2027-03'], [true, true, false]],
])(
  'a lease is in the roll of the month of %s, in which nothing falls due',
  async (_, terms, months, isLet) => {
    await using server = await startBooksServer('2026-12-01')
    const lease = await createLease(server, { agreement_start_date: '2026-12-31', ...terms })
    server.setDay('2027-02-01')
    const landlord = await lease.asLandlord()
    await landlord.post(`${lease.path}/terminate`, { termination_date: '2027-02-01' })
    const rolls = await Promise.all(months.map(month => readRoll(landlord, month)))
    expect(rolls.map(({ rows }) => rows.length)).toEqual([1, 1, 1])
    expect(rolls.map(({ rows }) => rows[0]!.agreement_id === lease.agreement.id)).toEqual(isLet)
  },
)

test('a lease that has ended is in the roll of a month in which something falls due', async () => {
  await using server = await startBooksServer('2026-12-20')
  const { landlord, path, agreement } = await createLease(server)
  await landlord.post(`${path}/terminate`, {})
  const damage = { type: 'damage', amount: 300, due_date: '2027-03-10' }
  await landlord.post(`${path}/charges`, damage)
  expect((await readRoll(landlord, '2027-03')).rows).toMatchObject([
    { agreement_id: agreement.id, charged: 300, outstanding: 300 },
  ])
  expect((await readRoll(landlord, '2027-02')).rows).toMatchObject([{ agreement_id: null }])
})

test('what was credited is not charged, and a deposit is no rent', async () => {
  await using server = await startBooksServer('2026-12-15')
  const { landlord, agreement } = await createLease(server, { deposit_amount: 50_000 })
  const [rent] = (await landlord.get(`/charges?agreement_id=${agreement.id}&type=rent`)).data
  await landlord.post(`/charges/${rent.id}/credits`, { amount: 709.68, reason: 'waiver' })
  const sums = { charged: 13_000, paid: 0, outstanding: 13_000 }
  expect(await readRoll(landlord, '2026-12')).toMatchObject({ ...sums, rows: [sums] })
})

test('the roll of a month has the rent that will hold then', async () => {
  await using server = await startBooksServer()
  const terms = { tenure_in_months: 36, escalation_percent: 5, escalation_every_months: 11 }
  const lease = await createLease(server, terms)
  await createActiveAgreement(lease.landlord, [await createTenant(server)], exampleTerms)
  const readRents = async (by: TestUser, month: string) => {
    const { rows, rent } = await readRoll(by, month)
    return [rows.find(row => row.agreement_id === lease.agreement.id)!.rent, rent]
  }
  // 5 % more from 15 November 2027 and from 15 October 2028; the other lease ends in November 2027.
  expect(await readRents(lease.landlord, '2027-10')).toEqual([25_000, 50_000])
  expect(await readRents(lease.landlord, '2027-11')).toEqual([26_250, 51_250])
  expect(await readRents(lease.landlord, '2028-10')).toEqual([27_562.5, 27_562.5])

  await (
    await propose(lease, 30_000, '2028-01-01')
  )()
  expect(await readRents(lease.landlord, '2028-01')).toEqual([30_000, 30_000])
  expect(await readRents(lease.landlord, '2028-10')).toEqual([31_500, 31_500])
  await server.goTo('2028-10-10')
  expect(await readRents(await lease.asLandlord(), '2028-10')).toEqual([31_500, 31_500])
})

test.each([
  ['no escalation', {}],
  ['an escalation to come', { escalation_percent: 5, escalation_every_months: 10 }],
])(
  'the rent of a month is the latest that was accepted for a day of the lease, with %s',
  async (_, terms) => {
    await using server = await startBooksServer('2026-12-01')
    const lease = await createLease(server, terms)
    const readRents = async (by: TestUser) =>
      Promise.all(['2027-01', '2027-02', '2027-05'].map(async month => (await readRoll(by, month)).rent))
    const accepts = [await propose(lease, 32_000, '2027-04-01'), await propose(lease, 30_000, '2027-02-28')]
    expect(await readRents(lease.landlord)).toEqual([25_000, 25_000, 25_000])
    for (const accept of accepts) await accept()
    expect(await readRents(lease.landlord)).toEqual([25_000, 30_000, 32_000])
    server.setDay('2027-02-27')
    const landlord = await lease.asLandlord()
    expect((await landlord.post(`${lease.path}/terminate`, {})).status).toBe(200)
    expect(await readRents(landlord)).toEqual([25_000, 25_000, 0])
  },
)

test('a lease that ends before its escalation keeps its rent in the roll of that month', async () => {
  await using server = await startBooksServer('2026-12-01')
  const lease = await createLease(server, { escalation_percent: 10, escalation_every_months: 1 })
  server.setDay('2027-01-10')
  const landlord = await lease.asLandlord()
  expect((await readRoll(landlord, '2027-01')).rent).toBe(27_500)
  expect((await landlord.post(`${lease.path}/terminate`, {})).status).toBe(200)
  expect((await readRoll(landlord, '2027-01')).rent).toBe(25_000)
})

/** A unit's path of a lease. */
const toUnitPath = ({ property, unit }: Lease) => `/properties/${property.id}/units/${unit.id}`

test('a manager has the managed units in each report, let and vacant, and no others of their landlord', async () => {
  await using server = await startBooksServer('2026-12-15')
  const [lease, manager] = [await createLease(server), await createManager(server)]
  const { landlord, path } = lease
  const [managed, other] = [await createUnit(landlord), await createUnit(landlord)]
  for (const unit of [toUnitPath(lease), managed.path])
    await landlord.patch(unit, { managed_by_id: manager.id })
  await landlord.post(`${path}/payments`, { amount: 10_000, method: 'upi' })
  server.setDay('2026-12-20')
  const [owner, reader] = [await lease.asLandlord(), await signInUser(server, manager.phone)]

  const unitIds = async (by: TestUser) =>
    (await readRoll(by, '2026-12')).rows.map(row => row.property_unit_id).toSorted((a, b) => a - b)
  expect(await unitIds(reader)).toEqual([lease.unit.id, managed.unit.id])
  expect(await unitIds(owner)).toEqual([lease.unit.id, managed.unit.id, other.unit.id])
  for (const by of [owner, reader]) {
    expect((await by.get('/books/summary')).data).toMatchObject({ received: 10_000, outstanding: 3709.68 })
    expect((await by.get('/books/arrears')).data.total).toBe(3709.68)
    expect((await by.get('/books/annual')).data.received).toBe(10_000)
  }
})

test('the lease of a removed unit stays in the roll of its landlord alone; a vacant one is in none', async () => {
  await using server = await startBooksServer('2026-12-15')
  const [lease, manager] = [await createLease(server), await createManager(server)]
  const { landlord, path, agreement } = lease
  const vacant = await createUnit(landlord)
  expect((await landlord.delete(vacant.path)).status).toBe(200)
  expect((await landlord.patch(toUnitPath(lease), { managed_by_id: manager.id })).status).toBe(200)
  expect((await landlord.post(`${path}/terminate`, {})).status).toBe(200)
  const listLeases = async (by: TestUser) => (await readRoll(by, '2026-12')).rows.map(row => row.agreement_id)
  expect(await listLeases(manager)).toEqual([agreement.id])
  expect((await landlord.delete(toUnitPath(lease))).status).toBe(200)
  expect(await listLeases(manager)).toEqual([])
  expect(await listLeases(landlord)).toEqual([agreement.id])
})

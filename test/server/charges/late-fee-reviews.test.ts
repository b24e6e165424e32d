import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { findBrokenInvariants } from '../../support/books/invariants'
import { listCharges, startBooksServer } from '../../support/books/lease-fixture'
import {
  changePayment,
  countDueReviews,
  createLateLease,
  creditCharge,
  findCharge,
  FLAT,
  listFees,
  payByCheque,
  PERCENT,
} from './late-fee-fixture'

test('a late fee that was waived does not come back', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  await server.goTo('2027-01-12')
  await creditCharge(lease, 'late_fee', 500, 'waiver')
  await server.goTo('2027-01-20')
  const payment = await payByCheque(lease)
  await changePayment(lease, payment, 'reverse', { reason: 'Entered by mistake' })
  await server.goTo('2027-01-21')
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-11 500 0 credited'])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test.each(['2027-01-20', '2027-02-10'])(
  "a fee that was posted with a payment is that of the month's end if the cheque bounces on %s",
  async day => {
    await using server = await startBooksServer('2026-12-25')
    const lease = await createLateLease(server, PERCENT)
    await server.goTo('2027-01-15')
    const payment = await payByCheque(lease)
    expect(await listFees(lease)).toEqual(['late_fee 2027-01-15 123.29 123.29 due'])
    await server.goTo(day)
    await changePayment(lease, payment, 'bounce')
    await server.goTo('2027-02-11')
    expect(await listFees(lease)).toEqual([
      'late_fee 2027-01-15 123.29 0 credited',
      'late_fee 2027-01-31 320.55 320.55 overdue',
    ])
    expect(await countDueReviews(server, '2027-02-11')).toBe(0)
    expect(await findBrokenInvariants(server.em())).toEqual([])
  },
)

test('what was paid of a fee that is replaced settles the oldest charge in the same run', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-15')
  const payment = await payByCheque(lease)
  await payByCheque(lease, { amount: 123.29 })
  await changePayment(lease, payment, 'bounce')
  const opening = { type: 'opening_balance', amount: 200, due_date: '2026-12-01' }
  expect((await (await lease.asLandlord()).post(`${lease.path}/charges`, opening)).status).toBe(201)
  await server.goTo('2027-01-31')
  expect(await listFees(lease)).toEqual([
    'late_fee 2027-01-15 123.29 0 credited',
    'late_fee 2027-01-31 320.55 320.55 due',
  ])
  expect((await listCharges(lease))[0]).toBe('opening_balance 2026-12-01 200 76.71 overdue')
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a fee of which a part was waived is not replaced by a higher one', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-15')
  const payment = await payByCheque(lease)
  await creditCharge(lease, 'late_fee', 23.29, 'waiver')
  await changePayment(lease, payment, 'bounce')
  await server.goTo('2027-02-11')
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-15 123.29 100 overdue'])
})

test.each([
  ['waiver', ['late_fee 2027-01-15 123.29 123.29 due']],
  // What is corrected was never owed.
  ['correction', []],
])('a credit that settles a charge posts its late fee: %s', async (reason, fees) => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-15')
  await creditCharge(lease, 'rent', 25000, reason)
  expect(await listFees(lease)).toEqual(fees)
  expect(await countDueReviews(server, '2027-01-31')).toBe(0)
})

test.each([
  ['in time', '2027-01-09', 'late_fee 2027-01-11 500 0 credited'],
  ['late', '2027-01-11', 'late_fee 2027-01-11 500 500 overdue'],
])('a rent that the job settles anew with a payment made %s has the fee of its day', async (_, day, fee) => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  await server.goTo(day)
  const payment = await payByCheque(lease)
  await server.goTo('2027-01-12')
  const landlord = await lease.asLandlord()
  expect((await landlord.put(`/payments/${payment}/allocations`, { allocations: [] })).status).toBe(200)
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-11 500 500 overdue'])
  await server.goTo('2027-01-13')
  expect(await listCharges(lease)).toEqual(['rent 2027-01-05 25000 0 paid', fee])
  expect(await countDueReviews(server, '2027-01-31')).toBe(0)
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('an advance that the job applies posts the late fee of what it settles', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-04')
  const payment = await payByCheque(lease)
  await server.goTo('2027-01-15')
  const landlord = await lease.asLandlord()
  await changePayment(lease, payment, 'reverse', { reason: 'Entered by mistake' })
  const next = await payByCheque(lease)
  expect((await landlord.put(`/payments/${next}/allocations`, { allocations: [] })).status).toBe(200)
  await server.goTo('2027-01-16')
  expect(await listCharges(lease)).toEqual([
    'rent 2027-01-05 25000 0 paid',
    'late_fee 2027-01-15 123.29 123.29 overdue',
  ])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a settlement of the deposit takes the late fees as of its proposal, whenever it is posted', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, { ...PERCENT, deposit_amount: 50_000 })
  const deposit = await findCharge(lease, 'deposit')
  const allocations = [{ charge_id: deposit.id, amount: 50_000 }]
  await payByCheque(lease, { amount: 50_000, allocations })
  await server.goTo('2027-01-15')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, {})
  // 15 of 31 days: 12,096.77, and 18 % a year of that for ten days.
  const settlement = `${lease.path}/deposit/settlement`
  const deductions = [{ type: 'water', description: 'Water', amount: 100 }]
  const { data } = await landlord.post(settlement, { deductions, refund_method: 'upi' })
  expect(data.open_rent).toBe(12_096.77 + 59.66)
  await server.goTo('2027-02-15')
  expect((await (await lease.asTenant()).post(`${settlement}/accept`)).status).toBe(200)
  expect((await (await lease.asLandlord()).post(`${settlement}/post`)).status).toBe(200)
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-15 59.66 0 paid'])
  expect(await countDueReviews(server, '2027-12-31')).toBe(0)
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('the job looks once at a settled charge, and posts no fee once a lease is closed', async () => {
  await using server = await startBooksServer('2026-12-25')
  const [paid, closed] = [await createLateLease(server, FLAT), await createLateLease(server, FLAT)]
  await server.goTo('2027-01-05')
  await payByCheque(paid)
  const db = getKysely(server.em())
  await sql`update charges set late_fee_on = '2027-01-11' where amount_paid > 0`.execute(db)
  const landlord = await closed.asLandlord()
  expect((await landlord.post(`${closed.path}/terminate`, {})).status).toBe(200)
  expect((await landlord.post(`${closed.path}/complete`)).status).toBe(200)
  await server.goTo('2027-01-31')
  expect([...(await listFees(paid)), ...(await listFees(closed))]).toEqual([])
  const { rows } =
    await sql`select from charges where late_fee_on <= '2027-01-31' and amount_paid > 0`.execute(db)
  expect(rows).toEqual([])
})

test('what is charged for a bounced cheque can be late as any other charge', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  await server.goTo('2027-01-05')
  const payment = await payByCheque(lease)
  await changePayment(lease, payment, 'bounce', { charge_amount: 300 })
  await payByCheque(lease)
  await server.goTo('2027-01-11')
  expect(await listCharges(lease)).toEqual([
    'rent 2027-01-05 25000 0 paid',
    'other 2027-01-05 300 300 overdue',
    'late_fee 2027-01-11 500 500 due',
  ])
})

test('what a deduction leaves owed beyond the deposit can be late too', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, { ...FLAT, deposit_amount: 1000 })
  const deposit = await findCharge(lease, 'deposit')
  await payByCheque(lease, { amount: 1000, allocations: [{ charge_id: deposit.id, amount: 1000 }] })
  await server.goTo('2027-01-05')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, { termination_date: '2027-01-01' })
  const deductions = [{ type: 'damage', description: 'The wall', amount: 5000 }]
  await landlord.post(`${lease.path}/deposit/settlement`, { deductions })
  await (await lease.asTenant()).post(`${lease.path}/deposit/settlement/accept`)
  expect((await landlord.post(`${lease.path}/deposit/settlement/post`)).status).toBe(200)
  await server.goTo('2027-01-11')
  const { data } = await (
    await lease.asLandlord()
  ).get(`/charges?agreement_id=${lease.agreement.id}&type=late_fee`)
  expect(data).toMatchObject([{ description: 'Late fee: The wall', amount: 500 }])
})

test.each([
  ['a flat fee', '2027-01-31', FLAT, ['late_fee 2027-02-11 500 0 credited']],
  ['a flat fee', '2027-02-14', FLAT, ['late_fee 2027-02-11 500 500 overdue']],
  // 23 days of 25,000: 283.56; of 12,500: 141.78.
  ['a percentage', '2027-01-31', PERCENT, ['late_fee 2027-02-28 283.56 0 credited']],
  ['a percentage', '2027-02-14', PERCENT, ['late_fee 2027-02-28 283.56 141.78 overdue']],
])('%s follows the rent that a termination leaves, entered later: on %s', async (_, day, terms, fees) => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, terms)
  await server.goTo('2027-01-05')
  await payByCheque(lease)
  await server.goTo('2027-03-01')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, { termination_date: day })
  expect((await listFees(lease)).filter(each => each.includes('2027-02'))).toEqual(fees)
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

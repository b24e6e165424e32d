import { expect, test } from 'bun:test'
import { addDays } from '../../../../server/domain/dates'
import { listCharges, startBooksServer, type Lease } from '../../../support/books/lease-fixture'
import {
  allocate,
  countDueReviews,
  createLateLease,
  creditCharge,
  findCharge,
  FLAT,
  listFees,
  payByCheque,
  payCharge,
  PER_DAY,
  PERCENT,
  post,
} from './late-fee-fixture'

// What a fee amounts to is tested at the rules, in late-fee.test.

/** The charges and credits of late fees, each as `kind reason actor`. */
async function listFeeJournals(lease: Lease) {
  const { data } = await (await lease.asLandlord()).get('/auth/me/export')
  const { charges, journals } = data.tables
  const feeIds = charges.filter(({ type }: any) => type === 'late_fee').map(({ id }: any) => id)
  return journals
    .filter(({ charge_id, kind }: any) => feeIds.includes(charge_id) && ['charge', 'credit'].includes(kind))
    .map(({ kind, reason, actor_id }: any) => [kind, reason, actor_id].join(' '))
}

test('a flat fee is posted the day after the last safe one, once, for the period of its charge', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  await server.goTo('2027-01-10')
  expect(await listCharges(lease)).toEqual(['rent 2027-01-05 25000 25000 overdue'])
  await server.goTo('2027-01-11')
  await server.goTo('2027-01-20')
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-11 500 500 overdue'])
  expect(await findCharge(lease, 'late_fee')).toMatchObject({
    description: 'Late fee: Rent',
    source: 'late_fee',
    base_charge_id: (await findCharge(lease, 'rent')).id,
    period_start: '2027-01-01',
    period_end: '2027-01-31',
  })
})

test('what is due on the day of the signing can be late, what was due the day before cannot', async () => {
  await using server = await startBooksServer('2027-03-05')
  const terms = { late_fee: 500, agreement_start_date: '2027-02-01' }
  const [sameDay, dayBefore] = [
    await createLateLease(server, { ...terms, rent_due_day: 5 }),
    await createLateLease(server, { ...terms, rent_due_day: 4 }),
  ]
  await server.goTo('2027-03-20')
  expect(await listFees(sameDay)).toEqual(['late_fee 2027-03-06 500 500 overdue'])
  expect(await listFees(dayBefore)).toEqual([])
})

test('a payment that was made in time takes the fee back, and a bounced one brings it again', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  await server.goTo('2027-01-12')
  const payment = await payByCheque(lease, { paid_on: '2027-01-09' })
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-11 500 0 credited'])
  await post(lease, `${payment}/bounce`)
  expect(await listFees(lease)).toEqual([
    'late_fee 2027-01-11 500 0 credited',
    'late_fee 2027-01-11 500 500 overdue',
  ])
  expect(await listFeeJournals(lease)).toEqual(['charge  ', 'credit paid_in_time ', 'charge  '])
})

test.each([
  ['by percentage', PERCENT, 61.64],
  ['by the day', PER_DAY, 500],
])('a fee %s is posted when the rent is paid, in the name of the system', async (_, terms, fee) => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, terms)
  await server.goTo('2027-01-15')
  expect(await listFees(lease)).toEqual([])
  await payByCheque(lease)
  expect(await listFees(lease)).toEqual([`late_fee 2027-01-15 ${fee} ${fee} due`])
  expect(await listFeeJournals(lease)).toEqual(['charge  '])
})

test("a fee that was posted with a cheque becomes that of the month's end if it bounces; what it was paid is free", async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-15')
  const payment = await payByCheque(lease)
  await payByCheque(lease, { amount: 61.64 })
  const opening = { type: 'opening_balance', amount: 200, due_date: '2026-12-01' }
  await post(lease, `${lease.path}/charges`, opening)
  await server.goTo('2027-01-20')
  await post(lease, `${payment}/bounce`)
  await server.goTo('2027-02-11')
  expect(await listFees(lease)).toEqual([
    'late_fee 2027-01-15 61.64 0 credited',
    'late_fee 2027-01-31 258.9 258.9 overdue',
  ])
  expect((await listCharges(lease))[0]).toBe('opening_balance 2026-12-01 200 138.36 overdue')
  expect(await listFeeJournals(lease)).toEqual(['charge  ', 'credit correction ', 'charge  '])
})

test('a fee of an earlier month stays if its cheque bounces; the next one has all days since', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-15')
  const payment = await payByCheque(lease)
  await server.goTo('2027-02-10')
  await post(lease, `${payment}/bounce`)
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-15 61.64 61.64 overdue'])
  await server.goTo('2027-02-28')
  // 49 days of 25,000, less the five that are posted; and 18 days of February's rent.
  expect(await listFees(lease)).toEqual([
    'late_fee 2027-01-15 61.64 61.64 overdue',
    'late_fee 2027-02-28 542.47 542.47 due',
    'late_fee 2027-02-28 221.92 221.92 due',
  ])
})

test.each([
  ['day by day', 1],
  ['late by three months', 90],
])('fees go on from month to month when the job runs %s', async (_, step) => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, { ...PERCENT, tenure_in_months: 1 })
  for (let day = addDays('2026-12-25', step); day < '2027-04-01'; day = addDays(day, step))
    await server.goTo(day)
  await server.goTo('2027-04-01')
  expect(await listFees(lease)).toEqual([
    'late_fee 2027-01-31 258.9 258.9 overdue',
    'late_fee 2027-02-28 345.21 345.21 overdue',
    'late_fee 2027-03-31 382.19 382.19 overdue',
  ])
})

test('a payment that is entered later lowers the newest fees first, and one that settles later adds the rest', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, { ...PERCENT, tenure_in_months: 1 })
  await server.goTo('2027-03-05')
  const payment = await payByCheque(lease, { paid_on: '2027-02-03' })
  // 24 days in all.
  expect(await listFees(lease)).toEqual([
    'late_fee 2027-01-31 258.9 258.9 overdue',
    'late_fee 2027-02-28 345.21 36.99 overdue',
  ])
  await post(lease, `${payment}/bounce`)
  await payByCheque(lease, { paid_on: '2027-03-02' })
  // 51 days come to 628.77, of which 295.89 stand.
  expect(await listFees(lease)).toEqual([
    'late_fee 2027-01-31 258.9 258.9 overdue',
    'late_fee 2027-02-28 345.21 36.99 overdue',
    'late_fee 2027-03-02 332.88 332.88 overdue',
  ])
})

test('a flat fee is for the rent alone, as it was first posted', async () => {
  await using server = await startBooksServer('2026-12-25')
  const recurring_charges = [
    { type: 'maintenance', amount: 1500 },
    { type: 'parking', amount: 500 },
  ]
  const lease = await createLateLease(server, { ...FLAT, recurring_charges, deposit_amount: 50_000 })
  const opening = { type: 'opening_balance', amount: 200, due_date: '2026-12-01' }
  await post(lease, `${lease.path}/charges`, opening)
  await post(lease, `${lease.path}/charges`, { type: 'rent', amount: 100, due_date: '2027-01-02' })
  const bouncing = { amount: 10, method: 'cheque', reference: '1' }
  const { id } = await post(lease, `${lease.path}/payments`, bouncing)
  await post(lease, `/payments/${id}/bounce`, { charge_amount: 300 })
  await server.goTo('2027-01-20')
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-11 500 500 overdue'])
})

test.each([
  // 61.64 for five days, and 197.26 for sixteen more.
  ['whole', 61.64, ['late_fee 2027-01-15 61.64 0 credited', 'late_fee 2027-01-31 197.26 197.26 due']],
  ['in part', 23.29, ['late_fee 2027-01-15 61.64 0 credited', 'late_fee 2027-01-31 235.61 235.61 due']],
])('what a person waived of a fee, %s, does not return with that of more days', async (_, waived, fees) => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-15')
  const payment = await payByCheque(lease)
  await creditCharge(lease, 'late_fee', waived, 'waiver')
  await server.goTo('2027-01-20')
  await post(lease, `${payment}/bounce`)
  await server.goTo('2027-01-31')
  expect(await listFees(lease)).toEqual(fees)
})

test.each([
  ['a write-off', 'write_off', ['late_fee 2027-01-15 61.64 61.64 due']],
  ['a waiver: it was never owed', 'waiver', []],
  ['a correction', 'correction', []],
])('a charge that is settled by %s', async (_, reason, fees) => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await server.goTo('2027-01-15')
  await creditCharge(lease, 'rent', 25_000, reason)
  expect(await listFees(lease)).toEqual(fees)
  expect(await countDueReviews(server, '2027-01-31')).toBe(0)
})

test('the fee of a charge that is corrected is credited as a correction, by the system', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, FLAT)
  await server.goTo('2027-01-12')
  await creditCharge(lease, 'rent', 25_000, 'correction')
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-11 500 0 credited'])
  expect(await listFeeJournals(lease)).toEqual(['charge  ', 'credit correction '])
})

test('a credit that frees money for an overdue rent posts the late fee of that rent', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, PERCENT)
  await post(lease, `${lease.path}/charges`, { type: 'water', amount: 25_000, due_date: '2027-01-12' })
  await server.goTo('2027-01-12')
  await payCharge(lease, 'water', 25_000)
  await server.goTo('2027-01-15')
  await creditCharge(lease, 'water', 25_000, 'correction')
  // The money was there on the 12th, two days after the last safe one.
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-12 24.66 24.66 overdue'])
})

test.each([
  ['in time', '2027-01-09', ['late_fee 2027-01-11 500 0 credited']],
  ['late', '2027-01-11', ['late_fee 2027-01-11 500 500 overdue']],
])(
  'a payment %s that is taken away from the rent and then settles it again has the fee of its day',
  async (_, day, fees) => {
    await using server = await startBooksServer('2026-12-25')
    const lease = await createLateLease(server, FLAT)
    await server.goTo(day)
    const payment = await payByCheque(lease)
    await server.goTo('2027-01-12')
    await allocate(lease, payment, [])
    const [rent] = await listCharges(lease)
    expect(rent).toBe('rent 2027-01-05 25000 25000 overdue')
    await allocate(lease, payment, [{ charge_id: (await findCharge(lease, 'rent')).id, amount: 25_000 }])
    expect(await listCharges(lease)).toEqual(['rent 2027-01-05 25000 0 paid', ...fees])
    expect(await countDueReviews(server, '2027-01-31')).toBe(0)
  },
)

test.each([
  ['a flat fee', '2027-01-31', FLAT, ['late_fee 2027-02-11 500 0 credited']],
  ['a flat fee', '2027-02-14', FLAT, ['late_fee 2027-02-11 500 500 overdue']],
  // 18 days of 25,000: 221.92; of 12,500: 110.96.
  ['a percentage', '2027-01-31', PERCENT, ['late_fee 2027-02-28 221.92 0 credited']],
  ['a percentage', '2027-02-14', PERCENT, ['late_fee 2027-02-28 221.92 110.96 overdue']],
])('%s follows the rent that a termination leaves, entered later: on %s', async (_, day, terms, fees) => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, terms)
  await server.goTo('2027-01-05')
  await payByCheque(lease)
  await server.goTo('2027-03-01')
  await post(lease, `${lease.path}/terminate`, { termination_date: day })
  expect((await listFees(lease)).filter(each => each.includes('2027-02'))).toEqual(fees)
})

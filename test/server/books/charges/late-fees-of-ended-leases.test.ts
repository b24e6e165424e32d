import { expect, test } from 'bun:test'
import { listCharges, startBooksServer } from '../../../support/books/lease-fixture'
import {
  countDueReviews,
  createLateLease,
  creditCharge,
  FLAT,
  findCharge,
  listFees,
  payByCheque,
  payCharge,
  PERCENT,
  post,
  settleDeposit,
} from './late-fee-fixture'

test('a settlement of the deposit takes the late fees as of its proposal, whenever it is posted', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, { ...PERCENT, deposit_amount: 50_000 })
  await payCharge(lease, 'deposit', 50_000)
  await server.goTo('2027-01-15')
  await post(lease, `${lease.path}/terminate`)
  const { open_rent, finish } = await settleDeposit(lease)
  // 15 of 31 days: 12,096.77, and 18 % a year of that for five days.
  expect(open_rent).toBe(12_096.77 + 29.83)
  expect(await listFees(lease)).toEqual([])
  await server.goTo('2027-02-15')
  await finish()
  // Posted at the end of January with 125.28, of which 95.45 are credited.
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-31 125.28 0 paid'])
  expect((await findCharge(lease, 'late_fee')).amount_credited).toBe(95.45)
  expect(await countDueReviews(server, '2027-12-31')).toBe(0)
})

test('a settlement is posted as it was proposed if more of a fee was waived than is due', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, { ...PERCENT, deposit_amount: 50_000 })
  await payCharge(lease, 'deposit', 50_000)
  await server.goTo('2027-01-31')
  await creditCharge(lease, 'late_fee', 258.9, 'waiver')
  await post(lease, `${lease.path}/terminate`)
  await creditCharge(lease, 'rent', 20_000, 'waiver')
  const { open_rent, finish } = await settleDeposit(lease)
  expect(open_rent).toBe(5000)
  await finish()
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-31 258.9 0 credited'])
})

test('what the deposit settled is late until the settlement, and the rest if its cheque bounces', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, { ...PERCENT, deposit_amount: 50_000 })
  await server.goTo('2027-01-08')
  await payCharge(lease, 'deposit', 50_000)
  const bouncing = await payCharge(lease, 'rent', 3000)
  await post(lease, `${lease.path}/terminate`)
  const { open_rent, finish } = await settleDeposit(lease)
  expect(open_rent).toBe(3451.61)
  await finish()
  await post(lease, `${bouncing}/bounce`)
  await server.goTo('2027-02-02')
  // 18 % a year of ₹3,000 for 21 days: those of grace cost nothing.
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-31 31.07 31.07 overdue'])
})

test('a fee that the deposit settled stays as it is when a payment of its rent is taken back', async () => {
  await using server = await startBooksServer('2026-12-25')
  const lease = await createLateLease(server, { ...PERCENT, deposit_amount: 50_000 })
  await payCharge(lease, 'deposit', 50_000)
  await server.goTo('2027-01-15')
  const payment = await payByCheque(lease)
  await server.goTo('2027-01-31')
  await post(lease, `${lease.path}/terminate`)
  await (await settleDeposit(lease)).finish()
  await post(lease, `${payment}/bounce`)
  expect(await listFees(lease)).toEqual(['late_fee 2027-01-15 61.64 0 paid'])
})

test('a lease that ended gets its late fee and no further rent; one that is closed gets neither', async () => {
  await using server = await startBooksServer('2026-12-25')
  const [ended, closed, paid] = [
    await createLateLease(server, FLAT),
    await createLateLease(server, FLAT),
    await createLateLease(server, PERCENT),
  ]
  await server.goTo('2027-01-05')
  await post(ended, `${ended.path}/terminate`)
  for (const lease of [closed, paid])
    for (const step of ['terminate', 'complete']) await post(lease, `${lease.path}/${step}`)
  await server.goTo('2027-02-15')
  await payByCheque(paid, { amount: 4032.26 })
  expect(await listCharges(ended)).toEqual([
    'rent 2027-01-05 25000 4032.26 overdue',
    'late_fee 2027-01-11 500 500 overdue',
  ])
  expect(await listCharges(closed)).toEqual(['rent 2027-01-05 25000 4032.26 overdue'])
  expect(await listCharges(paid)).toEqual(['rent 2027-01-05 25000 0 paid'])
})

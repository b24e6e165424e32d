import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../support/books/lease-fixture'
import { playMonths } from './fixtures'

test('says of each line what it is', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50000 })
  await playMonths(server, lease)
  const { data } = await (await lease.asLandlord()).get(`${lease.path}/statement`)
  expect(data.lines.map((line: any) => line.description)).toEqual([
    'Deposit',
    'Rent, 15 Dec 2026 – 31 Dec 2026',
    'Payment by UPI UTR1, receipt RCT-2026-27-000001',
    'Rent, 1 Jan 2027 – 31 Jan 2027',
    'Payment by cheque 004711, receipt RCT-2026-27-000002',
    'Bounced cheque 004711',
    'Payment taken back, receipt RCT-2026-27-000002: The cheque bounced',
    'Credit, waived: Bounced cheque 004711',
    'Payment by cash, receipt RCT-2026-27-000003, with TDS of ₹500.00',
    'Rent, 1 Feb 2027 – 28 Feb 2027',
  ])
})

test('says why each credit was given', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const charge = { type: 'water', description: 'Water', amount: 100, due_date: '2026-12-20' }
  for (const reason of ['proration', 'waiver', 'correction', 'write_off']) {
    const { data } = await lease.landlord.post(`${lease.path}/charges`, charge)
    await lease.landlord.post(`/charges/${data.id}/credits`, { amount: 10, reason })
  }
  const { data } = await lease.landlord.get(`${lease.path}/statement`)
  const credits = data.lines.filter(({ kind }: { kind: string }) => kind === 'credit')
  expect(credits.map(({ description }: { description: string }) => description)).toEqual([
    'Credit, unused days: Water',
    'Credit, waived: Water',
    'Credit, correction: Water',
    'Credit, written off: Water',
  ])
})

test('writes tax that was withheld with lakhs', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const payment = { amount: 9876543.21, tds_amount: 1234567.5, method: 'bank_transfer', reference: 'UTR9' }
  await lease.landlord.post(`${lease.path}/payments`, payment)
  const { data } = await lease.landlord.get(`${lease.path}/statement`)
  expect(data.lines).toContainEqual(
    expect.objectContaining({
      description: 'Payment by bank transfer UTR9, receipt RCT-2026-27-000001, with TDS of ₹12,34,567.50',
      debit: 0,
      credit: 11111110.71,
    }),
  )
})

test('names what was settled from the deposit', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50000 })
  await playMonths(server, lease)
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, {})
  const deductions = [{ type: 'damage', description: 'Geyser', amount: 3500 }]
  await landlord.post(`${lease.path}/deposit/settlement`, { deductions, refund_method: 'upi' })
  await (await lease.asTenant()).post(`${lease.path}/deposit/settlement/accept`, {})
  await landlord.post(`${lease.path}/deposit/settlement/post`, {})
  const { data } = await landlord.get(`${lease.path}/statement`)
  expect(data.deposit).toEqual({ agreed: 50000, paid: 50000, held: 0 })
  const settled = data.lines.filter(({ kind }: { kind: string }) => kind === 'settlement')
  expect(settled.map((line: any) => [line.description, line.credit])).toEqual([
    ['Settled from the deposit: Rent, 1 Jan 2027 – 31 Jan 2027', 20000],
    ['Settled from the deposit: Geyser', 3500],
    ['Settled from the deposit: Rent, 1 Feb 2027 – 28 Feb 2027', 892.86],
  ])
})

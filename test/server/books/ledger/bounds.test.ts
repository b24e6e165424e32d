import { beforeAll, expect, test } from 'bun:test'
import { createLease, booksServer, type Lease } from '../../../support/books/lease-fixture'

/** A lease from 15 December 2026 to 14 November 2027, signed on the 1st of December, which is today. */
let lease: Lease
const server = booksServer('2026-12-01')
beforeAll(async () => {
  lease = await createLease(server)
}, 60_000)

test.each<[string, object]>([
  ['due on the first day of the books', { due_date: '2026-12-15' }],
  ['due a year after the last day of the lease', { due_date: '2028-11-14' }],
  ['of one day', { due_date: '2026-12-20', period_start: '2026-12-20', period_end: '2026-12-20' }],
  ['of a further deposit while the lease goes on', { type: 'deposit', due_date: '2026-12-15' }],
  ['of before the books as an opening balance', { type: 'opening_balance', due_date: '2020-01-01' }],
])('201: a charge %s', async (_, changes) => {
  const body = { type: 'water', amount: 300, ...changes }
  const { status, data } = await lease.landlord.post(`${lease.path}/charges`, body)
  expect(status).toBe(201)
  expect(data).toMatchObject({ source: data.type === 'opening_balance' ? 'opening' : 'manual', ...changes })
})

test.each<[string, object]>([
  ['of before the signatures, a year before the lease begins', { paid_on: '2025-12-15' }],
  ['by a cheque that is dated two years ahead', { method: 'cheque', cheque_date: '2028-12-01' }],
])('201: a payment %s', async (_, changes) => {
  const body = { amount: 100, method: 'upi', reference: 'R-1', ...changes }
  const { status, data } = await lease.landlord.post(`${lease.path}/payments`, body)
  expect(status).toBe(201)
  expect(data).toMatchObject(changes)
})

test('token money of before the signing settles the deposit, and its statement begins with it', async () => {
  const token = await createLease(server, { deposit_amount: 50_000 })
  const { landlord, path, agreement } = token
  const body = { amount: 20_000, method: 'upi', paid_on: '2026-10-10' }
  const { data } = await landlord.post(`${path}/payments`, body)
  const [deposit] = (await landlord.get(`/charges?agreement_id=${agreement.id}&type=deposit`)).data
  expect(data).toMatchObject({
    receipt_number: 'RCT-2026-27-000001',
    allocations: [{ charge_id: deposit.id, amount: 20_000 }],
  })
  const { from, lines } = (await landlord.get(`${path}/statement`)).data
  expect([from, lines[0].date, lines[0].balance]).toEqual(['2026-10-10', '2026-10-10', -20_000])
})

test('201: a payment with a reference that a payment to another landlord has', async () => {
  const other = await createLease(server)
  const body = { amount: 100, method: 'upi', reference: 'UTR-500' }
  for (const { landlord, path } of [lease, other])
    expect((await landlord.post(`${path}/payments`, body)).status).toBe(201)
})

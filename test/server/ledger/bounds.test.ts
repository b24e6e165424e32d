import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  createLease,
  startBooksServer,
  type BooksServer,
  type Lease,
} from '../../support/books/lease-fixture'

/** A lease from 15 December 2026 to 14 November 2027, signed on the 1st of December, which is today. */
let lease: Lease
let server: BooksServer
beforeAll(async () => {
  server = await startBooksServer('2026-12-01')
  lease = await createLease(server)
}, 60_000)
afterAll(() => server.end())

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
  ['on the day of the signatures, before the lease begins', { paid_on: '2026-12-01' }],
  ['by a cheque that is dated two years ahead', { method: 'cheque', cheque_date: '2028-12-01' }],
])('201: a payment %s', async (_, changes) => {
  const body = { amount: 100, method: 'upi', reference: 'R-1', ...changes }
  const { status, data } = await lease.landlord.post(`${lease.path}/payments`, body)
  expect(status).toBe(201)
  expect(data).toMatchObject(changes)
})

test('400: a payment before the day of the signatures, which the refusal names', async () => {
  const body = { amount: 100, method: 'upi', paid_on: '2026-11-30' }
  const { status, error } = await lease.landlord.post(`${lease.path}/payments`, body)
  expect([status, error.reason]).toEqual([400, 'date_before_lease'])
  expect(error.message).toContain('2026-12-01')
})

test('201: a payment on the first day of a lease that was signed after it', async () => {
  const signedLate = await createLease(server, { agreement_start_date: '2026-11-20' })
  const pay = (paid_on: string) =>
    signedLate.landlord.post(`${signedLate.path}/payments`, { amount: 100, method: 'upi', paid_on })
  expect((await pay('2026-11-20')).status).toBe(201)
  expect((await pay('2026-11-19')).error.reason).toBe('date_before_lease')
})

test('201: a payment with a reference that a payment to another landlord has', async () => {
  const other = await createLease(server)
  const body = { amount: 100, method: 'upi', reference: 'UTR-500' }
  for (const { landlord, path } of [lease, other])
    expect((await landlord.post(`${path}/payments`, body)).status).toBe(201)
})

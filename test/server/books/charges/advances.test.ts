import { expect, test } from 'bun:test'
import { createLease, startBooksServer, type BooksServer } from '../../../support/books/lease-fixture'

const RENT = 13_709.68

/** A lease whose first rent is paid, with an advance of ₹1,000. */
async function createPaidLease(server: BooksServer) {
  const lease = await createLease(server)
  const { data: payment } = await lease.landlord.post(`${lease.path}/payments`, {
    amount: RENT + 1000,
    method: 'upi',
  })
  const loadAdvance = async () => (await lease.landlord.get(`/payments/${payment.id}`)).data.unapplied_amount
  const charge = (amount: number, due_date: string) =>
    lease.landlord.post(`${lease.path}/charges`, { type: 'water', amount, due_date })
  return { ...lease, charge, loadAdvance }
}

test.each([
  ['today', '2026-12-20', { amount_paid: 600, status: 'paid' }, 400],
  ['in the past', '2026-12-16', { amount_paid: 600, status: 'paid' }, 400],
  ['later', '2026-12-21', { amount_paid: 0, status: 'upcoming' }, 1000],
])('201: an advance settles a charge that falls due %s', async (_, dueDate, expected, left) => {
  await using server = await startBooksServer('2026-12-20')
  const { charge, loadAdvance } = await createPaidLease(server)
  const created = await charge(600, dueDate)
  expect([created.status, created.data]).toMatchObject([201, expected])
  expect(await loadAdvance()).toBe(left)
})

test('201: what a credit frees settles another charge that is due', async () => {
  await using server = await startBooksServer('2026-12-20')
  const { charge, loadAdvance, landlord } = await createPaidLease(server)
  const { data: paid } = await charge(1000, '2026-12-20')
  const { data: open } = await charge(300, '2026-12-20')
  expect(open.status).toBe('due')

  const credit = { amount: 500, reason: 'waiver' }
  expect((await landlord.post(`/charges/${paid.id}/credits`, credit)).status).toBe(201)

  expect((await landlord.get(`/charges/${open.id}`)).data).toMatchObject({ amount_paid: 300, status: 'paid' })
  expect(await loadAdvance()).toBe(200)
})

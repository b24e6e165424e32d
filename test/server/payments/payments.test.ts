import { describe, expect, test } from 'bun:test'
import { createLease, listCharges, startBooksServer, type Lease } from '../../support/books/lease-fixture'
import { findBrokenInvariants } from '../../support/books/invariants'

/** Charges of a lease as the specification's example has them; returns their ids. */
async function createExampleCharges({ landlord, path }: Lease) {
  const charges = [
    { type: 'rent', amount: 5000, due_date: '2026-12-15' },
    { type: 'other', amount: 500, due_date: '2026-12-16', description: 'Key' },
    { type: 'maintenance', amount: 2500, due_date: '2027-01-05' },
    { type: 'rent', amount: 25000, due_date: '2027-01-05' },
  ]
  const ids: number[] = []
  for (const charge of charges) ids.push((await landlord.post(`${path}/charges`, charge)).data.id)
  return ids
}

test('a payment goes to the oldest charges, rent first on one date', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const [rent, key, maintenance, nextRent] = await createExampleCharges(lease)
  const { data, status } = await lease.landlord.post(`${lease.path}/payments`, {
    amount: 31000,
    method: 'bank_transfer',
    reference: 'UTR1',
    paid_on: '2026-12-01',
  })
  expect(status).toBe(201)
  expect(data).toMatchObject({ status: 'posted', receipt_number: 'RCT-2026-27-000001', unapplied_amount: 0 })
  expect(data.allocations).toEqual([
    { charge_id: rent, amount: 5000 },
    { charge_id: key, amount: 500 },
    { charge_id: maintenance, amount: 500 },
    { charge_id: nextRent, amount: 25000 },
  ])
})

test('the payer’s own allocations come first, and what is left is an advance', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const [, key] = await createExampleCharges(lease)
  const allocations = [{ charge_id: key, amount: 300 }]
  const { data } = await lease.landlord.post(`${lease.path}/payments`, {
    amount: 40000,
    method: 'upi',
    allocations,
  })
  expect(data.allocations).toContainEqual({ charge_id: key, amount: 500 })
  expect(data.unapplied_amount).toBe(7000)
})

describe('a payment that a tenant reports', () => {
  test('is posted when the landlord confirms it, once', async () => {
    await using server = await startBooksServer()
    const lease = await createLease(server)
    await createExampleCharges(lease)
    const reported = await lease.tenant.post(`${lease.path}/payments`, {
      amount: 5000,
      method: 'upi',
      reference: 'A1',
    })
    expect(reported.data).toMatchObject({ status: 'reported', receipt_number: null, unapplied_amount: 0 })
    expect((await lease.tenant.post(`/payments/${reported.data.id}/confirm`)).status).toBe(403)
    const confirmed = await lease.landlord.post(`/payments/${reported.data.id}/confirm`)
    expect(confirmed.data).toMatchObject({
      status: 'posted',
      receipt_number: 'RCT-2026-27-000001',
      posted_at: '2026-12-01T06:30:00.000Z',
    })
    const again = await lease.landlord.post(`/payments/${reported.data.id}/confirm`)
    expect(again.status).toBe(400)
    expect(again.error.details[0].property).toBe('status')
    expect(await findBrokenInvariants(server.em())).toEqual([])
  })

  test('settles nothing when it is rejected', async () => {
    await using server = await startBooksServer()
    const lease = await createLease(server)
    await createExampleCharges(lease)
    const owed = await listCharges(lease)
    const { data } = await lease.tenant.post(`${lease.path}/payments`, { amount: 5000, method: 'cash' })
    const rejected = await lease.landlord.post(`/payments/${data.id}/reject`, { reason: 'Not received' })
    expect(rejected.data).toMatchObject({
      status: 'rejected',
      reversal_reason: 'Not received',
      unapplied_amount: 0,
      receipt_number: null,
      posted_at: null,
    })
    expect(await listCharges(lease)).toEqual(owed)
    expect(await findBrokenInvariants(server.em())).toEqual([])
  })
})

describe('a cheque', () => {
  test('is pending until it is cleared; one that bounces opens its charges again', async () => {
    await using server = await startBooksServer()
    const lease = await createLease(server)
    const [rent, key] = await createExampleCharges(lease)
    const cheque = { amount: 8000, method: 'cheque', reference: '004711', cheque_date: '2026-12-01' }
    const { data } = await lease.landlord.post(`${lease.path}/payments`, cheque)
    expect(data).toMatchObject({ status: 'pending', receipt_number: null, allocations: [] })

    const cleared = await lease.landlord.post(`/payments/${data.id}/clear`)
    expect(cleared.data).toMatchObject({ status: 'posted', receipt_number: 'RCT-2026-27-000001' })
    expect(cleared.data.allocations).toHaveLength(3)

    const bounced = await lease.landlord.post(`/payments/${data.id}/bounce`, { charge_amount: 350 })
    expect(bounced.data).toMatchObject({
      status: 'reversed',
      receipt_number: 'RCT-2026-27-000001',
      allocations: [],
      unapplied_amount: 0,
    })
    for (const id of [rent, key]) {
      const { data: charge } = await lease.landlord.get(`/charges/${id}`)
      expect(charge.amount_outstanding).toBe(charge.amount)
    }
    expect(await listCharges(lease)).toContain('other 2026-12-01 350 350 due')
    expect((await lease.landlord.post(`/payments/${data.id}/bounce`, {})).status).toBe(400)
    expect(await findBrokenInvariants(server.em())).toEqual([])
  })

  test('that never cleared bounces without a receipt, and may be presented again', async () => {
    await using server = await startBooksServer()
    const lease = await createLease(server)
    const cheque = { amount: 8000, method: 'cheque', reference: '004711' }
    const { data } = await lease.landlord.post(`${lease.path}/payments`, cheque)
    const bounced = await lease.landlord.post(`/payments/${data.id}/bounce`, {})
    expect(bounced.data).toMatchObject({ status: 'bounced', receipt_number: null })
    expect((await lease.landlord.post(`${lease.path}/payments`, cheque)).status).toBe(201)
  })
})

test('a reversed payment keeps its receipt number, which is never used again', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const pay = async (reference: string) =>
    (await lease.landlord.post(`${lease.path}/payments`, { amount: 100, method: 'upi', reference })).data
  const first = await pay('A')
  const reversed = await lease.landlord.post(`/payments/${first.id}/reverse`, { reason: 'Wrong lease' })
  expect(reversed.data).toMatchObject({ status: 'reversed', receipt_number: 'RCT-2026-27-000001' })
  expect((await lease.landlord.post(`/payments/${first.id}/reverse`, { reason: 'Again' })).status).toBe(400)
  expect((await pay('B')).receipt_number).toBe('RCT-2026-27-000002')
})

test('receipt numbers have no gaps under fifty payments at once', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const pay = (n: number) =>
    lease.landlord.post(`${lease.path}/payments`, { amount: 10, method: 'upi', reference: `R${n % 42}` })
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => pay(n)))
  const numbers = answers.flatMap(({ data }) => data?.receipt_number ?? []).toSorted()
  expect(numbers).toHaveLength(42)
  expect(numbers.at(-1)).toBe('RCT-2026-27-000042')
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('the same reference again is refused, unless it is allowed', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const payment = { amount: 100, method: 'upi', reference: 'utr9' }
  const { data } = await lease.landlord.post(`${lease.path}/payments`, payment)
  const again = await lease.landlord.post(`${lease.path}/payments`, { ...payment, reference: 'UTR9' })
  expect(again.status).toBe(400)
  expect(again.error).toMatchObject({ reason: 'reference_used', details: [{ property: 'reference' }] })
  expect(again.error.message).toContain(String(data.id))
  const allowed = await lease.landlord.post(`${lease.path}/payments`, { ...payment, allow_duplicate: true })
  expect(allowed.status).toBe(201)
})

test('other charges are settled with a posted payment', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const [rent, key] = await createExampleCharges(lease)
  const { data } = await lease.landlord.post(`${lease.path}/payments`, { amount: 1000, method: 'cash' })
  expect(data.allocations).toEqual([{ charge_id: rent, amount: 1000 }])
  const moved = await lease.landlord.put(`/payments/${data.id}/allocations`, {
    allocations: [{ charge_id: key, amount: 500 }],
  })
  expect(moved.data).toMatchObject({ allocations: [{ charge_id: key, amount: 500 }], unapplied_amount: 500 })
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('an advance is paid back from the oldest payment first', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const pay = async (amount: number) =>
    (await lease.landlord.post(`${lease.path}/payments`, { amount, method: 'upi' })).data.id
  const [first, second] = [await pay(300), await pay(500)]
  const refund = await lease.landlord.post(`${lease.path}/refunds`, {
    amount: 450,
    method: 'upi',
    reference: 'X',
  })
  expect(refund.status).toBe(201)
  expect(refund.data.payments).toEqual([
    { payment_id: first, amount: 300 },
    { payment_id: second, amount: 150 },
  ])
  const tooMuch = await lease.landlord.post(`${lease.path}/refunds`, { amount: 350.01, method: 'upi' })
  expect(tooMuch.error).toMatchObject({ reason: 'refund_above_advance', details: [{ property: 'amount' }] })
  const reversed = await lease.landlord.post(`/payments/${first}/reverse`, { reason: 'x' })
  expect([reversed.status, reversed.error.reason]).toEqual([400, 'payment_refunded'])
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('co-tenants owe together, and the receipt names the one who paid', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, {}, 2)
  const unnamed = await lease.landlord.post(`${lease.path}/payments`, { amount: 10, method: 'upi' })
  expect(unnamed.error).toMatchObject({ reason: 'payer_not_tenant', details: [{ property: 'payer_id' }] })
  const other = lease.tenants[1]!
  const body = { amount: 10, method: 'upi', payer_id: other.id }
  expect((await lease.landlord.post(`${lease.path}/payments`, body)).data.payer_id).toBe(other.id)
  expect((await other.post(`${lease.path}/payments`, { amount: 20, method: 'upi' })).data.payer_id).toBe(
    other.id,
  )
  expect((await lease.tenant.post(`${lease.path}/payments`, body)).error.reason).toBe('payer_not_self')
})

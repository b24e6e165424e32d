import { expect, test } from 'bun:test'
import { createLease, listCharges, startBooksServer, type Lease } from '../../../support/books/lease-fixture'

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

test('a payment that a tenant reports is posted when the landlord confirms it, once', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await createExampleCharges(lease)
  const { landlord, tenant, path } = lease
  const { data } = await tenant.post(`${path}/payments`, { amount: 5000, method: 'upi', reference: 'A1' })
  expect(data).toMatchObject({ status: 'reported', receipt_number: null, unapplied_amount: 0 })
  const confirmed = await landlord.post(`/payments/${data.id}/confirm`)
  expect(confirmed.data).toMatchObject({
    status: 'posted',
    receipt_number: 'RCT-2026-27-000001',
    posted_at: '2026-12-01T06:30:00.000Z',
  })
  expect((await landlord.post(`/payments/${data.id}/confirm`)).status).toBe(400)
})

test.each([
  ['no reason', {}, null],
  ['a reason, which it keeps', { reason: 'Not received' }, 'Not received'],
])('a report that is rejected with %s settles nothing', async (_, body, reversal_reason) => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  await createExampleCharges(lease)
  const owed = await listCharges(lease)
  const { data } = await lease.tenant.post(`${lease.path}/payments`, { amount: 5000, method: 'cash' })
  const rejected = await lease.landlord.post(`/payments/${data.id}/reject`, body)
  expect(rejected.data).toMatchObject({
    status: 'rejected',
    reversal_reason,
    unapplied_amount: 0,
    receipt_number: null,
    posted_at: null,
  })
  expect(await listCharges(lease)).toEqual(owed)
})

test('a payment settles on its day, and is taken back on the day of that; its number is not used again', async () => {
  await using server = await startBooksServer('2026-12-20')
  const { landlord, path } = await createLease(server)
  const pay = async (body: object) =>
    (await landlord.post(`${path}/payments`, { amount: 13_709.68, method: 'upi', ...body })).data
  const first = await pay({ paid_on: '2026-12-16' })
  server.setDay('2026-12-22')
  const reverse = () => landlord.post(`/payments/${first.id}/reverse`, { reason: 'Wrong lease' })
  expect((await reverse()).data).toMatchObject({ status: 'reversed', receipt_number: 'RCT-2026-27-000001' })
  expect((await reverse()).status).toBe(400)
  const { journals } = (await landlord.get('/auth/me/export')).data.tables
  expect(journals.slice(1).map(({ kind, effective_on }: any) => [kind, effective_on])).toEqual([
    ['payment', '2026-12-16'],
    ['allocation', '2026-12-16'],
    ['reversal', '2026-12-22'],
    ['reversal', '2026-12-22'],
  ])
  expect((await pay({})).receipt_number).toBe('RCT-2026-27-000002')
})

test('another charge is settled with a posted payment', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server)
  const [rent, key] = await createExampleCharges(lease)
  const { data } = await lease.landlord.post(`${lease.path}/payments`, { amount: 1000, method: 'cash' })
  expect(data.allocations).toEqual([{ charge_id: rent, amount: 1000 }])
  const moved = await lease.landlord.put(`/payments/${data.id}/allocations`, {
    allocations: [{ charge_id: key, amount: 500 }],
  })
  expect(moved.data).toMatchObject({ allocations: [{ charge_id: key, amount: 500 }], unapplied_amount: 500 })
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

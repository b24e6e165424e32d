import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../../support/books/lease-fixture'

test('the reference of a refund stands in the statement and the export, and the chain holds', async () => {
  await using server = await startBooksServer('2026-12-01')
  const { landlord, path } = await createLease(server)
  await landlord.post(`${path}/payments`, { amount: 300, method: 'upi' })
  await landlord.post(`${path}/refunds`, { amount: 100, method: 'cash' })
  const refund = { amount: 200, method: 'upi', reference: 'UTR-77' }
  expect((await landlord.post(`${path}/refunds`, refund)).data).toMatchObject(refund)

  const { data: statement } = await landlord.get(`${path}/statement`)
  expect(statement.lines.map((line: any) => line.description).slice(-2)).toEqual([
    'Advance paid back, from receipt RCT-2026-27-000001',
    'Advance paid back, UTR-77, from receipt RCT-2026-27-000001',
  ])
  const { data: exported } = await landlord.get('/auth/me/export')
  const { journals } = exported.tables
  const refunds = journals.filter((journal: any) => journal.kind === 'refund')
  expect(refunds.map((journal: any) => journal.reference)).toEqual([null, 'UTR-77'])
})

test('400: a refund before a payment that it takes', async () => {
  await using server = await startBooksServer('2026-12-01')
  const lease = await createLease(server)
  await lease.landlord.post(`${lease.path}/payments`, { amount: 300, method: 'upi' })
  await server.goTo('2026-12-05')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 500, method: 'upi' })

  const refund = { amount: 301, method: 'upi', refunded_on: '2026-12-04' }
  const { status, error } = await landlord.post(`${lease.path}/refunds`, refund)
  expect([status, error.reason, error.details[0].property]).toEqual([
    400,
    'refund_before_payment',
    'refunded_on',
  ])
  expect(error.message).toContain('2026-12-05')
  expect((await landlord.post(`${lease.path}/refunds`, { ...refund, amount: 300 })).status).toBe(201)
  const later = { amount: 500, method: 'upi', refunded_on: '2026-12-05' }
  expect((await landlord.post(`${lease.path}/refunds`, later)).status).toBe(201)
})

test('400: a refund of tomorrow, or of a paisa more than the advance', async () => {
  await using server = await startBooksServer('2026-12-01')
  const { landlord, path } = await createLease(server)
  await landlord.post(`${path}/payments`, { amount: 300, method: 'upi' })
  for (const [change, reason, property] of [
    [{ refunded_on: '2026-12-02' }, 'date_in_future', 'refunded_on'],
    [{ amount: 300.01 }, 'refund_above_advance', 'amount'],
  ] as const) {
    const body = { amount: 300, method: 'upi', ...change }
    const { status, error } = await landlord.post(`${path}/refunds`, body)
    expect([status, error.reason, error.details[0].property]).toEqual([400, reason, property])
  }
})

test('a refund takes what was paid first, whatever was entered first; what it takes is not reversed', async () => {
  await using server = await startBooksServer('2026-12-01')
  const lease = await createLease(server)
  server.setDay('2026-12-05')
  const landlord = await lease.asLandlord()
  const pay = async (amount: number, paid_on: string) =>
    (await landlord.post(`${lease.path}/payments`, { amount, method: 'upi', paid_on })).data.id
  const [second, first] = [await pay(300, '2026-12-04'), await pay(500, '2026-12-03')]
  const { data } = await landlord.post(`${lease.path}/refunds`, { amount: 600, method: 'upi' })
  expect(data.payments).toEqual([
    { payment_id: first, amount: 500 },
    { payment_id: second, amount: 100 },
  ])
  const { status, error } = await landlord.post(`/payments/${first}/reverse`, { reason: 'A mistake' })
  expect([status, error.reason]).toEqual([400, 'payment_refunded'])
})

import { expect, test } from 'bun:test'
import { createLease, listCharges, startBooksServer, type Lease } from '../../../support/books/lease-fixture'

const cheque = { amount: 13_709.68, method: 'cheque', reference: '004711' }

const record = async ({ path }: Lease, payer: Lease['landlord'], changes: object = {}) =>
  (await payer.post(`${path}/payments`, { ...cheque, ...changes })).data

test('a cheque that is dated ahead is paid on its date: receipt, late fee and postings follow', async () => {
  await using server = await startBooksServer('2027-03-15')
  const terms = { agreement_start_date: '2027-03-15', late_fee: 500, late_fee_grace_days: 5 }
  const lease = await createLease(server, terms)
  const { id } = await record(lease, lease.landlord, { cheque_date: '2027-04-02' })
  const { error } = await lease.landlord.post(`/payments/${id}/clear`)
  expect([error.reason, error.details[0].property]).toEqual(['cleared_before_cheque', 'cleared_on'])

  await server.goTo('2027-04-05')
  const owner = await lease.asLandlord()
  const { data } = await owner.post(`/payments/${id}/clear`, { cleared_on: '2027-04-04' })
  expect(data).toMatchObject({
    status: 'posted',
    paid_on: '2027-04-02',
    cleared_on: '2027-04-04',
    receipt_number: 'RCT-2027-28-000001',
  })
  expect(await listCharges(lease)).toContainEqual(expect.stringContaining('late_fee 2027-03-21 500 500'))
  const { data: statement } = await owner.get(`${lease.path}/statement`)
  expect(statement.lines.find((line: any) => line.payment_id === id).date).toBe('2027-04-02')
})

test('a cheque is cleared from its date and its entry on, today unless a day is given', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const [entered, dated] = [
    await record(lease, lease.landlord, { cheque_date: '2026-12-01' }),
    await record(lease, lease.landlord, { cheque_date: '2026-12-18', reference: '004712' }),
  ]
  expect(entered.cleared_on).toBeNull()
  await server.goTo('2026-12-20')
  const landlord = await lease.asLandlord()
  const clear = (payment: { id: number }, cleared_on?: string) =>
    landlord.post(`/payments/${payment.id}/clear`, { cleared_on })
  for (const [payment, day] of [
    [dated, '2026-12-17'],
    [entered, '2026-12-14'],
    [entered, '2026-12-21'],
  ] as const) {
    const { status, error } = await clear(payment, day)
    expect([day, status, error?.details[0].property]).toEqual([day, 400, 'cleared_on'])
    expect((await landlord.get(`/payments/${payment.id}`)).data.status).toBe('pending')
  }
  const today = await clear(entered)
  expect(today.data).toMatchObject({ paid_on: '2026-12-15', cleared_on: '2026-12-20' })
  const onItsDate = await clear(dated, '2026-12-18')
  expect(onItsDate.data).toMatchObject({ paid_on: '2026-12-18', cleared_on: '2026-12-18' })
})

test('a reported cheque that is dated ahead is confirmed from its date on, and paid on it', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const { id } = await record(lease, lease.tenant, { cheque_date: '2026-12-18' })
  const early = await lease.landlord.post(`/payments/${id}/confirm`)
  expect(early.error).toMatchObject({ reason: 'date_in_future', details: [{ property: 'cheque_date' }] })
  await server.goTo('2026-12-20')
  const { data } = await (await lease.asLandlord()).post(`/payments/${id}/confirm`)
  expect(data).toMatchObject({ status: 'posted', paid_on: '2026-12-18' })
})

test('a cheque that was cleared and bounces opens its charges again, and is charged for today', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const pending = await record(lease, lease.landlord)
  expect(pending).toMatchObject({ status: 'pending', receipt_number: null, allocations: [] })
  await server.goTo('2026-12-20')
  const landlord = await lease.asLandlord()
  const cleared = await landlord.post(`/payments/${pending.id}/clear`)
  expect(cleared.data).toMatchObject({ status: 'posted', receipt_number: 'RCT-2026-27-000001' })
  expect(await listCharges(lease)).toEqual(['rent 2026-12-15 13709.68 0 paid'])

  const bounced = await landlord.post(`/payments/${pending.id}/bounce`, { charge_amount: 350 })
  expect(bounced.data).toMatchObject({
    status: 'reversed',
    receipt_number: 'RCT-2026-27-000001',
    allocations: [],
    unapplied_amount: 0,
    reversal_reason: 'The cheque bounced',
  })
  expect(await listCharges(lease)).toEqual([
    'rent 2026-12-15 13709.68 13709.68 overdue',
    'other 2026-12-20 350 350 due',
  ])
  expect((await landlord.post(`/payments/${pending.id}/bounce`, {})).status).toBe(400)
})

test('a cheque that never cleared bounces without a receipt, and may be presented again', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const { id } = await record(lease, lease.landlord)
  const { data } = await lease.landlord.post(`/payments/${id}/bounce`, { reason: 'Stopped' })
  expect(data).toMatchObject({ status: 'bounced', receipt_number: null, reversal_reason: 'Stopped' })
  expect((await lease.landlord.post(`${lease.path}/payments`, cheque)).status).toBe(201)
})

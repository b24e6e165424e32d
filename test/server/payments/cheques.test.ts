import { expect, test } from 'bun:test'
import { sendRequest } from '../../support/users'
import { createLease, listCharges, startBooksServer, type Lease } from '../../support/books/lease-fixture'
import { findBrokenInvariants } from '../../support/books/invariants'

const cheque = { amount: 13_709.68, method: 'cheque', reference: '004711' }

const record = async ({ path }: Lease, payer: Lease['landlord'], changes: object = {}) =>
  (await payer.post(`${path}/payments`, { ...cheque, ...changes })).data

test('a cheque that is dated ahead is paid on its date: receipt, late fee and postings follow', async () => {
  await using server = await startBooksServer('2027-03-15')
  const lease = await createLease(server, {
    agreement_start_date: '2027-03-15',
    late_fee: 500,
    late_fee_grace_days: 5,
  })
  const { landlord } = lease
  const { id } = await record(lease, landlord, { cheque_date: '2027-04-02' })

  const early = await landlord.post(`/payments/${id}/clear`)
  expect(early.error).toMatchObject({
    reason: 'cleared_before_cheque',
    details: [{ property: 'cleared_on' }],
  })

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
  expect(await findBrokenInvariants(server.em())).toEqual([])
})

test('a cheque is cleared today unless a day is given, and keeps the day of its entry', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const first = await record(lease, lease.landlord, { cheque_date: '2026-12-01' })
  expect(first.cleared_on).toBeNull()
  await server.goTo('2026-12-20')
  const landlord = await lease.asLandlord()
  const { data } = await landlord.post(`/payments/${first.id}/clear`)
  expect(data).toMatchObject({ paid_on: '2026-12-15', cleared_on: '2026-12-20' })
})

test.each([
  ['before its date', { cheque_date: '2026-12-18' }, '2026-12-17'],
  ['before its entry', {}, '2026-12-14'],
  ['tomorrow', {}, '2026-12-21'],
])('400: a cheque is not cleared %s', async (_, changes, cleared_on) => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const { id } = await record(lease, lease.landlord, changes)
  await server.goTo('2026-12-20')
  const landlord = await lease.asLandlord()
  const { status, error } = await landlord.post(`/payments/${id}/clear`, { cleared_on })
  expect([status, error.details[0].property]).toEqual([400, 'cleared_on'])
  expect((await landlord.get(`/payments/${id}`)).data.status).toBe('pending')
})

test('a reported cheque that is dated ahead is confirmed from its date on, and paid on it', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const { id } = await record(lease, lease.tenant, { cheque_date: '2026-12-18' })
  const early = await lease.landlord.post(`/payments/${id}/confirm`)
  expect(early.error).toMatchObject({ reason: 'date_in_future', details: [{ property: 'cheque_date' }] })
  await server.goTo('2026-12-20')
  const landlord = await lease.asLandlord()
  const { data } = await landlord.post(`/payments/${id}/confirm`)
  expect(data).toMatchObject({ status: 'posted', paid_on: '2026-12-18' })
})

test('a cheque is cleared on its own date', async () => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const { id } = await record(lease, lease.landlord, { cheque_date: '2026-12-18' })
  await server.goTo('2026-12-20')
  const landlord = await lease.asLandlord()
  const { data } = await landlord.post(`/payments/${id}/clear`, { cleared_on: '2026-12-18' })
  expect(data).toMatchObject({ status: 'posted', paid_on: '2026-12-18', cleared_on: '2026-12-18' })
})

test.each([
  ['no reason', {}, 'The cheque bounced'],
  ['a reason', { reason: 'Stopped' }, 'Stopped'],
])('a cheque bounces with %s, and is charged for today', async (_, body, reason) => {
  await using server = await startBooksServer('2026-12-15')
  const lease = await createLease(server)
  const { id } = await record(lease, lease.landlord)
  await server.goTo('2026-12-20')
  const landlord = await lease.asLandlord()
  const { data } = await landlord.post(`/payments/${id}/bounce`, { ...body, charge_amount: 350 })
  expect(data).toMatchObject({ status: 'bounced', reversal_reason: reason })
  expect(await listCharges(lease)).toContain('other 2026-12-20 350 350 due')
})

test.each([
  ['en', 'method does not allow this: only a cheque can bounce'],
  ['hi', 'method चेक नहीं है, इसलिए यह भुगतान बाउंस नहीं हो सकता'],
])(
  '400: a payment by another method does not bounce, and the error says so (%s)',
  async (language, sentence) => {
    await using server = await startBooksServer('2026-12-15')
    const { landlord, path } = await createLease(server)
    const { data } = await landlord.post(`${path}/payments`, { amount: 500, method: 'cash' })
    const { status, error } = await sendRequest(server.url, 'POST', `/payments/${data.id}/bounce`, {
      token: landlord.token,
      body: {},
      headers: { 'accept-language': language },
    })
    expect([status, error.reason, error.message]).toEqual([400, 'not_a_cheque', sentence])
  },
)

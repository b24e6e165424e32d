import { describe, expect, test } from 'bun:test'
import { findBrokenInvariants } from '../../support/books/invariants'
import { createLease, exampleTerms, startBooksServer } from '../../support/books/lease-fixture'
import { completeProfile, createActiveAgreement, createLandlord, createTenant } from '../../support/users'
import { readPdfText } from '../../support/pdf'
import { readQrCode } from '../../support/qr-code'
import { createStranger, downloadPdf, playMonths } from './fixtures'

test('a receipt says who paid what to whom, for what and how, and what remains', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50000 })
  const { paid } = await playMonths(server, lease)
  const reader = await lease.asTenant()
  const { status, headers, bytes } = await downloadPdf(server, reader, `/payments/${paid}/receipt`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/pdf')
  expect(headers.get('content-disposition')).toContain('RCT-2026-27-000001.pdf')

  const text = await readPdfText(bytes)
  const contents = [
    'RCT-2026-27-000001',
    '₹63,709.68',
    'Rupees Sixty Three Thousand Seven Hundred Nine and Sixty Eight Paise Only',
    `******${lease.tenant.phone.slice(-4)}`, // no one has named this tenant
    'Asha Rao',
    'Karnataka 560048',
    'UPI, UTR1',
    '15 Dec 2026 – 31 Dec 2026',
    '13,709.68',
    '50,000.00',
    'Nothing after this payment',
  ]
  expect(contents.filter(content => !text.includes(content))).toEqual([])
  expect(text).not.toContain('CANCELLED')
  expect(text).not.toContain('Cancelled payment')
  expect(text).not.toContain('revenue stamp')
})

test('the receipt of a payment with TDS names the tax and what is settled with it', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50000 })
  const { cash } = await playMonths(server, lease)
  const { bytes } = await downloadPdf(server, await lease.asLandlord(), `/payments/${cash}/receipt`)
  const text = await readPdfText(bytes)
  expect(text).toContain('₹500.00 (TDS); with it ₹5,000.00 are settled')
  expect(text).toContain('₹20,000.00 to pay after this payment')
})

describe('a payment that was taken back', () => {
  test('leaves a cancelled receipt of what it had paid', async () => {
    await using server = await startBooksServer()
    const lease = await createLease(server, { deposit_amount: 50000 })
    const { bounced } = await playMonths(server, lease)
    const { bytes } = await downloadPdf(server, await lease.asTenant(), `/payments/${bounced}/receipt`)
    const text = await readPdfText(bytes)
    expect(text).toContain('CANCELLED')
    expect(text).toContain('Cancelled payment')
    expect(text).toContain('On 5 Jan 2027: The cheque bounced')
    expect(text).toContain('1 Jan 2027 – 31 Jan 2027')
    expect(text).toContain('RCT-2026-27-000002')
    expect(await findBrokenInvariants(server.em())).toEqual([])
  })
})

test('a cancelled receipt has what its payment settled last', async () => {
  await using server = await startBooksServer()
  const { landlord, path } = await createLease(server)
  const charge = async (description: string) =>
    (
      await landlord.post(`${path}/charges`, {
        type: 'other',
        description,
        amount: 90,
        due_date: '2026-12-20',
      })
    ).data.id
  const [key, lamp] = [await charge('Key'), await charge('Lamp')]
  const { data } = await landlord.post(`${path}/payments`, {
    amount: 90,
    method: 'upi',
    allocations: [{ charge_id: key, amount: 90 }],
  })
  const allocations = [{ charge_id: lamp, amount: 90 }]
  const steps = [
    ['2026-12-02', () => landlord.put(`/payments/${data.id}/allocations`, { allocations })],
    ['2026-12-03', () => landlord.post(`/payments/${data.id}/reverse`, { reason: 'A mistake' })],
  ] as const
  for (const [day, step] of steps) {
    server.setDay(day)
    expect((await step()).status).toBe(200)
    const { bytes } = await downloadPdf(server, landlord, `/payments/${data.id}/receipt`)
    const text = await readPdfText(bytes)
    expect([text.includes('Lamp'), text.includes('Key')]).toEqual([true, false])
  }
})

test.each([
  [5000.01, 'cash', true],
  [5000, 'cash', false],
  [5000.01, 'upi', false],
])('%d by %s asks for a revenue stamp: %p', async (amount, method, isAsked) => {
  await using server = await startBooksServer()
  const { landlord, path } = await createLease(server)
  const { data } = await landlord.post(`${path}/payments`, { amount, method })
  const { bytes } = await downloadPdf(server, landlord, `/payments/${data.id}/receipt`)
  const text = await readPdfText(bytes)
  expect(text.includes('Affix a revenue stamp')).toBe(isAsked)
})

test('the same facts give the same bytes, also when other charges and payments follow', async () => {
  await using server = await startBooksServer()
  const { landlord, path } = await createLease(server)
  await landlord.post(`${path}/charges`, { type: 'water', amount: 90, due_date: '2026-12-15' })
  const { data } = await landlord.post(`${path}/payments`, { amount: 100, method: 'upi' })
  const read = async (id: number | string) =>
    (await downloadPdf(server, landlord, `/payments/${id}/receipt`)).bytes
  const first = await read(data.id)
  expect(await readPdfText(first)).toContain('₹10.00 are in advance after this payment')

  server.setDay('2026-12-03')
  await landlord.post(`${path}/charges`, { type: 'other', amount: 25000, due_date: '2027-06-01' })
  await landlord.post(`${path}/payments`, { amount: 200, method: 'upi' })
  expect(Buffer.compare(await read(data.payment_id), first)).toBe(0)
})

test('a receipt names the payer as they signed', async () => {
  await using server = await startBooksServer()
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  await completeProfile(tenant, { first_name: 'Tara', last_name: 'Devi' })
  const { path } = await createActiveAgreement(landlord, [tenant], exampleTerms)
  await completeProfile(tenant, { first_name: 'Meena', last_name: 'Kumari' })
  const { data } = await landlord.post(`${path}/payments`, { amount: 100, method: 'upi' })
  const { bytes } = await downloadPdf(server, landlord, `/payments/${data.id}/receipt`)
  expect(await readPdfText(bytes)).toContain('Received from Tara Devi')
})

test('a receipt counts what was paid back of its payment', async () => {
  await using server = await startBooksServer()
  const { landlord, path } = await createLease(server)
  const { data } = await landlord.post(`${path}/payments`, { amount: 100, method: 'upi' })
  await landlord.post(`${path}/refunds`, { amount: 30, method: 'upi' })
  const { bytes } = await downloadPdf(server, landlord, `/payments/${data.id}/receipt`)
  const text = await readPdfText(bytes)
  for (const row of ['Advance for later charges 70.00', 'Paid back 30.00', 'Total 100.00'])
    expect(text).toContain(row)
})

describe('the QR code', () => {
  test('leads to a page that says whether the receipt is valid, without names and amounts', async () => {
    await using server = await startBooksServer()
    const { landlord, path } = await createLease(server)
    const { data } = await landlord.post(`${path}/payments`, { amount: 4321, method: 'cash' })
    const { bytes } = await downloadPdf(server, landlord, `/payments/${data.id}/receipt`)
    const address = readQrCode(bytes)!
    expect(address).toBe(`${server.url}/receipts/${data.payment_id}`)

    const valid = await (await fetch(address)).text()
    expect(valid).toContain('Receipt RCT-2026-27-000001 is valid')
    for (const secret of ['Asha', 'Rao', '4321', '4,321']) expect(valid).not.toContain(secret)
    await landlord.post(`/payments/${data.id}/reverse`, { reason: 'Wrong lease' })
    const cancelled = await (await fetch(address)).text()
    expect(cancelled).toContain('Receipt RCT-2026-27-000001 was cancelled')
    expect(cancelled).not.toContain('Wrong lease')
  })

  test('of no receipt leads nowhere', async () => {
    await using server = await startBooksServer()
    const { tenant, path } = await createLease(server)
    const { data } = await tenant.post(`${path}/payments`, { amount: 10, method: 'upi' })
    for (const id of [data.payment_id, data.id, crypto.randomUUID(), 'x'])
      expect((await fetch(`${server.url}/receipts/${id}`)).status).toBe(404)
  })
})

describe('a receipt is not found', () => {
  test('of a payment that is not posted, and it says so', async () => {
    await using server = await startBooksServer()
    const { tenant, landlord, path } = await createLease(server)
    const { data: reported } = await tenant.post(`${path}/payments`, { amount: 10, method: 'upi' })
    const cheque = { amount: 10, method: 'cheque', reference: '1' }
    const { data: pending } = await landlord.post(`${path}/payments`, cheque)
    for (const { id } of [reported, pending]) {
      const { status, error } = await landlord.get(`/payments/${id}/receipt`)
      expect({ status, reason: error.reason }).toEqual({ status: 404, reason: 'receipt_not_found' })
    }
  })

  test('by strangers', async () => {
    await using server = await startBooksServer()
    const { landlord, path } = await createLease(server)
    const { data } = await landlord.post(`${path}/payments`, { amount: 10, method: 'upi' })
    const { status, error } = await (await createStranger(server)).get(`/payments/${data.id}/receipt`)
    expect({ status, reason: error.reason }).toEqual({ status: 404, reason: 'payment_not_found' })
  })
})

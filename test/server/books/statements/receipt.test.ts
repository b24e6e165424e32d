import { beforeAll, describe, expect, test } from 'bun:test'
import { createLease, exampleTerms, booksServer, type Lease } from '../../../support/books/lease-fixture'
import { requireSuccess } from '../../../support/requests'
import { completeProfile, createActiveAgreement, createLandlord, createTenant } from '../../../support/users'
import { readPdfText } from '../../../support/pdf'
import { readQrCode } from '../../../support/qr-code'
import { downloadPdf, playMonths } from './fixtures'

const server = booksServer()
let lease: Lease
let played: Awaited<ReturnType<typeof playMonths>>
beforeAll(async () => {
  lease = await createLease(server, { deposit_amount: 50_000 })
  played = await playMonths(server, lease)
}, 60_000)

/** Another lease, with short names for its requests. */
async function createOther() {
  const other = await createLease(server)
  const { landlord, path } = other
  const post = async (to: string, body: object) => requireSuccess(await landlord.post(to, body), to).data
  const pay = (amount: number, more: object = {}) =>
    post(`${path}/payments`, { amount, method: 'upi', ...more })
  const charge = (description: string) =>
    post(`${path}/charges`, { type: 'other', description, amount: 90, due_date: '2027-03-01' })
  const download = async (id: number | string) =>
    (await downloadPdf(server, landlord, `/payments/${id}/receipt`)).bytes
  const read = async (id: number) => readPdfText(await download(id))
  return { ...other, post, pay, charge, download, read }
}

test('a receipt says who paid what to whom, for what and how, and what remains', async () => {
  const reader = await lease.asTenant()
  const { status, headers, bytes } = await downloadPdf(server, reader, `/payments/${played.paid}/receipt`)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/pdf'])
  expect(headers.get('content-disposition')).toContain('filename="RCT-2026-27-000001.pdf"')

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
  const others = ['CANCELLED', 'Cancelled payment', 'revenue stamp']
  expect(others.filter(content => text.includes(content))).toEqual([])
})

test('a receipt of tax names it and what is settled with it; a bounced cheque leaves a cancelled one', async () => {
  const reader = await lease.asLandlord()
  const read = async (id: number) =>
    readPdfText((await downloadPdf(server, reader, `/payments/${id}/receipt`)).bytes)
  const [cash, bounced] = [await read(played.cash), await read(played.bounced)]
  expect(cash).toContain('₹500.00 (TDS); with it ₹5,000.00 are settled')
  expect(cash).toContain('₹20,000.00 to pay after this payment')
  const contents = [
    'CANCELLED',
    'Cancelled payment',
    'On 5 Jan 2027: The cheque bounced',
    '1 Jan 2027 – 31 Jan 2027',
    'RCT-2026-27-000002',
  ]
  expect(contents.filter(content => !bounced.includes(content))).toEqual([])
})

test('a receipt in Hindi has no English line but what a person wrote', async () => {
  const { post, pay, charge, landlord } = await createOther()
  const { id } = await charge('Key')
  const allocations = [{ charge_id: id, amount: 90 }]
  const cheque = await pay(15_000, { method: 'cheque', reference: '1', allocations })
  await post(`/payments/${cheque.id}/clear`, {})
  await post(`/payments/${cheque.id}/bounce`, {})
  const { bytes } = await downloadPdf(server, landlord, `/payments/${cheque.id}/receipt?language=hi`)
  const text = await readPdfText(bytes)
  expect(text).toContain('Key')
  for (const english of ['Rent', 'bounced', 'cheque', 'Rupees']) expect(text).not.toContain(english)
})

test('a receipt has what its payment settled last, also once it was taken back', async () => {
  const { landlord, post, charge, pay, read } = await createOther()
  const [key, lamp] = [await charge('Key'), await charge('Lamp')]
  const { id } = await pay(90, { allocations: [{ charge_id: key.id, amount: 90 }] })
  const allocations = [{ charge_id: lamp.id, amount: 90 }]
  const steps = [
    ['2027-02-02', () => landlord.put(`/payments/${id}/allocations`, { allocations })],
    ['2027-02-03', () => post(`/payments/${id}/reverse`, { reason: 'A mistake' })],
  ] as const
  for (const [day, step] of steps) {
    server.setDay(day)
    await step()
    const text = await read(id)
    expect([text.includes('Lamp'), text.includes('Key')]).toEqual([true, false])
  }
})

test.each([
  [5000.01, 'cash', true],
  [5000, 'cash', false],
  [5000.01, 'upi', false],
])('%d by %s asks for a revenue stamp: %p', async (amount, method, isAsked) => {
  const { pay, read } = await createOther()
  expect((await read((await pay(amount, { method })).id)).includes('Affix a revenue stamp')).toBe(isAsked)
})

test('the same facts give the same bytes, also when other charges and payments follow', async () => {
  const { pay, charge, download } = await createOther()
  await charge('Water')
  const { id, payment_id } = await pay(63_809.68)
  const first = await download(id)
  expect(await readPdfText(first)).toContain('₹10.00 are in advance after this payment')
  await charge('Lamp')
  await pay(200)
  expect(Buffer.compare(await download(payment_id), first)).toBe(0)
})

test('a receipt names the payer as they signed', async () => {
  const [landlord, tenant] = [await createLandlord(server), await createTenant(server)]
  await completeProfile(tenant, { first_name: 'Tara', last_name: 'Devi' })
  const { path } = await createActiveAgreement(landlord, [tenant], exampleTerms)
  await completeProfile(tenant, { first_name: 'Meena', last_name: 'Kumari' })
  const { data } = await landlord.post(`${path}/payments`, { amount: 100, method: 'upi' })
  const { bytes } = await downloadPdf(server, landlord, `/payments/${data.id}/receipt`)
  expect(await readPdfText(bytes)).toContain('Received from Tara Devi')
})

test('a receipt counts what was paid back of its payment', async () => {
  const { pay, post, path, read } = await createOther()
  const { id, unapplied_amount } = await pay(90_000)
  await post(`${path}/refunds`, { amount: unapplied_amount - 70, method: 'upi' })
  const text = await read(id)
  for (const row of ['Advance for later charges 70.00', 'Paid back 26,220.32', 'Total 90,000.00'])
    expect(text).toContain(row)
})

describe('the QR code', () => {
  test('leads to a page that says whether the receipt is valid, without names and amounts', async () => {
    const { pay, post, download } = await createOther()
    const { id, payment_id } = await pay(4321)
    const address = (await readQrCode(await download(id)))!
    expect(address).toBe(`${server.url}/receipts/${payment_id}`)

    const valid = await (await fetch(address)).text()
    expect(valid).toContain('Receipt RCT-2026-27-000001 is valid')
    for (const secret of ['Asha', 'Rao', '4321', '4,321']) expect(valid).not.toContain(secret)
    await post(`/payments/${id}/reverse`, { reason: 'Wrong lease' })
    const cancelled = await (await fetch(address)).text()
    expect(cancelled).toContain('Receipt RCT-2026-27-000001 was cancelled')
    expect(cancelled).not.toContain('Wrong lease')
  })

  test('of no receipt leads nowhere, since what is not posted has none', async () => {
    const { tenant, landlord, path, pay } = await createOther()
    const { data: reported } = await tenant.post(`${path}/payments`, { amount: 10, method: 'upi' })
    const pending = await pay(10, { method: 'cheque', reference: '1' })
    for (const { id } of [reported, pending]) {
      const { status, error } = await landlord.get(`/payments/${id}/receipt`)
      expect([status, error.reason]).toEqual([404, 'receipt_not_found'])
    }
    for (const id of [reported.payment_id, reported.id, crypto.randomUUID(), 'x'])
      expect((await fetch(`${server.url}/receipts/${id}`)).status).toBe(404)
  })
})

import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../../support/books/lease-fixture'
import { readPdfText } from '../../../support/pdf'
import { createEndedLease } from '../deposits/ended-lease'
import { downloadPdf, playMonths } from './fixtures'

test('a rent proof lists the months and what this tenant paid of them', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, { deposit_amount: 50000 })
  await playMonths(server, lease)
  const reader = await lease.asTenant()
  const path = `${lease.path}/rent-proof?year=2026-27`
  const { status, headers, bytes } = await downloadPdf(server, reader, path)
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toContain(
    `filename="${lease.agreement.agreement_number} rent 2026-27.pdf"`,
  )
  const text = await readPdfText(bytes)
  const contents = [
    '1 Apr 2026 to 31 Mar 2027',
    'Form 124',
    '15 Dec 2026 – 31 Dec 2026 15 Dec 2026 RCT-2026-27-000001 13,709.68 13,709.68',
    '1 Jan 2027 – 31 Jan 2027 5 Jan 2027 RCT-2026-27-000003 25,000.00 5,000.00',
    'Rent paid in the year ₹18,709.68', // neither the deposit nor the cheque that bounced
    'Rupees Eighteen Thousand Seven Hundred Nine and Sixty Eight Paise Only',
    'Karnataka 560048',
  ]
  expect(contents.filter(content => !text.includes(content))).toEqual([])
})

test('another year has a form and rents of its own', async () => {
  await using server = await startBooksServer('2026-03-10')
  const terms = { agreement_start_date: '2026-03-01', rent_amount: 60_000, rent_due_day: 1 }
  const lease = await createLease(server, terms)
  await server.goTo('2026-04-02')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/payments`, { amount: 180000, method: 'upi' })
  await server.goTo('2026-05-02')
  const read = async (year: string) =>
    readPdfText(
      (await downloadPdf(server, await lease.asTenant(), `${lease.path}/rent-proof?year=${year}`)).bytes,
    )
  const old = await read('2025-26')
  expect(old).toContain('Form 12BB')
  expect(old).toContain('Rent paid in the year ₹0.00')
  const present = await read('2026-27')
  expect(present).toContain('Form 124')
  // March's rent was paid in April, and May's fell due on the first.
  expect(present).toContain('Rent paid in the year ₹1,80,000.00')
  expect(present).toContain('PAN')
})

test('a rent that is paid before it falls due is of the year in which it was paid', async () => {
  await using server = await startBooksServer('2027-03-01')
  const terms = { agreement_start_date: '2027-03-01', rent_in: 'arrears' }
  const { landlord, tenant, path } = await createLease(server, terms)
  const [rent] = (await landlord.get('/charges')).data
  await landlord.post(`/charges/${rent.id}/credits`, { amount: 1000, reason: 'waiver' })
  await landlord.post(`${path}/charges`, { type: 'water', amount: 90, due_date: '2027-03-05' })
  await landlord.post(`${path}/payments`, { amount: 24_090, method: 'upi' })
  const read = async (year: string) =>
    readPdfText((await downloadPdf(server, tenant, `${path}/rent-proof?year=${year}`)).bytes)
  const march = '1 Mar 2027 – 31 Mar 2027 1 Mar 2027 RCT-2026-27-000001 24,000.00 24,000.00'
  const [text, next] = [await read('2026-27'), await read('2027-28')]
  expect([text.includes(march), text.includes('year ₹24,000.00')]).toEqual([true, true])
  expect(next).toContain('Rent paid in the year ₹0.00')
})

test('a co-tenant’s proof has their own payments, and nobody reads another’s', async () => {
  await using server = await startBooksServer()
  const lease = await createLease(server, {}, 2)
  const [first, second] = lease.tenants as [(typeof lease.tenants)[0], (typeof lease.tenants)[0]]
  await lease.landlord.post(`${lease.path}/charges`, { type: 'rent', amount: 900, due_date: '2026-12-20' })
  for (const [payer, amount] of [
    [first, 300],
    [second, 500],
  ] as const)
    await lease.landlord.post(`${lease.path}/payments`, { amount, method: 'upi', payer_id: payer.id })
  const proof = `${lease.path}/rent-proof`
  const own = await readPdfText((await downloadPdf(server, second, proof)).bytes)
  expect(own).toContain('₹500.00')
  expect(own).not.toContain('300.00')
  const named = await downloadPdf(server, lease.landlord, `${proof}?payer_id=${first.id}`)
  expect(await readPdfText(named.bytes)).toContain('₹300.00')

  const foreign = await second.get(`${proof}?payer_id=${first.id}`)
  expect(foreign.error).toMatchObject({ reason: 'payer_not_self', details: [{ property: 'payer_id' }] })
  for (const query of ['', `?payer_id=${lease.landlord.id}`]) {
    const { error } = await lease.landlord.get(`${proof}${query}`)
    expect(error).toMatchObject({ reason: 'payer_not_tenant', details: [{ property: 'payer_id' }] })
  }
  const bad = await first.get(`${proof}?year=2026-28`)
  expect(bad.error).toMatchObject({ reason: 'invalid_fields', details: [{ property: 'year' }] })
})

test.each([
  [1, ['8,928.57'], '47,638.25'],
  [2, ['4,464.29', '4,464.28'], '43,173.97'],
])('the rent that a deposit settles is in the proofs of %d tenants', async (count, parts, total) => {
  await using server = await startBooksServer()
  const lease = await createEndedLease(server, 100_000, count)
  await lease.settle({})
  await lease.decide('accept')
  await lease.post()
  const texts = await Promise.all(
    lease.tenants.map(async ({ id }) => {
      const path = `${lease.path}/rent-proof?payer_id=${id}`
      return readPdfText((await downloadPdf(server, lease.landlord, path)).bytes)
    }),
  )
  const settled = parts.map(part => `10 Feb 2027 from the deposit 8,928.57 ${part}`)
  expect(texts.map((text, index) => text.includes(settled[index]!))).toEqual(parts.map(() => true))
  expect(texts[0]).toContain(`Rent paid in the year ₹${total}`)
})

test('a cheque that bounces in the next year, and a payment by mistake, are in no proof from then on', async () => {
  await using server = await startBooksServer('2027-03-20')
  const lease = await createLease(server, { agreement_start_date: '2027-03-01' })
  const cheque = { amount: 25_000, method: 'cheque', reference: '004711' }
  const { data } = await lease.landlord.post(`${lease.path}/payments`, cheque)
  const wrong = await lease.landlord.post(`${lease.path}/payments`, { amount: 30_000, method: 'upi' })
  server.setDay('2027-03-28')
  await (await lease.asLandlord()).post(`/payments/${data.id}/clear`)
  server.setDay('2027-04-05')
  const landlord = await lease.asLandlord()
  const read = async (year: string) =>
    readPdfText((await downloadPdf(server, landlord, `${lease.path}/rent-proof?year=${year}`)).bytes)
  expect(await read('2026-27')).toContain('Rent paid in the year ₹25,000.00')
  await landlord.post(`/payments/${data.id}/bounce`)
  await landlord.post(`/payments/${wrong.data.id}/reverse`, { reason: 'Wrong' })
  for (const year of ['2026-27', '2027-28']) {
    const text = await read(year)
    expect(text).toContain('Rent paid in the year ₹0.00')
    expect(text).toContain('As of 5 Apr 2027')
    expect(text).not.toContain('RCT-')
  }
})

test('charges are in the order of their days, and the payments of each likewise', async () => {
  await using server = await startBooksServer('2026-12-20')
  const lease = await createLease(server, { agreement_start_date: '2026-12-20' })
  const { landlord, path } = lease
  const days = ['2027-03-03', '2027-01-01', '2027-02-02']
  const parts: number[] = []
  for (const due_date of days) {
    const part = { type: 'rent', amount: 90, due_date, description: `Part ${due_date}.` }
    parts.push((await landlord.post(`${path}/charges`, part)).data.id)
  }
  const pay = async (amount: number) => {
    const allocations = parts.map(charge_id => ({ charge_id, amount }))
    const body = { amount: 3 * amount, method: 'upi', allocations }
    return (await landlord.post(`${path}/payments`, body)).data.id as number
  }
  const first = await pay(30)
  server.setDay('2026-12-22')
  await pay(60)
  const read = async (of: string) => readPdfText((await downloadPdf(server, landlord, of)).bytes)
  const [receipt, proof] = [await read(`/payments/${first}/receipt`), await read(`${path}/rent-proof`)]
  for (const text of [receipt, proof])
    expect([...text.matchAll(/Part \S+\./g)].map(([part]) => part)).toEqual(
      days.toSorted().map(day => `Part ${day}.`),
    )
  const row = proof.slice(proof.indexOf('Part 2027-01-01.'), proof.indexOf('Part 2027-02-02.'))
  expect(row).toMatch(/20 Dec.*22 Dec/s)
  expect(row).toMatch(/000001.*000002/s)
})

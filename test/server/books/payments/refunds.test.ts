import { expect, test } from 'bun:test'
import { readPdfText } from '../../../support/pdf'
import { downloadPdf } from '../statements/fixtures'
import { createLease, listCharges, startBooksServer } from '../../../support/books/lease-fixture'

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

const reason = 'Entered for the wrong lease'

test('a refund is a record that both sides read; once it is reversed, so can its payment be', async () => {
  await using server = await startBooksServer('2026-12-01')
  const { landlord, tenant, path } = await createLease(server)
  const { data: payment } = await landlord.post(`${path}/payments`, { amount: 300, method: 'upi' })
  const refund = { amount: 200, method: 'upi', reference: 'UTR-77', refunded_on: '2026-12-01' }
  const { data: made } = await landlord.post(`${path}/refunds`, refund)
  const parts = [{ payment_id: payment.id, amount: 200 }]
  expect(made).toMatchObject({ ...refund, status: 'posted', reversal_reason: null, payments: parts })
  await landlord.post(`${path}/refunds`, { amount: 100, method: 'cash' })
  const list = async (by = tenant, query = '') => (await by.get(`${path}/refunds${query}`)).data
  expect((await list()).map(({ id }: any) => id)).toEqual([made.id + 1, made.id])
  expect(await list(landlord, '?sort=amount&status=posted&limit=1&page=2')).toEqual([made])

  const reverse = () => landlord.post(`/refunds/${made.refund_id}/reverse`, { reason })
  const reversed = { ...made, status: 'reversed', reversal_reason: reason }
  expect(await reverse()).toMatchObject({ status: 200, data: reversed })
  const again = await reverse()
  expect([again.status, again.error.reason]).toEqual([400, 'refund_reversed'])
  expect(await list(tenant, '?status=reversed')).toEqual([reversed])
  const { data: freed } = await landlord.get(`/payments/${payment.id}`)
  expect([freed.unapplied_amount, freed.refunded_amount]).toEqual([200, 100])
  const { data: statement } = await landlord.get(`${path}/statement?verify=true`)
  expect(statement).toMatchObject({ is_intact: true, closing_balance: -200 })
  expect(statement.lines.at(-1)).toMatchObject({
    description: `Refund taken back, UTR-77: ${reason}`,
    credit: 200,
  })

  const takeBack = () => landlord.post(`/payments/${payment.id}/reverse`, { reason })
  expect((await takeBack()).error.reason).toBe('payment_refunded')
  await landlord.post(`/refunds/${made.id + 1}/reverse`, { reason })
  expect((await takeBack()).data.status).toBe('reversed')
  const { data: feed } = await tenant.get('/auth/me/export')
  expect(feed.tables.activities.map(({ type }: any) => type).slice(-3)).toEqual([
    'refund_reversed',
    'refund_reversed',
    'payment_reversed',
  ])
})

test('the money of a reversed refund settles what fell due since, as of its payment', async () => {
  await using server = await startBooksServer('2026-12-01')
  const lease = await createLease(server, { late_fee: 500 })
  await lease.landlord.post(`${lease.path}/payments`, { amount: 13_709.68, method: 'upi' })
  const refund = { amount: 13_709.68, method: 'upi' }
  const { data } = await lease.landlord.post(`${lease.path}/refunds`, refund)
  await server.goTo('2026-12-20')
  await (await lease.asLandlord()).post(`/refunds/${data.id}/reverse`, { reason })
  expect(await listCharges(lease)).toEqual([
    'rent 2026-12-15 13709.68 0 paid',
    'late_fee 2026-12-16 500 0 credited',
  ])
})

test('a reversed refund counts in no year; one that is over lists it', async () => {
  await using server = await startBooksServer('2027-03-20')
  const lease = await createLease(server, { agreement_start_date: '2027-04-15' })
  await lease.landlord.post(`${lease.path}/payments`, { amount: 300, method: 'upi' })
  const { data } = await lease.landlord.post(`${lease.path}/refunds`, { amount: 200, method: 'upi' })
  server.setDay('2027-04-03')
  const landlord = await lease.asLandlord()
  const read = async () => {
    const { data: annual } = await landlord.get('/books/annual?year=2026-27')
    const changes = annual.changes.map((each: any) => [each.kind, each.counts_on, each.amount].join(' '))
    return [annual.refunded, annual.advances, changes]
  }
  expect(await read()).toEqual([200, 100, []])
  await landlord.post(`/refunds/${data.id}/reverse`, { reason })
  expect(await read()).toEqual([0, 300, ['reversal 2027-03-20 200']])
  const { bytes } = await downloadPdf(server, landlord, '/books/annual?year=2026-27&format=pdf')
  expect(await readPdfText(bytes)).toContain('3 Apr 2027 Refund taken back, RCT-2026-27-000001')
})

test('400: a refund is not reversed if a COMPLETED lease came to hold an advance', async () => {
  await using server = await startBooksServer('2026-12-01')
  const lease = await createLease(server)
  server.setDay('2026-12-31')
  const landlord = await lease.asLandlord()
  await landlord.post(`${lease.path}/terminate`, {})
  await landlord.post(`${lease.path}/payments`, { amount: 13_809.68, method: 'upi' })
  const { data } = await landlord.post(`${lease.path}/refunds`, { amount: 100, method: 'upi' })
  expect((await landlord.post(`${lease.path}/complete`)).status).toBe(200)
  const { status, error } = await landlord.post(`/refunds/${data.id}/reverse`, { reason })
  expect([status, error.reason]).toEqual([400, 'payment_above_outstanding'])
})

test('of two reversals of a refund at once, one succeeds', async () => {
  await using server = await startBooksServer('2026-12-01')
  const { landlord, path } = await createLease(server)
  await landlord.post(`${path}/payments`, { amount: 300, method: 'upi' })
  const { data } = await landlord.post(`${path}/refunds`, { amount: 200, method: 'upi' })
  const reverse = () => landlord.post(`/refunds/${data.id}/reverse`, { reason })
  const statuses = (await Promise.all([reverse(), reverse()])).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 400])
})

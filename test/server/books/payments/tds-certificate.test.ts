import { expect, test } from 'bun:test'
import { readPdfText } from '../../../support/pdf'
import type { TestUser } from '../../../support/users'
import { booksServer, createLease, type Lease } from '../../../support/books/lease-fixture'
import { downloadPdf } from '../statements/fixtures'

const server = booksServer('2026-12-20')

async function pay(payer: TestUser, { path }: Lease, changes: Record<string, unknown> = {}) {
  const payment = { amount: 24_500, tds_amount: 500, method: 'cash', ...changes }
  const { data } = await payer.post(`${path}/payments`, payment)
  return { ...data, path: `/payments/${data.id}` }
}

/** The journals of a lease, and its payments' updates on the tenant's dashboard. */
async function readBooks({ agreement, tenant }: Lease) {
  const db = server.db
  const [journals, news] = await Promise.all([
    db.selectFrom('journals').where('agreement_id', '=', agreement.id).select('id').execute(),
    db
      .selectFrom('activities')
      .where('user_id', '=', tenant.id)
      .where('type', '=', 'payment_changed')
      .select('message')
      .execute(),
  ])
  return { journals: journals.length, news: news.map(({ message }) => message) }
}

test('the number of the certificate is added, changed and cleared, and nothing is posted', async () => {
  const lease = await createLease(server)
  const { landlord, tenant } = lease
  const { path, ...payment } = await pay(landlord, lease)
  const before = await readBooks(lease)

  const added = await landlord.patch(path, {
    tds_certificate_number: ' ABCD1234E ',
    amount: 1,
    status: 'reversed',
  })
  expect([added.status, added.body.message]).toEqual([200, 'The payment was changed'])
  expect(added.data).toEqual({ ...payment, tds_certificate_number: 'ABCD1234E' })
  const again = await landlord.patch(path, { tds_certificate_number: 'ABCD1234E' })
  expect(again.data).toEqual(added.data)
  expect((await landlord.patch(path, {})).data).toEqual(added.data)
  expect(
    (await landlord.patch(`/payments/${payment.payment_id}`, { tds_certificate_number: 'X-2' })).status,
  ).toBe(200)
  expect((await tenant.get(path)).data.tds_certificate_number).toBe('X-2')
  const { bytes } = await downloadPdf(server, tenant, `${path}/receipt`)
  expect(await readPdfText(bytes)).toContain('₹500.00 (TDS, certificate X-2)')
  expect((await landlord.patch(path, { tds_certificate_number: null })).data).toEqual(payment)

  const after = await readBooks(lease)
  const message = `A payment was changed under the agreement ${lease.agreement.agreement_number}`
  expect(after).toEqual({ journals: before.journals, news: [message, message, message] })
})

test('400: a payment without tax has no certificate', async () => {
  const lease = await createLease(server)
  const { path } = await pay(lease.landlord, lease, { amount: 25_000, tds_amount: 0 })
  for (const tds_certificate_number of ['ABCD1234E', null]) {
    const { status, error } = await lease.landlord.patch(path, { tds_certificate_number })
    expect([status, error.reason, error.details[0].property]).toEqual([
      400,
      'tds_not_withheld',
      'tds_certificate_number',
    ])
  }
  expect((await lease.landlord.patch(path, {})).status).toBe(200)
})

test('400: a payment that is not posted is not changed', async () => {
  const lease = await createLease(server)
  const { landlord, tenant } = lease
  const cheque = { method: 'cheque', reference: '000123' }
  const payments = {
    reversed: await pay(landlord, lease),
    pending: await pay(landlord, lease, cheque),
    reported: await pay(tenant, lease),
  }
  await landlord.post(`${payments.reversed.path}/reverse`, { reason: 'Entered twice' })
  for (const [state, { path }] of Object.entries(payments)) {
    const { status, error } = await landlord.patch(path, { tds_certificate_number: 'ABCD1234E' })
    expect([status, error.reason, error.details[0].property]).toEqual([400, 'payment_wrong_status', 'status'])
    expect(error.message).toContain(`a ${state} payment cannot be changed`)
    expect((await landlord.get(path)).data.tds_certificate_number).toBeNull()
  }
})

import { expect, test } from 'bun:test'
import { readPdfText } from '../../../support/pdf'
import { createLease, startBooksServer } from '../../../support/books/lease-fixture'
import { downloadPdf } from '../statements/fixtures'

const terms = { agreement_start_date: '2026-12-01', rent_amount: 60_000 }
const tax = { amount: 0, tds_amount: 60_000, method: 'bank_transfer', reference: 'TDS-1' }

test('tax that is as much as the last rent settles it, without any money', async () => {
  await using server = await startBooksServer('2026-12-01')
  const lease = await createLease(server, terms)
  const { landlord, path } = lease
  const { status, data } = await landlord.post(`${path}/payments`, tax)
  expect([status, data.status, data.unapplied_amount]).toEqual([201, 'posted', 0])
  expect(data.allocations).toMatchObject([{ amount: 60_000 }])

  const { data: statement } = await landlord.get(`${path}/statement`)
  expect(statement.lines[0]).toMatchObject({
    description: 'Tax withheld (TDS), receipt RCT-2026-27-000001',
    credit: 60_000,
  })
  const { bytes } = await downloadPdf(server, landlord, `/payments/${data.id}/receipt`)
  const text = await readPdfText(bytes)
  expect(text).toContain('Rupees Zero Only')
  expect(text).toContain('₹60,000.00 (TDS); with it ₹60,000.00 are settled')
  expect(text).not.toContain('Bank transfer')

  const { data: reversed } = await landlord.post(`/payments/${data.id}/reverse`, { reason: 'A mistake' })
  expect(reversed.status).toBe('reversed')
})

test.each([[{}], [{ tds_amount: 0 }], [{ tds_amount: null }]])(
  '400: a payment of nothing, with %p',
  async tax => {
    await using server = await startBooksServer('2026-12-01')
    const { landlord, path } = await createLease(server, terms)
    const { status, error } = await landlord.post(`${path}/payments`, { amount: 0, method: 'upi', ...tax })
    expect([status, error.reason, error.details[0].property]).toEqual([400, 'payment_empty', 'amount'])
  },
)

import { expect, test } from 'bun:test'
import { renderReceipt, type ReceiptData } from '../../../server/statements/receipt-pdf'
import { renderStatement } from '../../../server/statements/statement-pdf'
import { readPdfPages, readPdfText } from '../../support/pdf'
import { readQrCode } from '../../support/qr-code'
import { parties } from './parties'

const rent = {
  type: 'rent' as const,
  description: 'Rent',
  period_start: '2026-12-01',
  period_end: '2026-12-31',
  due_date: '2026-12-05',
  amount: 250.5,
}

const createReceipt = (changes: Partial<ReceiptData> = {}): ReceiptData => ({
  payment_id: '3f0c8f0e-9d55-4a53-9c61-0f6d2b7a1111',
  receipt_number: 'RCT-2026-27-000001',
  parties,
  payer: parties.tenants[0]!.name,
  landlord_pan: null,
  isCancelled: false,
  amount: 250.5,
  tds_amount: 0,
  tds_certificate_number: null,
  total: 250.5,
  advance: 0,
  refunded_amount: 0,
  method: 'upi',
  reference: 'UTR1',
  paid_on: '2026-12-05',
  cheque_date: null,
  reversal_reason: null,
  posted_at: '2026-12-05T06:30:00.000Z',
  reversed_at: null,
  reversed_on: null,
  balance: 0,
  settled: [rent],
  url: 'https://kiraya.example.com/receipts/3f0c8f0e-9d55-4a53-9c61-0f6d2b7a1111',
  ...changes,
})

/** The text without spaces: readers of PDFs put some of their own between the clusters of a script. */
const squeeze = (text: string) => text.normalize().replaceAll(/\s+/g, '')

test('names and addresses are written in their own scripts', async () => {
  const text = squeeze(await readPdfText(await renderReceipt(createReceipt())))
  const names = [parties.landlord, parties.tenants[0]!.name]
  const contents = [...names, 'फ़्लैट 12', 'शांति कुंज', 'அண்ணா சாலை', '600002']
  expect(contents.filter(content => !text.includes(squeeze(content)))).toEqual([])
})

test('a receipt of many charges goes over several pages, and is cancelled on each', async () => {
  const settled = Array.from({ length: 100 }, (_, n) => ({ ...rent, description: `Charge ${n}.` }))
  const cancelled = { isCancelled: true, reversal_reason: 'W'.repeat(5000), balance: -5 }
  const bytes = await renderReceipt(createReceipt({ settled, ...cancelled }))
  const pages = await readPdfPages(bytes)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.filter(page => !page.includes('CANCELLED'))).toEqual([])
  const text = pages.join(' ')
  expect(settled.filter(({ description }) => !text.includes(description))).toEqual([])
  expect(readQrCode(bytes)).toBe(createReceipt().url)
})

test('an empty statement has its balances, and an advance is marked', async () => {
  const statement = {
    agreement_id: 1,
    agreement_number: 'AGR-2026-000001',
    from: '2026-04-01',
    to: '2027-03-31',
    opening_balance: -1234.5,
    lines: [],
    total_debit: 0,
    total_credit: 0,
    closing_balance: -1234.5,
    deposit: { agreed: 50000, paid: 0, held: 0 },
  }
  const text = await readPdfText(await renderStatement(statement, parties))
  expect(text).toContain('1 Apr 2026 Opening balance 1,234.50 Cr')
  expect(text).toContain('31 Mar 2027 Closing balance 0.00 0.00 1,234.50 Cr')
})

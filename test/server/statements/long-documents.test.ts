import { expect, test } from 'bun:test'
import { renderAnnualBooks } from '../../../server/reports/annual-pdf'
import { renderSettlement } from '../../../server/books/deposits/settlement-pdf'
import { formatAmount } from '../../../server/pdf/formats'
import { renderReceipt } from '../../../server/books/statements/receipt-pdf'
import { renderRentProof } from '../../../server/books/statements/rent-proof-pdf'
import { readPdfPages } from '../../support/pdf'
import { readQrCode } from '../../support/qr-code'
import { annual, cancelledReceipt, receipt, rentProof, settlement } from './papers/data'

const LONG_NAME = 'Sri Venkata Lakshmi Narasimha Subramanyam Thiruvananthapuram-Ramachandran'.repeat(3)
const DESCRIPTIONS = ['रसोई की टाइलें', 'கீசர் பழுது', 'Painting']

/** The text without spaces: readers of PDFs put some of their own between the clusters of a script. */
const squeeze = (text: string) => text.normalize().replaceAll(/\s+/g, '')
const readPages = async (bytes: Uint8Array) => (await readPdfPages(bytes)).map(squeeze)
const findMissing = (pages: string[], texts: string[]) =>
  texts.filter(text => !pages.join('').includes(squeeze(text)))

/** As many of what `create` makes. */
const repeat = <T>(count: number, create: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => create(n))

test('a receipt of 100 charges goes over several pages, is cancelled on each, and has its code', async () => {
  const settled = repeat(100, n => ({ ...receipt.settled[0]!, description: `Charge ${n}.` }))
  const reversal_reason = 'W'.repeat(5000)
  const bytes = await renderReceipt({ ...cancelledReceipt, settled, reversal_reason })
  const pages = await readPages(bytes)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.filter(page => !page.includes('CANCELLED'))).toEqual([])
  const descriptions = settled.map(({ description }) => description)
  expect(findMissing(pages, descriptions)).toEqual([])
  expect(readQrCode(bytes)).toBe(receipt.url)
})

test('an annual summary of 250 units goes over several pages of A4, with its totals in crore', async () => {
  const [row] = annual.annual.rows
  const rows = repeat(250, n => ({
    ...row!,
    unit_name: `A-${n}.`,
    property_name: [LONG_NAME, 'கீசர்'][n % 2]!,
  }))
  const received = 2_50_00_000
  const year = { ...annual.annual, rows, received, tds: 0, for_rent: received }
  const bytes = await renderAnnualBooks({ ...annual, annual: year })
  const pages = await readPages(bytes)
  expect(pages.length).toBeGreaterThan(5)
  const contents = [
    'Rupees Two Crore Fifty Lakh Only',
    'Total 2,50,00,000.00',
    ...rows.map(each => each.unit_name),
  ]
  expect(findMissing(pages, contents)).toEqual([])
  const sizes = Buffer.from(bytes)
    .toString('latin1')
    .match(/MediaBox \[[^\]]*\]/g)
  expect(new Set(sizes)).toEqual(new Set(['MediaBox [0 0 595.28 841.89]']))
})

test('a receipt of more charges than it has room for sums up the further ones', async () => {
  const settled = repeat(402, n => ({
    ...receipt.settled[0]!,
    description: `${DESCRIPTIONS[n % 3]} ${n} ${'x'.repeat(200)}`,
    amount: 10.5,
  }))
  const pages = await readPages(await renderReceipt({ ...receipt, settled, total: 4221, advance: 0 }))

  // 215 signs take five lines of 45, so 2,000 lines are 400 charges, less some for the longer ones.
  const [, count, amount] = pages.join('').match(/(\d+)furthercharges([\d.,]+)/)!
  expect(Number(count)).toBeGreaterThanOrEqual(2)
  expect(Number(count)).toBeLessThan(10)
  expect(amount).toContain(formatAmount(Number(count) * 10.5))
  expect(findMissing(pages, ['Painting 2 x', '4,221.00'])).toEqual([])
})

test('a rent proof lists the first twenty receipts of a rent, and sums up further rents', async () => {
  const receipts = repeat(25, n => `RCT-2026-27-${String(n).padStart(6, '0')}`)
  const rents = repeat(300, () => ({ ...rentProof.rents[0]!, receipts, rent: 100, paid: 50.5 }))
  const pages = await readPages(await renderRentProof({ ...rentProof, rents }))

  // Twenty receipts and the number of the others take ten lines of 45 signs.
  const contents = ['RCT-2026-27-000019 and 5 more', '100 further rents 10,000.00 5,050.00', '15,150.00']
  expect(findMissing(pages, contents)).toEqual([])
  expect(findMissing(pages, ['RCT-2026-27-000020'])).toHaveLength(1)
})

test('a settlement sheet has the latest of many long reasons, and counts the earlier steps', async () => {
  const events = repeat(30, n => ({
    ...settlement.events[1]!,
    reason: `Reason ${n}. ${'word '.repeat(898)}`,
  }))
  const pages = await readPages(await renderSettlement({ ...settlement, events }))

  // A reason of 4,500 signs takes 101 lines of 45.
  const contents = ['The 11 steps before these are left out.', 'Reason 11.', 'Reason 29.']
  expect(findMissing(pages, contents)).toEqual([])
  expect(findMissing(pages, ['Reason 10.'])).toHaveLength(1)
})

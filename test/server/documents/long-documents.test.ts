import { expect, test } from 'bun:test'
import { renderDocument } from '../../../server/documents/render'
import { readPdfPages } from '../../support/pdf'
import { readQrCode } from '../../support/qr-code'
import { annual, cancelledReceipt, receipt, rentProof, settlement, statement } from './data'
import { certificate } from './evidence-data'

const LONG_NAME = 'Sri Venkata Lakshmi Narasimha Subramanyam Thiruvananthapuram-Ramachandran'.repeat(3)
const A4 = 'MediaBox [0 0 595.2756 841.8898]'

const findMissing = (pages: string[], texts: string[]) =>
  texts.filter(text => !pages.join(' ').includes(text))

/** As many of what `create` makes. */
const repeat = <T>(count: number, create: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => create(n))

test('a receipt of 100 charges goes over several pages, is cancelled on each, and has its code', async () => {
  const settled = repeat(100, n => ({ ...receipt.settled[0]!, description: `Charge ${n}.` }))
  const reversal_reason = 'W'.repeat(5000)
  const bytes = await renderDocument('receipt', { ...cancelledReceipt, settled, reversal_reason })
  const pages = await readPdfPages(bytes)
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.filter(page => !page.includes('CANCELLED'))).toEqual([])
  const descriptions = settled.map(({ description }) => description)
  expect(findMissing(pages, descriptions)).toEqual([])
  expect(await readQrCode(bytes)).toBe(receipt.url)
})

test('an annual summary of 250 units goes over several pages of A4, each with the titles of its table', async () => {
  const rows = repeat(250, n => ({
    ...annual.rows[0]!,
    unit_name: `A-${n}.`,
    property_name: [LONG_NAME, 'கீசர்'][n % 2]!,
  }))
  const bytes = await renderDocument('annual', { ...annual, rows, received: 2_50_00_000 })
  const pages = await readPdfPages(bytes)
  expect(pages.length).toBeGreaterThan(5)
  expect(findMissing(pages, ['2,50,00,000.00', ...rows.map(each => each.unit_name)])).toEqual([])
  expect(pages.filter(page => !/Received \(₹\)|Paid back \(₹\)|Counts on/.test(page))).toEqual([])
  expect(
    new Set(
      Buffer.from(bytes)
        .toString('latin1')
        .match(/MediaBox \[[^\]]*\]/g),
    ),
  ).toEqual(new Set([A4]))
})

test('a receipt and a rent proof of more than they have room for sum up the rest', async () => {
  const further = { count: 1200, amount: 12_000.5 }
  const read = async (bytes: Uint8Array) => (await readPdfPages(bytes)).join(' ')
  expect(await read(await renderDocument('receipt', { ...receipt, further }))).toContain(
    '1,200 further charges 12,000.50',
  )
  const receipts = repeat(25, n => `RCT-2026-27-${String(n).padStart(6, '0')}`)
  const rents = [{ ...rentProof.rents[0]!, receipts }]
  const proof = { ...rentProof, rents, further: { count: 100, rent: 10_000, paid: 5050 } }
  const text = await read(await renderDocument('rentProof', proof))
  expect(text).toContain('100 further rents 10,000.00 5,050.00')
  expect(text).toContain('RCT-2026-27-000019 and 5 more')
  expect(text).not.toContain('RCT-2026-27-000020')
})

test('a settlement sheet has long reasons whole, and counts the steps that it leaves out', async () => {
  const steps = repeat(30, n => ({
    ...settlement.steps[1]!,
    reason: `Reason ${n}. ${'word '.repeat(898)}end`,
  }))
  const pages = await readPdfPages(
    await renderDocument('settlement', { ...settlement, steps, earlier_count: 1011 }),
  )
  expect(
    findMissing(pages, ['The 1,011 steps before these are left out.', 'Reason 0.', 'Reason 29.']),
  ).toEqual([])
  expect(pages.join(' ').match(/word end/g)).toHaveLength(30)
})

test('a statement of 1,000 lines and a certificate of 1,000 entries have each of them', async () => {
  const lines = repeat(1000, n => ({ ...statement.lines[0]!, description: `Line ${n}.` }))
  const entries = repeat(1000, n => ({ ...certificate.entries[0]!, actor: `Actor ${n}.` }))
  const account = await readPdfPages(await renderDocument('statement', { ...statement, lines }))
  expect(findMissing(account, [...lines.map(line => line.description), 'Closing balance'])).toEqual([])
  const timeline = await readPdfPages(await renderDocument('certificate', { ...certificate, entries }))
  expect(
    findMissing(
      timeline,
      entries.map(({ actor }) => actor),
    ),
  ).toEqual([])
})

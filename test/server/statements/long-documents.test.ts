import { expect, test } from 'bun:test'
import { renderAnnualBooks, type AnnualData } from '../../../server/reports/annual-pdf'
import { renderSettlement, type SettlementData } from '../../../server/deposits/settlement-pdf'
import { formatAmount } from '../../../server/pdf/formats'
import { renderReceipt } from '../../../server/statements/receipt-pdf'
import { renderRentProof } from '../../../server/statements/rent-proof-pdf'
import { readPdfPages } from '../../support/pdf'
import { receipt, rentProof } from './papers/data'
import { parties } from './parties'

const LANDLORD = 'अनुराधा कुलकर्णी'
const TENANT = 'தமிழ்ச்செல்வி முருகன்'
const LONG_NAME = 'Sri Venkata Lakshmi Narasimha Subramanyam Thiruvananthapuram-Ramachandran'.repeat(3)
const DESCRIPTIONS = ['रसोई की टाइलें', 'கீசர் பழுது', 'Painting']

/** The text without spaces: readers of PDFs put some of their own between the clusters of a script. */
const squeeze = (text: string) => text.normalize().replaceAll(/\s+/g, '')
const readPages = async (bytes: Uint8Array) => (await readPdfPages(bytes)).map(squeeze)
const findMissing = (pages: string[], texts: string[]) =>
  texts.filter(text => !pages.join('').includes(squeeze(text)))

const longParties = {
  ...parties,
  landlord: LANDLORD,
  tenants: [
    { id: 2, name: TENANT },
    { id: 3, name: LONG_NAME },
  ],
}

function createSettlement(deductionCount: number): SettlementData {
  const deductions = Array.from({ length: deductionCount }, (_, index) => ({
    type: 'damage' as const,
    description: `${DESCRIPTIONS[index % 3]} ${index}.`,
    amount: 100.5,
  }))
  return {
    settlement: {
      id: 1,
      settlement_id: '3f0c8f0e-9d55-4a53-9c61-0f6d2b7a1111',
      agreement_id: 1,
      status: 'proposed',
      deductions,
      held_amount: 100_000,
      open_rent: 0,
      deducted_amount: deductionCount * 100.5,
      advance_amount: 0,
      refund_amount: 100_000 - deductionCount * 100.5,
      owed_amount: 0,
      refund_method: 'upi',
      reference: null,
      dispute_reason: null,
      decided_by_id: null,
      decided_at: null,
      posted_at: null,
      created_at: '2027-02-10T06:30:00.000Z',
    },
    parties: longParties,
    events: [
      { type: 'deposit_proposed', occurred_at: '2027-02-10T06:30:00.000Z', by: LANDLORD, reason: null },
      {
        type: 'deposit_disputed',
        occurred_at: '2027-02-11T19:30:00.000Z',
        by: TENANT,
        reason: 'நல்ல '.repeat(900),
      },
      { type: 'deposit_proposed', occurred_at: '2027-02-12T06:30:00.000Z', by: LANDLORD, reason: null },
    ],
  }
}

const AMOUNTS = { tds: 0, for_deposits: 0, for_others: 0, refunded: 0, advances: 0, deposits_held: 50_000 }

function createAnnual(unitCount: number): AnnualData {
  const rows = Array.from({ length: unitCount }, (_, index) => ({
    property_unit_id: index,
    property_name: ['शांति कुंज', 'அண்ணா குடியிருப்பு', LONG_NAME][index % 3]!,
    unit_name: `A-${index}.`,
    received: 1_00_000,
    for_rent: 1_00_000,
    ...AMOUNTS,
  }))
  const received = unitCount * 1_00_000
  const annual = { year: '2026-27', rows, ...AMOUNTS, received, for_rent: received }
  return { annual, reader_name: LANDLORD, held_on: '2027-04-02' }
}

test('a settlement of 50 deductions goes over several pages, in all scripts, and is a proposal on each', async () => {
  const data = createSettlement(50)
  const pages = await readPages(await renderSettlement(data))
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.filter(page => !page.includes('PROPOSAL'))).toEqual([])
  const { deductions } = data.settlement
  const contents = [LANDLORD, TENANT, LONG_NAME, 'फ़्लैट 12', 'அண்ணா சாலை', '12 Feb 2027 Disputed']
  expect(findMissing(pages, [...contents, ...deductions.map(({ description }) => description)])).toEqual([])
})

test('a settlement without deductions says so in zeros', async () => {
  const pages = await readPages(await renderSettlement(createSettlement(0)))
  expect(
    findMissing(pages, ['Deductions ₹0.00', 'paid in advance 0.00', 'To the tenant 1,00,000.00']),
  ).toEqual([])
})

test('an annual summary of 250 units goes over several pages, with its totals in crore', async () => {
  const data = createAnnual(250)
  const pages = await readPages(await renderAnnualBooks(data))
  expect(pages.length).toBeGreaterThan(5)
  const units = data.annual.rows.map(({ unit_name }) => unit_name)
  const contents = [LANDLORD, 'Rupees Two Crore Fifty Lakh Only', 'Total 2,50,00,000.00', ...units]
  expect(findMissing(pages, contents)).toEqual([])
})

test.each([
  ['settlement', () => renderSettlement(createSettlement(3))],
  ['annual summary', () => renderAnnualBooks(createAnnual(3))],
])('the same %s gives the same bytes, on A4', async (_, render) => {
  const [first, second] = [await render(), await render()]
  expect(Buffer.compare(first, second)).toBe(0)
  const text = Buffer.from(first).toString('latin1')
  expect(new Set(text.match(/MediaBox \[[^\]]*\]/g))).toEqual(new Set(['MediaBox [0 0 595.28 841.89]']))
})

test('other requests are served while a long document is made', async () => {
  await using server = Bun.serve({ port: 0, fetch: () => new Response('served') })
  let isMade = false
  const making = renderAnnualBooks(createAnnual(600)).then(() => (isMade = true))
  const answer = await fetch(server.url)
  expect([await answer.text(), isMade]).toEqual(['served', false])
  await making
})

test('a receipt of more charges than it has room for sums up the further ones', async () => {
  const [charge] = receipt.settled
  const settled = Array.from({ length: 402 }, (_, index) => ({
    ...charge!,
    description: `${DESCRIPTIONS[index % 3]} ${index} ${'x'.repeat(200)}`,
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
  const [rent] = rentProof.rents
  const receipts = Array.from({ length: 25 }, (_, index) => `RCT-2026-27-${String(index).padStart(6, '0')}`)
  const rents = Array.from({ length: 300 }, () => ({ ...rent!, receipts, rent: 100, paid: 50.5 }))
  const pages = await readPages(await renderRentProof({ ...rentProof, rents }))

  // Twenty receipts and the number of the others take ten lines of 45 signs.
  expect(
    findMissing(pages, ['RCT-2026-27-000019 and 5 more', '100 further rents 10,000.00 5,050.00']),
  ).toEqual([])
  expect(findMissing(pages, ['RCT-2026-27-000020', '15,150.00'])).toEqual([squeeze('RCT-2026-27-000020')])
})

test('a settlement sheet has the latest of many long reasons, and counts the earlier steps', async () => {
  const settlement = createSettlement(1)
  const events = Array.from({ length: 30 }, (_, index) => ({
    ...settlement.events[1]!,
    by: TENANT,
    reason: `Reason ${index}. ${'word '.repeat(898)}`,
  }))
  const pages = await readPages(await renderSettlement({ ...settlement, events }))

  // A reason of 4,500 signs takes 101 lines of 45.
  expect(findMissing(pages, ['The 11 steps before these are left out.', 'Reason 11.', 'Reason 29.'])).toEqual(
    [],
  )
  expect(findMissing(pages, ['Reason 10.'])).toHaveLength(1)
})

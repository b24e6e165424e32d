import { expect, test } from 'bun:test'
import { listInstalments } from '../../../server/books/charges/schedule'
import { toPaise } from '../../../server/domain/money'
import { suggestTds } from '../../../server/books/payments/tds'
import { createTenure } from '../charges/terms'

/** Lists the rents of a tenure by calendar months. */
function listRents(start: string, months: number, rupees: number, change = {}) {
  const terms = createTenure(start, months, change)
  return [...listInstalments(terms, [{ effective_on: start, amount: toPaise(rupees) }])]
}

const rents = listRents('2026-04-01', 12, 60_000)
const input = { rents, hasPan: true, year: '2026-27', tenancyEnd: '2027-03-31' }

test('60,000 × 12: 14,400 from March', () => {
  expect(suggestTds(input)).toEqual({
    amount: 14_400,
    rate_percent: 2,
    is_limited: false,
    deduct_from: { period_start: '2027-03-01', due_date: '2027-03-05', amount: 60_000 },
    total_rent: 7_20_000,
    monthly_threshold: 50_000,
    section: '393(1)',
    statement_form: '141',
    certificate_form: '132',
  })
})

test.each([
  [50_000, undefined],
  [50_000.01, 12_000],
  [50_001, 12_000.24],
  [49_999.99, undefined],
])('a rent of %p: %p', (rent, rupees) => {
  const tds = suggestTds({ ...input, rents: listRents('2026-04-01', 12, rent) })
  expect(tds?.amount).toBe(rupees)
})

test('without PAN 20 %, at most the last rent', () => {
  // 1,44,000 of twelve months, 60,000 of one.
  expect(suggestTds({ ...input, hasPan: false })).toMatchObject({
    amount: 60_000,
    rate_percent: 20,
    is_limited: true,
  })
})

test('without PAN 20 % of a short year is below the last rent', () => {
  const short = listRents('2027-01-01', 3, 60_000)
  expect(suggestTds({ ...input, rents: short, hasPan: false })).toMatchObject({
    amount: 36_000,
    is_limited: false,
  })
})

test('at the end of a tenancy from its last rent', () => {
  const ended = listRents('2026-06-15', 5, 60_000)
  const tds = suggestTds({ ...input, rents: ended, tenancyEnd: '2026-11-14' })!

  // 32,000 + 4 × 60,000 + 28,000
  expect(tds.total_rent).toBe(3_00_000)
  expect(tds.amount).toBe(6_000)
  expect(tds.deduct_from).toMatchObject({ period_start: '2026-11-01', amount: 28_000 })
  expect(suggestTds({ ...input, rents: ended, hasPan: false })!.amount).toBe(28_000)
})

test('with PAN the tax may be more than a short last rent', () => {
  const ended = listRents('2026-04-01', 12, 60_000, { agreement_end_date: '2027-03-01' })
  const tds = suggestTds({ ...input, rents: ended, tenancyEnd: '2027-03-01' })!

  // 2 % of 11 × 60,000 + 1,935.48
  expect(tds.deduct_from.amount).toBe(1_935.48)
  expect([tds.amount, tds.is_limited]).toEqual([13_238.71, false])
})

test('an early end leaves the rents after it aside', () => {
  const tds = suggestTds({ ...input, tenancyEnd: '2026-09-30' })!
  expect([tds.amount, tds.deduct_from.period_start]).toEqual([7_200, '2026-09-01'])
})

test('rents of other years are left aside', () => {
  const long = listRents('2026-01-01', 24, 60_000)
  expect(suggestTds({ ...input, rents: long, tenancyEnd: '2027-12-31' })).toMatchObject({
    amount: 14_400,
    deduct_from: { period_start: '2027-03-01' },
  })
  expect(suggestTds({ ...input, rents: long, tenancyEnd: '2027-12-31', year: '2027-28' })).toMatchObject({
    amount: 10_800,
    deduct_from: { period_start: '2027-12-01' },
  })
})

test('a period belongs to the year in which it begins', () => {
  const byAnniversary = listRents('2026-03-15', 24, 60_000, { billing_cycle: 'anniversary' })
  const tds = suggestTds({ ...input, rents: byAnniversary, tenancyEnd: '2028-03-14' })!
  expect([tds.amount, tds.deduct_from.period_start]).toEqual([14_400, '2027-03-15'])
})

test('a part of a month below the threshold alone is no reason to deduct', () => {
  const part = listRents('2027-03-15', 11, 60_000)
  // 17/31 of March: 32,903.23.
  expect(suggestTds({ ...input, rents: part, tenancyEnd: '2028-02-14' })).toBeUndefined()
})

test('one month above the threshold makes the whole year subject', () => {
  const raised = rents.map((rent, index) => ({ ...rent, amount: toPaise(index < 6 ? 48_000 : 52_000) }))
  expect(suggestTds({ ...input, rents: raised })!.amount).toBe(12_000)
})

test.each([
  ['2024-09-01', '2024-09-30', 5, '26QC', '16C'],
  ['2024-10-01', '2024-10-31', 2, '26QC', '16C'],
  ['2026-03-01', '2026-03-31', 2, '26QC', '16C'],
])(
  'a tenancy that ends in the month of %s',
  (start, tenancyEnd, rate_percent, statement_form, certificate_form) => {
    const agreed = { effective_on: start, amount: toPaise(60_000) }
    const rents = [...listInstalments(createTenure(start, 1), [agreed])]
    const year = start < '2025' ? '2024-25' : '2025-26'
    expect(suggestTds({ rents, hasPan: true, year, tenancyEnd })).toMatchObject({
      amount: 600 * rate_percent,
      rate_percent,
      section: '194-IB',
      statement_form,
      certificate_form,
    })
  },
)

test.each([
  ['no rents', { rents: [] }],
  ['no fiscal year', { year: '2026-28' }],
  ['a year before the tenancy', { year: '2025-26' }],
  ['a tenancy that ended before the year', { tenancyEnd: '2026-03-31' }],
])('%s: none', (_, change) => {
  expect(suggestTds({ ...input, ...change })).toBeUndefined()
})

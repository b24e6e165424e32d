import { expect, test } from 'bun:test'
import { listInstalments } from '../../../../server/leases/schedule'
import { toPaise } from '../../../../server/domain/money'
import { suggestTds } from '../../../../server/books/payments/tds'
import { createTenure } from '../charges/terms'

/** Lists the rents of a tenure by calendar months. */
function listRents(start: string, months: number, rupees: number, change = {}) {
  const terms = createTenure(start, months, change)
  return [...listInstalments(terms, [{ effective_on: start, amount: toPaise(rupees) }])]
}

const rents = listRents('2026-04-01', 12, 60_000)
const input = { rents, hasPan: true, year: '2026-27' }

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
  [50_001, 12_000],
  [51_837, 12_441],
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
  const tds = suggestTds({ ...input, rents: ended })!

  // 32,000 + 4 × 60,000 + 28,000
  expect(tds.total_rent).toBe(3_00_000)
  expect(tds.amount).toBe(6_000)
  expect(tds.deduct_from).toMatchObject({ period_start: '2026-11-01', amount: 28_000 })
  expect(suggestTds({ ...input, rents: ended, hasPan: false })!.amount).toBe(28_000)
})

test('without PAN the tax is the last whole rupee that the last rent covers', () => {
  // 5/31 of March: 9,677.42.
  const ended = listRents('2026-04-01', 12, 60_000, { agreement_end_date: '2027-03-05' })
  const tds = suggestTds({ ...input, rents: ended, hasPan: false })!
  expect([tds.amount, tds.is_limited]).toEqual([9_677, true])
})

test('with PAN the tax may be more than a short last rent', () => {
  const ended = listRents('2026-04-01', 12, 60_000, { agreement_end_date: '2027-03-01' })
  const tds = suggestTds({ ...input, rents: ended })!

  // 2 % of 11 × 60,000 + 1,935.48
  expect(tds.deduct_from.amount).toBe(1_935.48)
  expect([tds.amount, tds.is_limited]).toEqual([13_239, false])
})

test('rents of other years are left aside', () => {
  const long = listRents('2026-01-01', 24, 60_000)
  expect(suggestTds({ ...input, rents: long })).toMatchObject({
    amount: 14_400,
    deduct_from: { period_start: '2027-03-01' },
  })
  expect(suggestTds({ ...input, rents: long, year: '2027-28' })).toMatchObject({
    amount: 10_800,
    deduct_from: { period_start: '2027-12-01' },
  })
})

test('a period belongs to the year in which it ends', () => {
  const byAnniversary = listRents('2026-03-15', 24, 60_000, { billing_cycle: 'anniversary' })
  const tds = suggestTds({ ...input, rents: byAnniversary })!
  expect([tds.amount, tds.deduct_from.period_start]).toEqual([14_400, '2027-02-15'])
})

test.each([
  ['2026-04-01', '2026-27', '393(1)', '141', '132'],
  ['2025-04-01', '2025-26', '194-IB', '26QC', '16C'],
])(
  "March's rent in arrears of a tenancy from %s is of %s, and is named by its law",
  (start, year, section, statement_form, certificate_form) => {
    const tds = suggestTds({
      rents: listRents(start, 24, 60_000, { rent_in: 'arrears' }),
      hasPan: true,
      year,
    })!
    expect(tds).toMatchObject({ amount: 14_400, section, statement_form, certificate_form })
    expect(tds.deduct_from.due_date.slice(4)).toBe('-04-05')
  },
)

test('the parts of a month are one rent', () => {
  const part = {
    period_start: '2026-06-10',
    period_end: '2026-06-30',
    due_date: '2026-06-10',
    amount: toPaise(20_000),
  }
  const split = [...listRents('2026-04-01', 12, 40_000), part]
  // 2 % of 12 × 40,000 + 20,000
  expect(suggestTds({ ...input, rents: split })?.amount).toBe(10_000)
})

test('a part of a month below the threshold alone is no reason to deduct', () => {
  const part = listRents('2027-03-15', 11, 60_000)
  // 17/31 of March: 32,903.23.
  expect(suggestTds({ ...input, rents: part })).toBeUndefined()
})

test('one month above the threshold makes the whole year subject', () => {
  const raised = rents.map((rent, index) => ({ ...rent, amount: toPaise(index < 6 ? 48_000 : 52_000) }))
  expect(suggestTds({ ...input, rents: raised })!.amount).toBe(12_000)
})

test.each([
  ['2024-09-01', 5, '26QC', '16C'],
  ['2024-10-01', 2, '26QC', '16C'],
  ['2026-03-01', 2, '26QC', '16C'],
])('a tenancy that ends in the month of %s', (start, rate_percent, statement_form, certificate_form) => {
  const agreed = { effective_on: start, amount: toPaise(60_000) }
  const rents = [...listInstalments(createTenure(start, 1), [agreed])]
  const year = start < '2025' ? '2024-25' : '2025-26'
  expect(suggestTds({ rents, hasPan: true, year })).toMatchObject({
    amount: 600 * rate_percent,
    rate_percent,
    section: '194-IB',
    statement_form,
    certificate_form,
  })
})

test.each([
  ['no rents', { rents: [] }],
  ['no fiscal year', { year: '2026-28' }],
  ['a year before the tenancy', { year: '2025-26' }],
])('%s: none', (_, change) => {
  expect(suggestTds({ ...input, ...change })).toBeUndefined()
})

import { describe, expect, test } from 'bun:test'
import { listInstalments, type BillingTerms } from '../../../../server/leases/schedule'
import type { RentRounding } from '@kiraya/sdk/contract'
import { toPaise, toRupees } from '../../../../server/domain/money'
import { createTerms } from './terms'

const RENT = [{ effective_on: '2026-12-15', amount: toPaise(25_000) }]
const june = { agreement_start_date: '2027-06-01', agreement_end_date: '2027-06-30' }

/** Projects the rupees of the first period of a tenure; 0 if it has none. */
function projectFirst(terms: Partial<BillingTerms>, rents = RENT) {
  const [first] = listInstalments(createTerms(terms), rents)
  return toRupees(first?.amount ?? 0)
}

/** Projects the rupees of a tenure of one period from the rents by their first days. */
function computeRupees(
  tenure: typeof june,
  rents: Record<string, number>,
  rent_rounding: RentRounding = 0.01,
) {
  const amounts = Object.entries(rents).map(([effective_on, rupees]) => ({
    effective_on,
    amount: toPaise(rupees),
  }))
  return projectFirst({ ...tenure, rent_rounding }, amounts)
}

describe('a period that ends early', () => {
  const february = { agreement_start_date: '2027-02-01' }
  const anniversary = { agreement_start_date: '2027-01-15', billing_cycle: 'anniversary' as const }
  const december = { agreement_start_date: '2026-12-15' }

  test.each([
    ['in the middle', february, '2027-02-10', 8_928.57],
    ['on its first day', february, '2027-02-01', 892.86],
    ['a day before its last', february, '2027-02-27', 24_107.14],
    ['on its last day', february, '2027-02-28', 25_000],
    ['before it begins', february, '2027-01-31', 0],
    ['in an anniversary period', anniversary, '2027-02-10', 21_774.19],
    ['on the first day of an anniversary period', anniversary, '2027-01-15', 806.45],
    ['on the last day of an anniversary period', anniversary, '2027-02-14', 25_000],
    ['on the first day of the tenure', december, '2026-12-15', 806.45],
  ])('%s', (_, terms, agreement_end_date, used) => {
    expect(projectFirst({ ...terms, agreement_end_date })).toBe(used)
  })

  test('is rounded as the rent is', () => {
    const terms = { ...february, agreement_end_date: '2027-02-10' }
    expect(projectFirst({ ...terms, rent_rounding: 1 })).toBe(8_929)
    expect(projectFirst({ ...terms, rent_rounding: 10 })).toBe(8_930)
  })

  test('counts the days of its whole month, also if it began in the middle', () => {
    expect([projectFirst({}), projectFirst({ agreement_end_date: '2026-12-20' })]).toEqual([
      13_709.68, 4_838.71,
    ])
  })
})

const raised = { '2027-01-01': 25_000, '2027-06-15': 26_250 }

test.each([
  ['on the 15th of 30 days', raised, 25_666.67],
  ['on the first day', { '2027-01-01': 25_000, '2027-06-01': 26_250 }, 26_250],
  ['on the last day', { '2027-01-01': 25_000, '2027-06-30': 26_250 }, 25_041.67],
  ['the day after', { '2027-01-01': 25_000, '2027-07-01': 26_250 }, 25_000],
  ['twice', { '2027-01-01': 20_000, '2027-06-11': 21_000, '2027-06-21': 22_000 }, 21_000],
  ['downwards', { '2027-01-01': 25_000, '2027-06-16': 20_000 }, 22_500],
])('a rent that changes %s', (_, rents, rupees) => {
  expect(computeRupees(june, rents as Record<string, number>)).toBe(rupees)
})

test('of two rents from one day the later in the list counts', () => {
  const rents = [20_000, 21_000, 22_000].map((rupees, index) => ({
    effective_on: index === 0 ? '2027-01-01' : '2027-06-16',
    amount: toPaise(rupees),
  }))
  expect(projectFirst(june, rents)).toBe(21_000)
})

test.each([
  [0.01, 25_666.67],
  [1, 25_667],
  [10, 25_670],
] as const)('a changed rent is rounded to %p', (rounding, rupees) => {
  expect(computeRupees(june, raised, rounding)).toBe(rupees)
})

test('a rent revised to the same amount stays as agreed, unrounded', () => {
  expect(computeRupees(june, { '2027-01-01': 25_000.5, '2027-06-15': 25_000.5 }, 10)).toBe(25_000.5)
})

test('a change counts by days in a month that began in its middle', () => {
  const december = { agreement_start_date: '2026-12-15', agreement_end_date: '2026-12-31' }
  expect(computeRupees(december, { '2026-12-15': 25_000, '2026-12-25': 31_000 })).toBe(15_064.52)
})

test('a period with two rents that ends early counts the days of each', () => {
  // 14 days of 25,000 and 4 of 26,250.
  expect(computeRupees({ ...june, agreement_end_date: '2027-06-18' }, raised)).toBe(15_166.67)
})

test('a changing rent is rounded once', () => {
  // A third of each: 0, 1 and 2 paise if rounded by themselves.
  expect(computeRupees(june, { '2027-01-01': 0.01, '2027-06-11': 0.04, '2027-06-21': 0.07 })).toBe(0.04)
})

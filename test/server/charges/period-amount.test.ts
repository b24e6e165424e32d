import { describe, expect, test } from 'bun:test'
import { computePeriodAmount, listPeriods, projectInstalments } from '../../../server/charges/schedule'
import type { RentRounding } from '@kiraya/sdk/contract'
import { toPaise, toRupees } from '../../../server/domain/money'
import { createTerms } from './terms'

const RENT = [{ effective_on: '2026-12-15', amount: toPaise(25_000) }]
const june = { start: '2027-06-01', end: '2027-06-30', days: 30 }

/** Computes a period's rupees from the rents by their first days. */
function computeRupees(period: typeof june, rents: Record<string, number>, rounding?: RentRounding) {
  const amounts = Object.entries(rents).map(([effective_on, rupees]) => ({
    effective_on,
    amount: toPaise(rupees),
  }))
  return toRupees(computePeriodAmount(period, amounts, rounding))
}

describe('a period that ends early', () => {
  const february = { start: '2027-02-01', days: 28 }
  const anniversary = { start: '2027-01-15', days: 31 }
  const december = { start: '2026-12-15', days: 31 }

  test.each([
    ['in the middle', february, '2027-02-10', 8_928.57, 16_071.43],
    ['on its first day', february, '2027-02-01', 892.86, 24_107.14],
    ['a day before its last', february, '2027-02-27', 24_107.14, 892.86],
    ['on its last day', february, '2027-02-28', 25_000, 0],
    ['before it begins', february, '2027-01-31', 0, 25_000],
    ['in an anniversary period', anniversary, '2027-02-10', 21_774.19, 3_225.81],
    ['on the first day of an anniversary period', anniversary, '2027-01-15', 806.45, 24_193.55],
    ['on the last day of an anniversary period', anniversary, '2027-02-14', 25_000, 0],
    ['on the first day of the tenure', december, '2026-12-15', 806.45, 24_193.55],
  ])('%s', (_, period, end, used, credit) => {
    const amount = computePeriodAmount({ ...period, end }, RENT)
    expect(toRupees(amount)).toBe(used)
    expect(toRupees(toPaise(25_000) - amount)).toBe(credit)
  })

  test('is rounded as the rent is', () => {
    const period = { ...february, end: '2027-02-10' }
    expect(toRupees(computePeriodAmount(period, RENT, 1))).toBe(8_929)
    expect(toRupees(computePeriodAmount(period, RENT, 10))).toBe(8_930)
  })

  test('credits the rest of a first month that was charged by days', () => {
    const [first] = listPeriods(createTerms())
    const charged = computePeriodAmount(first!, RENT)
    const used = computePeriodAmount({ ...first!, end: '2026-12-20' }, RENT)
    expect([charged, used, charged - used].map(toRupees)).toEqual([13_709.68, 4_838.71, 8_870.97])
  })

  test('is the last one of the terms with an earlier end', () => {
    const terms = createTerms({ agreement_end_date: '2027-02-10' })
    expect(projectInstalments(terms, RENT).map(({ amount }) => toRupees(amount))).toEqual([
      13_709.68, 25_000, 8_928.57,
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
  ['as a list out of order tells', { '2027-06-15': 26_250, '2027-01-01': 25_000 }, 25_666.67],
])('a rent that changes %s', (_, rents, rupees) => {
  expect(computeRupees(june, rents as Record<string, number>)).toBe(rupees)
})

test('of two rents from one day the later in the list counts', () => {
  const rents = [20_000, 21_000, 22_000].map((rupees, index) => ({
    effective_on: index === 0 ? '2027-01-01' : '2027-06-16',
    amount: toPaise(rupees),
  }))
  expect(toRupees(computePeriodAmount(june, rents))).toBe(21_000)
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
  const period = { start: '2026-12-15', end: '2026-12-31', days: 31 }
  expect(computeRupees(period, { '2026-12-15': 25_000, '2026-12-25': 31_000 })).toBe(15_064.52)
})

test('a period with two rents that ends early counts the days of each', () => {
  // 14 days of 25,000 and 4 of 26,250.
  expect(computeRupees({ ...june, end: '2027-06-18' }, raised)).toBe(15_166.67)
})

test('a changing rent is rounded once', () => {
  // A third of each: 0, 1 and 2 paise if rounded by themselves.
  expect(computeRupees(june, { '2027-01-01': 0.01, '2027-06-11': 0.04, '2027-06-21': 0.07 })).toBe(0.04)
})

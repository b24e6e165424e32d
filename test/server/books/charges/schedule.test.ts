import { expect, test } from 'bun:test'
import type { Rent } from '../../../../server/leases/rents'
import { listInstalments, listLeaseInstalments, type BillingTerms } from '../../../../server/leases/schedule'
import { addDays, addMonths } from '../../../../server/domain/dates'
import { toPaise, toRupees } from '../../../../server/domain/money'
import { createTenure, createTerms } from './terms'

const RENT: Rent[] = [{ effective_on: '2026-12-15', amount: toPaise(25_000) }]

function listAmounts(terms: BillingTerms, rents = RENT) {
  return [...listInstalments(terms, rents)].map(({ amount }) => toRupees(amount))
}

/** The rents of a tenure, one for each of its periods. */
function projectRents(terms: BillingTerms) {
  const rent = { effective_on: terms.agreement_start_date, amount: toPaise(25_000) }
  return [...listInstalments({ ...terms, recurring_charges: null }, [rent])]
}

function listDueDates(terms: BillingTerms) {
  return projectRents(terms).map(({ due_date }) => due_date)
}

function listRanges(terms: BillingTerms) {
  return projectRents(terms).map(({ period_start, period_end }) => `${period_start} ${period_end}`)
}

test('calendar months: 17/31 of December, ten whole months and 14/30 of November', () => {
  const instalments = [...listInstalments(createTerms(), RENT)]

  expect(instalments).toHaveLength(12)
  expect(instalments[0]).toEqual({
    type: 'rent',
    item: 0,
    description: null,
    period_start: '2026-12-15',
    period_end: '2026-12-31',
    due_date: '2026-12-15',
    amount: 13_709_68,
  })
  expect(instalments.slice(1, 11).every(({ amount }) => amount === 25_000_00)).toBe(true)
  expect(instalments[11]).toMatchObject({
    period_start: '2027-11-01',
    period_end: '2027-11-14',
    due_date: '2027-11-05',
    amount: 11_666_67,
  })
  expect(instalments.reduce((sum, { amount }) => sum + amount, 0)).toBe(2_75_376_35)
})

test('by anniversary: eleven whole rents, each due on its first day', () => {
  const instalments = [...listInstalments(createTerms({ billing_cycle: 'anniversary' }), RENT)]

  expect(instalments.map(({ amount }) => amount)).toEqual(Array.from({ length: 11 }, () => 25_000_00))
  expect(instalments[1]).toMatchObject({ period_start: '2027-01-15', period_end: '2027-02-14' })
  expect(instalments.map(({ due_date }) => due_date)).toEqual(
    instalments.map(({ period_start }) => period_start),
  )
})

test.each([
  ['is charged whole, with the escalation within it', {}, '2027-11-30 25666.67'],
  ['ends with a termination', { termination_date: '2027-10-10' }, '2027-10-10 8064.52'],
  ['ends with its tenure by anniversary', { billing_cycle: 'anniversary' as const }, '2027-11-14 25000'],
  ['ends with a tenure that does not renew itself', { auto_renew: false }, '2027-11-14 11666.67'],
])('the last month of a lease that renews itself %s', (_, change, expected) => {
  const lease = {
    ...createTerms(),
    auto_renew: true,
    termination_date: null,
    rent_amount: 25_000,
    ...change,
  }
  const escalation = { escalation_percent: 5, escalation_every_months: 11 }
  const { period_end, amount } = [...listLeaseInstalments({ ...lease, ...escalation }, [], null)].at(-1)!
  expect(`${period_end} ${toRupees(amount)}`).toBe(expected)
})

test.each([
  ['20/29 of a leap February', createTenure('2028-02-10', 1), 30_000, [20_689.66, 8_709.68]],
  ['19/28 of another February', createTenure('2027-02-10', 1), 30_000, [20_357.14, 8_709.68]],
  ['a whole February', createTenure('2027-02-01', 1), 30_000, [30_000]],
  ['29 February alone, then whole months', createTenure('2028-02-29', 2), 29_000, [1_000, 29_000, 27_066.67]],
  ['the 31st alone', createTenure('2027-01-31', 1), 31_000, [1_000, 29_892.86]],
  ['exactly half a paisa goes up', createTenure('2027-02-15', 1), 25_000.01, [12_500.01, 11_290.33]],
  ['the largest rent', createTenure('2027-02-15', 1), 9_999_999_999.99, [5_000_000_000, 4_516_129_032.25]],
])('%s', (_, terms, rent, amounts) => {
  const rents = [{ effective_on: terms.agreement_start_date, amount: toPaise(rent) }]
  expect(listAmounts(terms, rents)).toEqual(amounts)
})

test.each([
  [0.01, 25_000, 13_709.68, 11_666.67],
  [1, 25_000, 13_710, 11_667],
  [10, 25_000, 13_710, 11_670],
  [1, 25_000.5, 13_710, 11_667],
  // 45.50 × 17/31 is 24.95; 45.50 × 14/30 is 21.23.
  [10, 45.5, 20, 20],
] as const)(
  'rounded to %p, a rent of %p begins with %p and ends with %p',
  (rent_rounding, rent, first, last) => {
    const amounts = listAmounts(createTerms({ rent_rounding }), [{ ...RENT[0]!, amount: toPaise(rent) }])
    expect([amounts[0], amounts[11]]).toEqual([first, last])
    expect(amounts.slice(1, 11)).toEqual(Array.from({ length: 10 }, () => rent))
  },
)

test('what rounds to nothing is no instalment', () => {
  const terms = createTenure('2027-01-31', 1, { rent_rounding: 10 })
  expect(listAmounts(terms, [{ effective_on: '2027-01-31', amount: toPaise(100) }])).toEqual([100])
})

test.each([
  [31, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']],
  [30, ['2027-01-30', '2027-02-28', '2027-03-30', '2027-04-30']],
  [29, ['2027-01-29', '2027-02-28', '2027-03-29', '2027-04-29']],
  [1, ['2027-01-01', '2027-02-01', '2027-03-01', '2027-04-01']],
])('a due day of %p in a year without 29 February', (rent_due_day, dueDates) => {
  expect(listDueDates(createTenure('2027-01-01', 4, { rent_due_day }))).toEqual(dueDates)
})

test('a due day of 30 is 29 February in a leap year', () => {
  expect(listDueDates(createTenure('2028-02-01', 1, { rent_due_day: 30 }))).toEqual(['2028-02-29'])
})

test.each([
  [1, '2026-12-15'],
  [15, '2026-12-15'],
  [20, '2026-12-20'],
  [31, '2026-12-31'],
])('a first month from the 15th with a due day of %p is due on %s', (rent_due_day, dueDate) => {
  expect(listDueDates(createTerms({ rent_due_day }))[0]).toBe(dueDate)
  expect(listDueDates(createTerms({ rent_due_day, billing_cycle: 'anniversary' }))[0]).toBe(dueDate)
})

test('in arrears a month is due when the next one would be in advance', () => {
  const dueDates = listDueDates(createTerms({ rent_in: 'arrears' }))

  expect(dueDates.slice(0, 3)).toEqual(['2027-01-05', '2027-02-05', '2027-03-05'])
  // The next period would begin on 15 November, after the due day.
  expect(dueDates.at(-1)).toBe('2027-11-15')
  expect(listDueDates(createTerms({ rent_in: 'arrears', rent_due_day: 20 })).at(-1)).toBe('2027-11-20')
  // Whole months end with the due day of the month after the tenure.
  const wholeMonths = createTenure('2027-01-01', 2, { rent_in: 'arrears', rent_due_day: 31 })
  expect(listDueDates(wholeMonths)).toEqual(['2027-02-28', '2027-03-31'])
})

test('in arrears by anniversary', () => {
  const terms = { billing_cycle: 'anniversary', rent_in: 'arrears' } as const
  expect(listDueDates(createTerms(terms)).slice(0, 2)).toEqual(['2027-01-15', '2027-02-15'])
  expect(listDueDates(createTerms({ ...terms, rent_due_day: 20 })).slice(0, 2)).toEqual([
    '2027-01-20',
    '2027-02-20',
  ])
})

test.each([
  ['2027-01-31', ['2027-01-31 2027-02-27', '2027-02-28 2027-03-30', '2027-03-31 2027-04-29']],
  ['2028-01-31', ['2028-01-31 2028-02-28', '2028-02-29 2028-03-30', '2028-03-31 2028-04-29']],
  ['2027-12-30', ['2027-12-30 2028-01-29', '2028-01-30 2028-02-28', '2028-02-29 2028-03-29']],
  ['2027-11-01', ['2027-11-01 2027-11-30', '2027-12-01 2027-12-31', '2028-01-01 2028-01-31']],
])('the first anniversary periods from %s', (start, ranges) => {
  const terms = createTenure(start, 3, { billing_cycle: 'anniversary' })
  expect(listRanges(terms)).toEqual(ranges)
  expect(listAmounts(terms, [{ effective_on: start, amount: 1_000_00 }])).toEqual([1_000, 1_000, 1_000])
})

test('recurring charges come with each instalment and are pro-rated to the paisa', () => {
  const terms = createTerms({
    rent_rounding: 10,
    recurring_charges: [
      { type: 'maintenance', description: 'Maintenance', amount: 2_500 },
      { type: 'other', description: 'Parking', amount: 700 },
    ],
  })
  const instalments = [...listInstalments(terms, RENT)]

  expect(instalments).toHaveLength(36)
  expect(instalments.slice(0, 3).map(({ type, item, amount }) => [type, item, toRupees(amount)])).toEqual([
    ['rent', 0, 13_710],
    ['maintenance', 1, 1_370.97],
    ['other', 2, 383.87],
  ])
  expect(instalments.slice(3, 6).map(({ amount }) => toRupees(amount))).toEqual([25_000, 2_500, 700])
  expect(instalments[2]).toMatchObject({
    description: 'Parking',
    period_start: '2026-12-15',
    period_end: '2026-12-31',
    due_date: '2026-12-15',
  })
})

test.each([
  ['2027-01-14', '2026-12-15'],
  ['2027-01-15', '2027-01-15'],
  [null, '2026-12-15'],
])('the instalments of books that begin on %s have periods from %s', (startsOn, first) => {
  const terms = createTerms({ billing_cycle: 'anniversary' })
  const rent = { rent_amount: 25_000, escalation_percent: null, escalation_every_months: null }
  const lease = { ...terms, ...rent, auto_renew: false, termination_date: null }
  expect([...listLeaseInstalments(lease, [], startsOn)][0]!.period_start).toBe(first)
})

test('from every day of four years the periods cover the tenure and fall due in order', () => {
  for (let day = 0; day < 1461; day++) {
    const start = addDays('2027-01-01', day)
    for (const billing_cycle of ['calendar_month', 'anniversary'] as const)
      for (const rent_in of ['advance', 'arrears'] as const) {
        const terms = createTenure(start, 14, { billing_cycle, rent_in, rent_due_day: (day % 31) + 1 })
        const rents = projectRents(terms)
        const starts = rents.map(({ period_start }) => period_start)
        const nextStarts = rents.map(({ period_end }) => addDays(period_end, 1))
        expect(starts.slice(1)).toEqual(nextStarts.slice(0, -1))
        expect([starts[0], rents.at(-1)!.period_end]).toEqual([start, terms.agreement_end_date])
        const dueDates = rents.map(({ due_date }) => due_date)
        expect(dueDates).toEqual(dueDates.toSorted())
        if (rent_in === 'advance') expect(new Set(dueDates).size).toBe(dueDates.length)
        if (billing_cycle === 'anniversary')
          expect(starts).toEqual(starts.map((_, index) => addMonths(start, index)))
      }
  }
})

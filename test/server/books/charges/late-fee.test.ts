import { expect, test } from 'bun:test'
import { projectLateFee, type LateFeeTerms } from '../../../../server/books/charges/late-fee-rules'
import { isLateFeeAboveCustom } from '../../../../server/leases/agreements/warnings'
import { toPaise, toRupees } from '../../../../server/domain/money'

const FLAT: LateFeeTerms = {
  late_fee_kind: 'flat',
  late_fee: 500,
  late_fee_percent: null,
  late_fee_grace_days: 5,
  late_fee_cap: null,
}
const PER_DAY: LateFeeTerms = { ...FLAT, late_fee_kind: 'per_day', late_fee: 50 }
const PERCENT: LateFeeTerms = { ...FLAT, late_fee_kind: 'percent_pa', late_fee: null, late_fee_percent: 18 }

/** Computes the fee on 25,000 due on 5 January 2027, with what is outstanding from the days of payments. */
function computeFee(
  terms: LateFeeTerms,
  payments: Record<string, number>,
  { today = '2027-12-31', due_date = '2027-01-05' } = {},
) {
  const outstanding = { '2026-12-29': 25_000, ...payments }
  const balances = Object.entries(outstanding).map(([from, rupees]) => ({
    from,
    outstanding: toPaise(rupees),
  }))
  const fee = projectLateFee(terms, { due_date }, balances)
  return fee && fee.posted_on <= today ? [toRupees(fee.amount), fee.posted_on] : undefined
}

test.each([
  ['nothing is paid', {}, [500, '2027-01-11']],
  ['it is paid on the last safe day', { '2027-01-10': 0 }, undefined],
  ['it is paid before it falls due', { '2027-01-02': 0 }, undefined],
  ['it is paid on the day after', { '2027-01-11': 0 }, [500, '2027-01-11']],
  ['a part is paid in time', { '2027-01-05': 1 }, [500, '2027-01-11']],
  ['it is paid in two parts in time', { '2027-01-05': 1, '2027-01-10': 0 }, undefined],
  ['a payment is reversed in time', { '2027-01-05': 0, '2027-01-08': 25_000 }, [500, '2027-01-11']],
])('a flat fee if %s', (_, payments, fee) => {
  expect(computeFee(FLAT, payments as Record<string, number>)).toEqual(fee)
})

test.each([
  ['flat', FLAT, '2027-01-10', '2027-01-11'],
  ['by the day', PER_DAY, '2027-01-30', '2027-01-31'],
  ['by percentage', PERCENT, '2027-01-30', '2027-01-31'],
])('a fee, %s, of an unpaid charge is posted on its day and not before', (_, terms, before, day) => {
  expect(computeFee(terms, {}, { today: before })).toBeUndefined()
  expect(computeFee(terms, {}, { today: day })?.[1]).toBe(day)
})

test('without grace a charge is late on the day after it was due', () => {
  expect(computeFee({ ...FLAT, late_fee_grace_days: 0 }, {})).toEqual([500, '2027-01-06'])
  expect(computeFee({ ...FLAT, late_fee_grace_days: 0 }, { '2027-01-05': 0 })).toBeUndefined()
})

test.each([
  ['ten days late', { '2027-01-15': 0 }, [123.29, '2027-01-15']],
  ['six days late, the first after the grace', { '2027-01-11': 0 }, [73.97, '2027-01-11']],
  ['on the last safe day', { '2027-01-10': 0 }, undefined],
  ['never, at the end of the month', {}, [320.55, '2027-01-31']],
  ['in the next month', { '2027-02-03': 0 }, [320.55, '2027-01-31']],
  // 5 days of 25,000 and 5 of 10,000.
  ['in two parts', { '2027-01-10': 10_000, '2027-01-15': 0 }, [86.3, '2027-01-15']],
  // 7 days of 25,000 and 19 of 5,000.
  ['in part, the rest open at the end of the month', { '2027-01-12': 5_000 }, [133.15, '2027-01-31']],
  // A part before the due date: 10 days of 24,000.
  ['in part before it fell due', { '2027-01-02': 24_000, '2027-01-15': 0 }, [118.36, '2027-01-15']],
])('18 % a year on a charge that is paid %s', (_, payments, fee) => {
  expect(computeFee(PERCENT, payments as Record<string, number>)).toEqual(fee)
})

test.each([
  ['ten days late', { '2027-01-15': 0 }, [500, '2027-01-15']],
  ['never, at the end of the month', {}, [1_300, '2027-01-31']],
  ['in two parts', { '2027-01-12': 5_000, '2027-01-20': 0 }, [750, '2027-01-20']],
  ['on the last safe day', { '2027-01-10': 0 }, undefined],
])('50 a day on a charge that is paid %s', (_, payments, fee) => {
  expect(computeFee(PER_DAY, payments as Record<string, number>)).toEqual(fee)
})

test('a payment that is reversed before the fee runs does not end it', () => {
  // Nothing was owed from the 5th to the 8th; 9 to 15 January are seven days.
  const payments = { '2027-01-05': 0, '2027-01-08': 25_000, '2027-01-15': 0 }
  expect(computeFee(PER_DAY, payments)).toEqual([350, '2027-01-15'])
})

test('a grace into the next month posts at the end of that one, counting from the due date', () => {
  const unpaid = { due_date: '2027-01-28' }
  expect(computeFee(PER_DAY, {}, unpaid)).toEqual([1_550, '2027-02-28'])
  expect(computeFee(PER_DAY, { '2027-02-02': 0 }, unpaid)).toBeUndefined()
  expect(computeFee(PER_DAY, { '2027-02-03': 0 }, unpaid)).toEqual([300, '2027-02-03'])
})

test('a charge that becomes late on the last day of a month is posted then', () => {
  expect(computeFee(PERCENT, {}, { due_date: '2027-01-25' })).toEqual([73.97, '2027-01-31'])
})

test('a leap February has 29 days, the year of interest 365', () => {
  // 24 days of 25,000 at 18 %: 295.89.
  expect(computeFee(PERCENT, {}, { due_date: '2028-02-05', today: '2028-12-31' })).toEqual([
    295.89,
    '2028-02-29',
  ])
})

test.each([
  ['flat, above it', { ...FLAT, late_fee_cap: 300 }, 300],
  ['flat, below it', { ...FLAT, late_fee_cap: 600 }, 500],
  ['by the day', { ...PER_DAY, late_fee_cap: 1_000 }, 1_000],
  ['by percentage', { ...PERCENT, late_fee_cap: 320.54 }, 320.54],
])('the cap bounds a fee %s', (_, terms, rupees) => {
  expect(computeFee(terms, {})?.[0]).toBe(rupees)
})

test.each([
  ['no flat fee', { ...FLAT, late_fee: null }],
  ['a flat fee of zero', { ...FLAT, late_fee: 0 }],
  ['no fee by the day', { ...PER_DAY, late_fee: null }],
  ['no percentage', { ...PERCENT, late_fee_percent: null }],
  ['a cap of zero', { ...PERCENT, late_fee_cap: 0 }],
])('%s posts nothing', (_, terms) => {
  expect(computeFee(terms, {})).toBeUndefined()
})

test.each([
  ['500 flat on 25,000', FLAT, 25_000, false],
  ['500.01 flat', { ...FLAT, late_fee: 500.01 }, 25_000, true],
  ['500 flat on 24,999', FLAT, 24_999, true],
  ['16.43 a day', { ...PER_DAY, late_fee: 16.43 }, 25_000, false],
  ['16.44 a day', { ...PER_DAY, late_fee: 16.44 }, 25_000, true],
  ['24 %', { ...PERCENT, late_fee_percent: 24 }, 25_000, false],
  ['24.01 %', { ...PERCENT, late_fee_percent: 24.01 }, 25_000, true],
  ['36 % with a cap', { ...PERCENT, late_fee_percent: 36, late_fee_cap: 100 }, 25_000, true],
])('against the custom: %s', (_, terms, rent_amount, isAbove) => {
  expect(isLateFeeAboveCustom({ ...terms, rent_amount })).toBe(isAbove)
})

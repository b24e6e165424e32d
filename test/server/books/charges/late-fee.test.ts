import { expect, test } from 'bun:test'
import {
  computeLateFees,
  listPostingDays,
  type LateFeeTerms,
} from '../../../../server/books/charges/late-fee-rules'
import { isLateFeeAboveCustom } from '../../../../server/leases/agreements/warnings'
import { toPaise, toRupees } from '../../../../server/domain/money'

const FLAT: LateFeeTerms = {
  late_fee_kind: 'flat',
  late_fee: 500,
  late_fee_percent: null,
  late_fee_grace_days: 5,
  late_fee_cap: null,
  late_fee_pauses: null,
}
const PER_DAY: LateFeeTerms = { ...FLAT, late_fee_kind: 'per_day', late_fee: 50 }
const PERCENT: LateFeeTerms = { ...FLAT, late_fee_kind: 'percent_pa', late_fee: null, late_fee_percent: 18 }

/** Lists what is posted for 25,000 due on 5 January 2027, with what is outstanding from the days of payments. */
function listFees(
  terms: LateFeeTerms,
  payments: Record<string, number>,
  { today = '2027-02-05', due_date = '2027-01-05' } = {},
) {
  const outstanding = { '2026-12-29': 25_000, ...payments }
  const balances = Object.entries(outstanding).map(([from, rupees]) => ({
    from,
    outstanding: toPaise(rupees),
  }))
  let posted = 0
  const days = listPostingDays(terms, { due_date }, balances).filter(day => day <= today)
  return days.map(day => {
    const total = computeLateFees(terms, { due_date }, balances, day)
    const amount = total - posted
    posted = total
    return `${day} ${toRupees(amount)}`
  })
}

test.each([
  ['nothing is paid', {}, ['2027-01-11 500']],
  ['it is paid on the last safe day', { '2027-01-10': 0 }, []],
  ['it is paid before it falls due', { '2027-01-02': 0 }, []],
  ['it is paid on the day after', { '2027-01-11': 0 }, ['2027-01-11 500']],
  ['a part is paid in time', { '2027-01-05': 1 }, ['2027-01-11 500']],
  ['it is paid in two parts in time', { '2027-01-05': 1, '2027-01-10': 0 }, []],
  ['a payment is reversed in time', { '2027-01-05': 0, '2027-01-08': 25_000 }, ['2027-01-11 500']],
])('a flat fee, once, if %s', (_, payments, fees) => {
  expect(listFees(FLAT, payments as Record<string, number>, { today: '2028-12-31' })).toEqual(fees)
})

test.each([
  ['flat', FLAT, '2027-01-10', '2027-01-11'],
  ['by the day', PER_DAY, '2027-01-30', '2027-01-31'],
  ['by percentage', PERCENT, '2027-01-30', '2027-01-31'],
])('a fee, %s, of an unpaid charge is posted on its day and not before', (_, terms, before, day) => {
  expect(listFees(terms, {}, { today: before })).toEqual([])
  expect(listFees(terms, {}, { today: day })).toHaveLength(1)
})

test('without grace a charge is late on the day after it was due', () => {
  expect(listFees({ ...FLAT, late_fee_grace_days: 0 }, {})).toEqual(['2027-01-06 500'])
  expect(listFees({ ...FLAT, late_fee_grace_days: 0 }, { '2027-01-05': 0 })).toEqual([])
})

test.each([
  ['five days after the grace', { '2027-01-15': 0 }, ['2027-01-15 61.64']],
  ['on the day after the grace', { '2027-01-11': 0 }, ['2027-01-11 12.33']],
  ['on the last safe day', { '2027-01-10': 0 }, []],
  ['on the last day of the month', { '2027-01-31': 0 }, ['2027-01-31 258.9']],
  ['in the next month', { '2027-02-03': 0 }, ['2027-01-31 258.9', '2027-02-03 36.99']],
  // 5 days of 10,000.
  ['in two parts, one in the grace', { '2027-01-10': 10_000, '2027-01-15': 0 }, ['2027-01-15 24.66']],
  // 2 days of 25,000 and 19 of 5,000.
  ['in part, the rest open at the end of the month', { '2027-01-12': 5_000 }, ['2027-01-31 71.51']],
  // A part before the due date: 5 days of 24,000.
  ['in part before it fell due', { '2027-01-02': 24_000, '2027-01-15': 0 }, ['2027-01-15 59.18']],
  // Half was never owed: 15 days of 12,500.
  ['whose half was never owed', { '2027-01-01': 12_500, '2027-01-25': 0 }, ['2027-01-25 92.47']],
])('18 % a year on a charge that is paid %s', (_, payments, fees) => {
  expect(listFees(PERCENT, payments as Record<string, number>)).toEqual(fees)
})

const HALF_YEAR = [
  '2027-01-31 258.9',
  '2027-02-28 345.21',
  '2027-03-31 382.19',
  '2027-04-30 369.86',
  '2027-05-31 382.2',
  '2027-06-30 369.86',
]

test('a percentage goes on from month to month, in one rounding of all days so far', () => {
  const fees = listFees(PERCENT, {}, { today: '2027-07-30' })
  expect(fees).toEqual(HALF_YEAR)
  const sum = fees.reduce((total, fee) => total + toPaise(Number(fee.split(' ')[1])), 0)
  expect(toRupees(sum)).toBe(2108.22)
  expect(listFees(PERCENT, { '2027-02-20': 10_000 }, { today: '2027-02-28' })[1]).toBe('2027-02-28 286.03')
})

test.each([
  ['unpaid', {}, '2028-01-31', 13],
  ['paid two years later', { '2029-01-31': 0 }, '2028-01-31', 13],
  ['paid within the last month', { '2028-01-20': 0 }, '2028-01-20', 13],
])('it ends after 365 days: %s', (_, payments, lastDay, count) => {
  const fees = listFees(PERCENT, payments as Record<string, number>, { today: '2029-12-31' })
  expect(fees).toHaveLength(count)
  // 355 days until the end of December, and ten more.
  expect(fees.at(-1)).toBe(`${lastDay} 123.29`)
})

test('after a grace of a year the fee counts 365 days more', () => {
  const fees = listFees({ ...PER_DAY, late_fee_grace_days: 365 }, {}, { today: '2029-12-31' })
  expect([fees[0], fees.at(-1), fees.length]).toEqual(['2028-01-31 1300', '2029-01-31 200', 13])
})

test.each([
  ['five days after the grace', { '2027-01-15': 0 }, ['2027-01-15 250']],
  ['in the next month', { '2027-02-02': 0 }, ['2027-01-31 1050', '2027-02-02 100']],
  ['in two parts', { '2027-01-12': 5_000, '2027-01-20': 0 }, ['2027-01-20 500']],
  ['on the last safe day', { '2027-01-10': 0 }, []],
])('50 a day on a charge that is paid %s', (_, payments, fees) => {
  expect(listFees(PER_DAY, payments as Record<string, number>)).toEqual(fees)
})

test('a payment that is reversed before the fee runs does not end it', () => {
  const payments = { '2027-01-05': 0, '2027-01-08': 25_000, '2027-01-15': 0 }
  expect(listFees(PER_DAY, payments)).toEqual(['2027-01-15 250'])
})

test.each([
  ['25 January, late on the last day of its month', '2027-01-25', ['2027-01-31 12.33', '2027-02-28 345.2']],
  ['26 January, safe until the month ends', '2027-01-26', ['2027-02-28 345.21']],
])('18 % a year on a charge due on %s', (_, due_date, fees) => {
  expect(listFees(PERCENT, {}, { due_date, today: '2027-02-28' })).toEqual(fees)
})

test.each([
  ['paid on the last safe day', '2026-12-07', []],
  ['paid on the day after', '2026-12-08', ['2026-12-08 100']],
  ['unpaid', '2027-02-01', ['2026-12-31 2400']],
])('100 a day, due on 5 December, two days of grace: %s', (_, paidOn, fees) => {
  const terms = { ...PER_DAY, late_fee: 100, late_fee_grace_days: 2 }
  const days = { due_date: '2026-12-05', today: '2026-12-31' }
  const outstanding = { '2026-12-01': 25_000, [paidOn]: 0 }
  expect(listFees(terms, outstanding, days)).toEqual(fees)
})

test('50 a day with a cap of 1,000, due on 5 February, three days of grace: 20 days, and nothing afterwards', () => {
  const terms = { ...PER_DAY, late_fee_grace_days: 3, late_fee_cap: 1_000 }
  const days = { due_date: '2027-02-05', today: '2027-04-30' }
  expect(listFees(terms, {}, days)).toEqual(['2027-02-28 1000', '2027-03-31 0', '2027-04-30 0'])
})

test('a leap February has 29 days, the year of interest 365', () => {
  // 19 days of 25,000 at 18 %.
  const february = { due_date: '2028-02-05', today: '2028-02-29' }
  expect(listFees(PERCENT, {}, february)).toEqual(['2028-02-29 234.25'])
})

test.each([
  ['flat, above it', { ...FLAT, late_fee_cap: 300 }, ['300']],
  ['flat, below it', { ...FLAT, late_fee_cap: 600 }, ['500']],
  ['by the day', { ...PER_DAY, late_fee_grace_days: 3, late_fee_cap: 1_000 }, ['1000', '0']],
  ['by percentage', { ...PERCENT, late_fee_cap: 258.89 }, ['258.89', '0']],
])('the cap bounds the sum of the fees %s', (_, terms, rupees) => {
  const fees = listFees(terms, {}, { today: '2027-02-28' })
  expect(fees.map(fee => fee.split(' ')[1])).toEqual(rupees)
})

test.each([
  ['no flat fee', { ...FLAT, late_fee: null }],
  ['a flat fee of zero', { ...FLAT, late_fee: 0 }],
  ['no fee by the day', { ...PER_DAY, late_fee: null }],
  ['no percentage', { ...PERCENT, late_fee_percent: null }],
  ['a cap of zero', { ...PERCENT, late_fee_cap: 0 }],
])('%s comes to nothing', (_, terms) => {
  expect(listFees(terms, {}).filter(fee => !fee.endsWith(' 0'))).toEqual([])
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

test.each([
  ['long before', '2026-12-01', '2026-12-20', ['2027-01-31 1050']],
  ['around the due day', '2027-01-01', '2027-01-08', ['2027-01-31 900']],
  ['within the grace', '2027-01-07', '2027-01-08', ['2027-01-31 950']],
  ['from the last safe day on', '2027-01-10', '2027-01-20', ['2027-01-31 500']],
  ['on the day after it', '2027-01-11', '2027-01-20', ['2027-01-31 550']],
  ['among the late days', '2027-01-15', '2027-01-17', ['2027-01-31 900']],
  ['until after the month', '2027-01-21', '2027-02-03', ['2027-01-31 500']],
  ['of no day', '2027-01-16', '2027-01-15', ['2027-01-31 1050']],
])('a pause %s: its days are neither late nor days of grace', (_, from, to, fees) => {
  const terms = { ...PER_DAY, late_fee_pauses: [{ from, to }] }
  expect(listFees(terms, {}, { today: '2027-01-31' })).toEqual(fees)
})

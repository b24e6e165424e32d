import { expect, test } from 'bun:test'
import { findRentLimitDay, getRentOn, listRents, type RentTerms } from '../../../../server/leases/rents'
import { MAX_AMOUNT, toRupees } from '../../../../server/domain/money'

const terms: RentTerms = {
  rent_amount: 25_000,
  escalation_percent: 5,
  escalation_every_months: 11,
  agreement_start_date: '2026-04-01',
  agreement_end_date: '2029-03-31',
  rent_rounding: 0.01,
}

function listRupees(change: Partial<RentTerms> = {}, revised: [string, number][] = []) {
  const revisions = revised.map(([effective_on, rent_amount]) => ({ effective_on, rent_amount }))
  return listRents({ ...terms, ...change }, revisions).map(rent => [rent.effective_on, toRupees(rent.amount)])
}

test('5 % every 11 months: 25,000, 26,250, 27,562.50', () => {
  expect(listRupees()).toEqual([
    ['2026-04-01', 25_000],
    ['2027-03-01', 26_250],
    ['2028-02-01', 27_562.5],
    // 28,940.625
    ['2029-01-01', 28_940.63],
  ])
})

test.each([
  [1, [25_000, 26_250, 27_563, 28_941]],
  [10, [25_000, 26_250, 27_560, 28_940]],
] as const)('each step is rounded to %p', (rent_rounding, rupees) => {
  expect(listRupees({ rent_rounding }).map(([, amount]) => amount)).toEqual([...rupees])
})

test.each([
  [7.25, 12, [25_000, 26_812.5, 28_756.41]],
  [0.5, 12, [25_000, 25_125, 25_250.63]],
  // 1.15 × 100 is 114.99… as a binary fraction.
  [1.15, 12, [25_000, 25_287.5, 25_578.31]],
  [100, 24, [25_000, 50_000]],
  [5, 36, [25_000]],
  [5, 35, [25_000, 26_250]],
  [0, 12, [25_000]],
])('%p % every %p months', (escalation_percent, escalation_every_months, rupees) => {
  const rents = listRupees({ escalation_percent, escalation_every_months })
  expect(rents.map(([, amount]) => amount)).toEqual(rupees)
})

test('no escalation leaves the agreed rent', () => {
  expect(listRupees({ escalation_percent: null, escalation_every_months: null })).toEqual([
    ['2026-04-01', 25_000],
  ])
})

const [START, FIRST] = [
  ['2026-04-01', 25_000],
  ['2027-03-01', 26_250],
] as const

test.each<[string, revision: [string, number], rents: (readonly [string, number])[]]>([
  [
    'is raised by the next escalation',
    ['2027-06-01', 30_000],
    [START, FIRST, ['2027-06-01', 30_000], ['2028-02-01', 31_500], ['2029-01-01', 33_075]],
  ],
  [
    'on the day of an escalation takes its place',
    ['2027-03-01', 25_500],
    [START, ['2027-03-01', 25_500], ['2028-02-01', 26_775], ['2029-01-01', 28_113.75]],
  ],
  [
    'that is the escalation itself is not applied twice',
    ['2027-03-01', 26_250],
    [START, FIRST, ['2028-02-01', 27_562.5], ['2029-01-01', 28_940.63]],
  ],
  [
    'far ahead leaves the escalations before it',
    ['2029-02-01', 40_000],
    [START, FIRST, ['2028-02-01', 27_562.5], ['2029-01-01', 28_940.63], ['2029-02-01', 40_000]],
  ],
])('a rent that was revised %s', (_, revision, rents) => {
  expect(listRupees({}, [revision])).toEqual(rents.map(rent => [...rent]))
})

test('an escalation on the last day of the tenure counts, one a day later does not', () => {
  expect(listRupees({ agreement_end_date: '2027-03-01' }).at(-1)).toEqual([...FIRST])
  expect(listRupees({ agreement_end_date: '2027-02-28' })).toEqual([[...START]])
})

test('a rent from the 31st rises on the last day of a shorter month', () => {
  const rents = listRupees({ agreement_start_date: '2026-08-31', escalation_every_months: 6 })
  expect(rents.map(([day]) => day)).toEqual([
    '2026-08-31',
    '2027-02-28',
    '2027-08-31',
    '2028-02-29',
    '2028-08-31',
    '2029-02-28',
  ])
})

test.each([
  ['2026-04-01', 25_000],
  ['2027-02-28', 25_000],
  ['2027-03-01', 26_250],
  ['2029-03-31', 28_940.63],
  ['2026-03-31', 0],
])('on %s the rent is %p', (day, rupees) => {
  expect(toRupees(getRentOn(listRents(terms, []), day))).toBe(rupees)
})

test('an escalation stops at the highest amount, and the day of that one is found', () => {
  const rent_amount = toRupees(MAX_AMOUNT - 1)
  expect(listRupees({ rent_amount })[1]).toEqual(['2027-03-01', toRupees(MAX_AMOUNT)])
  expect(findRentLimitDay({ ...terms, rent_amount }, [])).toBe('2027-03-01')
  expect(findRentLimitDay(terms, [])).toBeUndefined()
})

test('a rent that is agreed at the highest amount and does not escalate has no such day', () => {
  const highest = { ...terms, rent_amount: toRupees(MAX_AMOUNT), escalation_percent: null }
  expect(findRentLimitDay(highest, [])).toBeUndefined()
})

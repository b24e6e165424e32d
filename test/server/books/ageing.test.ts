import { expect, test } from 'bun:test'
import { findAgeBucket, sumByAge } from '../../../server/books/ageing'

const TODAY = '2028-03-31'

test.each([
  ['2028-04-01', undefined],
  ['2028-03-31', 'days_0_30'],
  ['2028-03-01', 'days_0_30'],
  ['2028-02-29', 'days_31_60'],
  ['2028-01-31', 'days_31_60'],
  ['2028-01-30', 'days_61_90'],
  ['2028-01-01', 'days_61_90'],
  ['2027-12-31', 'days_over_90'],
  ['2020-01-01', 'days_over_90'],
] as const)('due on %s: %p', (dueDate, bucket) => {
  expect(findAgeBucket(dueDate, TODAY)).toBe(bucket as never)
})

test('sums by age, with a total that leaves out what is yet to come', () => {
  const charges = [
    { due_date: '2028-04-05', outstanding: 1 },
    { due_date: '2028-03-05', outstanding: 20 },
    { due_date: '2028-03-05', outstanding: 300 },
    { due_date: '2028-02-05', outstanding: 4_000 },
    { due_date: '2027-12-05', outstanding: 50_000 },
  ]
  expect(sumByAge(charges, TODAY)).toEqual({
    days_0_30: 320,
    days_31_60: 4_000,
    days_61_90: 0,
    days_over_90: 50_000,
    total: 54_320,
  })
})

import { expect, test } from 'bun:test'
import { addPaise, divideHalfUp, roundTo, toPaise, toRupees } from '../../../server/domain/money'

test('every amount of paise is read and written exactly', () => {
  for (let paise = 0; paise <= 200_000; paise++) expect(toPaise(toRupees(paise))).toBe(paise)
  for (const rupees of [0.1, 0.29, 1.15, 8.2, 4.35, 1_00_000.07, 999_999_999_999.99])
    expect(toPaise(rupees)).toBe(Number(rupees.toFixed(2).replace('.', '')))
})

test.each([
  [0.1, 20, 0.3],
  [0.7, 10, 0.8],
  [1.1, 2_20, 3.3],
  [0.3, -10, 0.2],
  [999_999_999_999.98, 1, 999_999_999_999.99],
])('₹%p and %p paise are ₹%p', (rupees, paise, sum) => {
  expect(addPaise(rupees, paise)).toBe(sum)
})

test.each([
  [0, 7, 0],
  [1, 2, 1],
  [3, 2, 2],
  [1, 3, 0],
  [2, 3, 1],
  [-1, 2, -1],
  [-1, 3, 0],
  // 25,000 × 17/31
  [4_25_000_00, 31, 13_709_68],
  // ₹9,99,99,99,999.99 × 31 days × 2,400 basis points ÷ (365 × 10,000)
  [999_999_999_999n * 31n * 2_400n, 3_650_000n, 20_383_561_644],
  [999_999_999_999_99n * 366n * 10_000n, 366n * 10_000n, 999_999_999_999_99],
])('%p ÷ %p is %p', (numerator, denominator, quotient) => {
  // A quotient of −⅓ is zero, of either sign.
  expect(divideHalfUp(numerator, denominator) + 0).toBe(quotient)
})

test.each([
  [13_709_68, 0.01, 13_709_68],
  [13_709_49, 1, 13_709_00],
  [13_709_50, 1, 13_710_00],
  [13_704_99, 10, 13_700_00],
  [13_705_00, 10, 13_710_00],
  [27_562_50, 1, 27_563_00],
  [4_99, 10, 0],
] as const)('%p paise rounded to ₹%p are %p', (paise, rounding, result) => {
  expect(roundTo(paise, rounding)).toBe(result)
})

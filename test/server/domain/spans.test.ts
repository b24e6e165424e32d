import { expect, test } from 'bun:test'
import { sortByDay, splitIntoSpans, sumAmountDays } from '../../../server/domain/spans'

const toAmounts = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map(part => part.split('=') as [string, string])
    .map(([day, amount]) => ({ effective_on: `2027-01-${day}`, amount: Number(amount) }))

test.each([
  ['one amount from before', '01=5', '5x10'],
  ['one amount from the first day', '11=5', '5x10'],
  ['days before the first amount are in no span', '15=5', '5x6'],
  ['an amount of the last day', '01=5 20=7', '5x9 7x1'],
  ['an amount after the last day', '01=5 21=7', '5x10'],
  ['the latest before the first day', '01=5 09=6 03=7', '6x10'],
  ['changes in any order', '15=7 01=5 13=6', '5x2 6x2 7x6'],
  ['the later of two of one day before', '01=5 01=7', '7x10'],
  ['the later of two of one day within', '01=5 15=6 15=7', '5x4 7x6'],
  ['no amount', '', ''],
])('from 11 to 20 January: %s', (_, amounts, spans) => {
  const found = splitIntoSpans(sortByDay(toAmounts(amounts)), '2027-01-11', '2027-01-20')
  expect(found.map(({ amount, days }) => `${amount}x${days}`).join(' ')).toBe(spans)
})

test('days that end before they begin are in no span', () => {
  expect(splitIntoSpans(toAmounts('01=5'), '2027-01-11', '2027-01-10')).toEqual([])
})

test('amounts and days are summed exactly', () => {
  expect(
    sumAmountDays([
      { amount: 999_999_999_999, days: 36_500 },
      { amount: 1, days: 1 },
    ]),
  ).toBe(36_499_999_999_963_501n)
})

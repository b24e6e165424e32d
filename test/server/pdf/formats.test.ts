import { expect, test } from 'bun:test'
import { formatList, shortenText, splitFitting } from '../../../server/pdf/formats'

test('a text is shortened by whole characters, unless it fits', () => {
  expect(shortenText('अनुराधा', 7)).toBe('अनुराधा')
  expect(shortenText('अनुराधा', 6)).toBe('अनुरा…')
  expect(shortenText('😀😀😀', 2)).toBe('😀…')
  expect(shortenText('x'.repeat(60))).toBe('x'.repeat(60))
  expect(shortenText('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`)
})

test('a list names twenty texts, and counts the others', () => {
  const texts = Array.from({ length: 1021 }, (_, index) => String(index))
  expect(formatList(texts.slice(0, 2))).toBe('0, 1')
  expect(formatList(texts.slice(0, 20))).toBe(texts.slice(0, 20).join(', '))
  expect(formatList(texts)).toBe(`${texts.slice(0, 20).join(', ')} and 1,001 more`)
})

test('rows fit as far as their texts take 2,000 lines of 45 characters', () => {
  const split = (rows: string[]) => splitFitting(rows, text => text).map(part => part.length)
  expect(split([])).toEqual([0, 0])
  expect(split(Array.from({ length: 2000 }, () => 'x'.repeat(45)))).toEqual([2000, 0])
  expect(split(Array.from({ length: 2003 }, () => ''))).toEqual([2000, 3])
  expect(split(Array.from({ length: 1001 }, () => 'x'.repeat(46)))).toEqual([1000, 1])
})

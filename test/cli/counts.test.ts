import { expect, test } from 'bun:test'
import { parseCount } from '../../cli/counts'

test.each(['1', '7', '50'])('%s is a count of 50 at most', text => {
  expect(parseCount(50)(text)).toBe(Number(text))
})

test.each(['0', '-1', '51', '1.5', '', 'x'])('%p is no count of 50 at most', text => {
  expect(() => parseCount(50)(text)).toThrow('must be a whole number from 1 to 50')
})

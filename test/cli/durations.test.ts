import { expect, test } from 'bun:test'
import { parseCount } from '../../cli/counts'
import { parseDurationMs } from '../../cli/duration'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['15m', 900_000],
  ['2h', 7_200_000],
  ['4d', 345_600_000],
  ['1.005s', 1_005],
  ['0.4ms', 0],
  ['-2h', -7_200_000],
])('%s has %d ms', (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms)
})

test.each(['5', 's', '5 s', '5S', '.5s', '1e3s', '5s5', '5y', ''])('%p is no time', text => {
  expect(() => parseDurationMs(text)).toThrow('must be a time such as')
})

test.each(['1', '7', '50'])('%s is a count of 50 at most', text => {
  expect(parseCount(50)(text)).toBe(Number(text))
})

test.each(['0', '-1', '51', '1.5', '', 'x'])('%p is no count of 50 at most', text => {
  expect(() => parseCount(50)(text)).toThrow('must be a whole number from 1 to 50')
})

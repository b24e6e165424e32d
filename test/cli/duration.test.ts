import { expect, test } from 'bun:test'
import { parseDurationMs } from '../../cli/duration'

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['15m', 900_000],
  ['2h', 7_200_000],
  ['4d', 345_600_000],
  ['-1d', -86_400_000],
  ['-2h', -7_200_000],
  ['1.5h', 5_400_000],
  ['1.005s', 1_005],
  ['1.2345s', 1_235], // a whole number of milliseconds
  ['0.4ms', 0],
])('%s is %d ms', (text, ms) => {
  expect(parseDurationMs(text)).toBe(ms)
})

const wrong = ['', '5', 's', '5 s', '5S', '1w', '5y', '1.s', '.5s', '1h30m', '1e3s', '5s5']
test.each(wrong)('%p is refused', text => {
  expect(() => parseDurationMs(text)).toThrow('must be a time such as')
})

import { expect, test } from 'bun:test'
import { FormatRegistry } from '@sinclair/typebox'
import '../../../server/http/formats'

const is = (format: string, text: string) => FormatRegistry.Get(format)!(text)

test.each([
  ['2026-11-22T10:00Z', true],
  ['2026-11-22T10:00:00Z', true],
  ['2026-11-22T10:00:00.123Z', true],
  ['2026-11-22T15:30:00+05:30', true],
  ['2026-11-22T04:30:00-05:30', true],
  ['2028-02-29T00:00:00Z', true],
  ['2026-02-29T00:00:00Z', false],
  ['2026-11-22T10:00:00', false],
  ['2026-11-22T15:30:00+0530', false],
  ['2026-11-22T10:00:00.1234Z', false],
  ['2026-11-22T24:01:00Z', false],
  ['2026-11-22 10:00:00Z', false],
  ['2026-11-22', false],
])('the instant %s is accepted: %p', (text, isAccepted) => {
  expect(is('instant', text)).toBe(isAccepted)
})

test.each([
  ['1899-12-31', false],
  ['1900-01-01', true],
  ['2199-12-31', true],
  ['2200-01-01', false],
  ['2026-02-29', false],
  ['2028-02-29', true],
  ['2026-11-31', false],
  ['2026-1-01', false],
])('the date %s is accepted: %p', (text, isAccepted) => {
  expect(is('calendar-date', text)).toBe(isAccepted)
})

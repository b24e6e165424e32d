import { expect, test } from 'bun:test'
import { getFiscalYear, parseFiscalYear } from '../../../server/domain/fiscal-year'

test.each([
  ['2026-04-01', '2026-27'],
  ['2027-03-31', '2026-27'],
  ['2027-04-01', '2027-28'],
  ['2027-01-01', '2026-27'],
  ['2028-02-29', '2027-28'],
  ['1999-12-31', '1999-00'],
  ['2008-05-01', '2008-09'],
  ['2099-04-01', '2099-00'],
])('%s is in %s', (date, year) => {
  expect(getFiscalYear(date)).toBe(year)
})

test.each([
  ['2026-27', '2026-04-01', '2027-03-31'],
  ['1999-00', '1999-04-01', '2000-03-31'],
  ['2099-00', '2099-04-01', '2100-03-31'],
])('%s runs from %s to %s', (year, from, to) => {
  expect(parseFiscalYear(year)).toEqual({ from, to })
})

test.each([
  '2026-28',
  '2026-26',
  '2026',
  '2026-2027',
  '26-27',
  '2026/27',
  ' 2026-27',
  '2026-27\n',
  '0000-01',
  '9999-00',
  '',
])('%p is no fiscal year', text => {
  expect(parseFiscalYear(text)).toBeUndefined()
})

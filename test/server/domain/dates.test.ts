import { expect, test } from 'bun:test'
import {
  addDays,
  addMonths,
  countDays,
  getTenureEndDate,
  toDayOfMonth,
  toIndianDate,
} from '../../../server/domain/dates'
import { isCalendarDate } from '../../../server/http/body/formats'

test.each([
  ['2026-06-15T18:29:59.999Z', '2026-06-15'],
  ['2026-06-15T18:30:00Z', '2026-06-16'],
  ['2026-12-31T18:30:00Z', '2027-01-01'],
  ['2024-02-28T20:00:00Z', '2024-02-29'],
  ['2026-06-15T00:00:00+05:30', '2026-06-15'],
])('%s is %s in India', (instant, day) => {
  expect(toIndianDate(new Date(instant))).toBe(day)
})

test.each([
  ['2026-12-01', 11, '2027-10-31'],
  ['2026-12-15', 1, '2027-01-14'],
  // The next term begins on the last day of a shorter month.
  ['2027-01-31', 1, '2027-02-27'],
  ['2028-01-31', 1, '2028-02-28'],
  ['2028-02-29', 12, '2029-02-27'],
  ['2027-03-01', 600, '2077-02-28'],
])('a tenure from %s of %p months ends on %s', (start, months, end) => {
  expect(getTenureEndDate(start, months)).toBe(end)
})

test.each([
  ['1899-12-31', false],
  ['1900-01-01', true],
  ['2199-12-31', true],
  ['2200-01-01', false],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-04-31', false],
])('%s is a date: %p', (text, isDate) => {
  expect(isCalendarDate(text)).toBe(isDate)
})

test.each([
  ['2027-01-31', 0, '2027-01-31'],
  ['2027-01-31', 1, '2027-02-28'],
  ['2027-01-31', 2, '2027-03-31'],
  ['2027-01-31', 3, '2027-04-30'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2028-02-29', 12, '2029-02-28'],
  ['2028-02-29', 48, '2032-02-29'],
  ['2026-12-15', 11, '2027-11-15'],
  ['2026-12-15', 13, '2028-01-15'],
  ['2027-03-31', -1, '2027-02-28'],
  ['2027-01-15', -1, '2026-12-15'],
])('%s and %p months is %s', (date, months, result) => {
  expect(addMonths(date, months)).toBe(result)
})

test.each([
  ['2028-02-28', 1, '2028-02-29'],
  ['2027-02-28', 1, '2027-03-01'],
  ['2027-01-01', -1, '2026-12-31'],
  ['2026-12-31', 1, '2027-01-01'],
  ['2026-04-01', 364, '2027-03-31'],
])('%s and %p days is %s', (date, days, result) => {
  expect(addDays(date, days)).toBe(result)
})

test.each([
  ['2026-12-15', '2026-12-31', 17],
  ['2027-02-01', '2027-02-28', 28],
  ['2028-02-01', '2028-02-29', 29],
  ['2026-04-01', '2027-03-31', 365],
  ['2027-04-01', '2028-03-31', 366],
  ['2027-02-10', '2027-02-10', 1],
  ['2027-02-10', '2027-02-09', 0],
])('from %s until %s there are %p days', (from, until, days) => {
  expect(countDays(from, until)).toBe(days)
})

test.each([
  ['2027-02-10', 31, '2027-02-28'],
  ['2028-02-10', 30, '2028-02-29'],
  ['2027-04-30', 31, '2027-04-30'],
  ['2027-01-31', 5, '2027-01-05'],
])('in the month of %s day %p is %s', (date, day, result) => {
  expect(toDayOfMonth(date, day)).toBe(result)
})

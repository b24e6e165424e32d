import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { toIndianDate, getTenureEndDate } from '../../../server/domain/dates'
import { testServer } from '../../support/server'
import { isCalendarDate } from '../../../server/http/formats'

const it = testServer()

test.each([
  ['2026-06-15T18:29:59.999Z', '2026-06-15'],
  ['2026-06-15T18:30:00Z', '2026-06-16'],
  ['2026-12-31T18:30:00Z', '2027-01-01'],
  ['2024-02-28T20:00:00Z', '2024-02-29'],
  ['2026-06-15T00:00:00+05:30', '2026-06-15'],
])('%s is %s in India', (instant, day) => {
  expect(toIndianDate(new Date(instant))).toBe(day)
})

test('a tenure ends where PostgreSQL, too, says it does: start + months − 1 day', async () => {
  const starts = Array.from({ length: 366 * 4 + 1 }, (_, day) =>
    new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10),
  )
  const tenures = [1, 2, 3, 6, 11, 12, 13, 24, 36, 600]
  const { rows } = await sql<{
    start: string
    months: number
    last: string
  }>`select start::date::text as start, months, (start::date + make_interval(months => months) - interval '1 day')::date::text as last from unnest(${starts}::text[]) start, unnest(${tenures}::int[]) months`.execute(
    getKysely(it.em()),
  )
  expect(rows).toHaveLength(starts.length * tenures.length)
  expect(rows.filter(({ start, months, last }) => getTenureEndDate(start, months) !== last)).toEqual([])
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

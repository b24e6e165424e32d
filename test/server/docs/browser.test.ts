import { describe, expect, test } from 'bun:test'
import { createDates } from '../../../server/docs/browser/dates'
import { fillRequest, toPath } from '../../../server/docs/browser/fill-request'
import { hasWords } from '../../../server/docs/browser/filter'

describe('the dates of the examples', () => {
  test('count from today', () => {
    expect(createDates(new Date('2026-11-23T10:00:00Z'))).toEqual({
      lastMonth: '2026-10-01',
      month: '2026-11',
      monthStart: '2026-11-01',
      monthEnd: '2026-11-30',
      nextMonth: '2026-12-01',
      nextMonthEnd: '2026-12-31',
      dueDate: '2026-12-10',
      revisionDate: '2027-06-01',
      laterRevisionDate: '2027-07-01',
      financialYear: '2026-27',
    })
  })

  test.each([
    ['2027-03-31T18:29:59Z', '2027-03', '2026-27'],
    ['2027-03-31T18:30:00Z', '2027-04', '2027-28'],
    ['2026-12-31T18:30:00Z', '2027-01', '2026-27'],
    ['2099-05-01T00:00:00Z', '2099-05', '2099-00'],
  ])('%s is in %s of %s in India', (now, month, financialYear) => {
    expect(createDates(new Date(now))).toMatchObject({ month, financialYear })
  })
})

test.each([
  ['property', true],
  ['properties', true],
  ['PROPERTY list', true],
  ['list  units', true],
  ['unit', true],
  ['tenant', false],
  ['list tenant', false],
  ['key', true],
  ['keys', true],
  ['uns', false],
  ['', true],
])('a call about “List properties and their units, by key” is found by %p: %p', (phrase, isFound) => {
  expect(
    hasWords(['GET', '/properties', 'List properties and', 'their units, by key', undefined], phrase),
  ).toBe(isFound)
})

describe('the request of an example', () => {
  test('has the records that it names, and keeps the names of those that are missing', () => {
    const request = {
      params: { id: '$let' },
      query: { year: '$year', page: 1 },
      body: { ids: ['$let', '$other'], price: 'US$ 1', note: null, later: { fee: 0 } },
    }
    expect(fillRequest(request, { let: 7, year: '2026-27', price: 1 })).toEqual({
      params: { id: 7 },
      query: { year: '2026-27', page: 1 },
      body: { ids: [7, '$other'], price: 'US$ 1', note: null, later: { fee: 0 } },
    })
  })

  test.each([
    ['/units/{id}', { params: { id: 7 } }, '/units/7'],
    ['/a/{id}/b/{otherId}', { params: { id: 'x/y', otherId: 2 } }, '/a/x%2Fy/b/2'],
    ['/units', { query: { q: 'A 1&2', page: 1 } }, '/units?q=A+1%262&page=1'],
    ['/units', {}, '/units'],
  ])('%s with %j goes to %s', (path, request, filled) => {
    expect(toPath(path, request)).toBe(filled)
  })
})

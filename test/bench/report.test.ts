import { expect, test } from 'bun:test'
import { toComparison, toMarkdown, toRow, type Figures, type Report } from './report'

const figures = (cpuUs: number): Figures => ({ perSecond: 1000, p50: 1, p99: 2, cpuUs })
const about = { name: 'me', what: 'GET /auth/me', bar: 1.4, requests: 100, rssMb: 100 }

const toReport = (kiraya: number, floor?: number): Report => ({
  date: '2026-11-28T00:00:00.000Z',
  machine: 'machine',
  scale: '1k',
  rounds: 1,
  settings: '',
  rows: [
    toRow(about, [{ floor: floor === undefined ? undefined : figures(floor), kiraya: figures(kiraya) }]),
  ],
  memory: [],
  starts: [],
})

test.each([
  ['a floor in both', toReport(100, 80), toReport(120, 60), '100 | 120 | 1.20 × | 0.75 × | 1.25 | 2.00'],
  ['a floor of 0 µs', toReport(100, 0), toReport(120, 60), '100 | 120 | 1.20 × | – | – | 2.00'],
  ['no floor', toReport(100), toReport(120), '100 | 120 | 1.20 × | – | – | –'],
])('a case with %s is compared with an earlier report', (_, before, after, cells) => {
  const stored: Report = JSON.parse(JSON.stringify(before))
  expect(toComparison(stored, after)).toContain(`| GET /auth/me | ${cells} |`)
})

test('a case without a floor has no ratio and no verdict', () => {
  expect(toMarkdown(toReport(100))).toContain('| GET /auth/me | 100 | – | – | 1.4 |  |')
})

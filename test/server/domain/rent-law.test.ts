import { expect, test } from 'bun:test'
import {
  findInForce,
  HRA_PAN_THRESHOLD,
  isAbove,
  REVENUE_STAMP_THRESHOLD,
  TAX_FORMS,
  TDS_ON_RENT,
} from '../../../server/domain/rent-law'

test.each([
  ['names the PAN of a claim of 2013-14', HRA_PAN_THRESHOLD, 1_00_000, '2013-04-01'],
  ['names the PAN of a claim of 2025-26', HRA_PAN_THRESHOLD, 1_00_000, '2026-03-31'],
  ['names the PAN of a claim of 2026-27', HRA_PAN_THRESHOLD, 1_00_000, '2026-04-01'],
  ['bears a stamp', REVENUE_STAMP_THRESHOLD, 5_000, '2026-04-01'],
])('%s above the threshold, not at it', (_, thresholds, rupees, day) => {
  expect(isAbove(thresholds, rupees, day)).toBe(false)
  expect(isAbove(thresholds, rupees + 0.01, day)).toBe(true)
})

test.each([
  ['2017-05-31', undefined],
  ['2017-06-01', [5, 20, 50_000, '194-IB']],
  ['2024-09-30', [5, 20, 50_000, '194-IB']],
  ['2024-10-01', [2, 20, 50_000, '194-IB']],
  ['2026-03-31', [2, 20, 50_000, '194-IB']],
  ['2026-04-01', [2, 20, 50_000, '393(1)']],
])('the tax on rent on %s: %p', (day, expected) => {
  const law = findInForce(TDS_ON_RENT, day)
  const { rate_percent, rate_without_pan_percent, monthly_threshold, section } = law ?? {}
  expect(law && [rate_percent, rate_without_pan_percent, monthly_threshold, section]).toEqual(expected)
})

test.each([
  ['2026-03-31', ['12BB', '26QC', '16C']],
  ['2026-04-01', ['124', '141', '132']],
])('the forms of claim, statement and certificate on %s: %p', (day, forms) => {
  const { rent_claim, tds_statement, tds_certificate } = findInForce(TAX_FORMS, day)!
  expect([rent_claim, tds_statement, tds_certificate]).toEqual(forms)
})

test('before a threshold was set, nothing is above it', () => {
  expect(isAbove(HRA_PAN_THRESHOLD, 10_00_000, '2013-03-31')).toBe(false)
  expect(isAbove(REVENUE_STAMP_THRESHOLD, 10_00_000, '2004-09-09')).toBe(false)
})
